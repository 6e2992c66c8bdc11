#pragma once

#include <chrono>

#include "app/serve/served.h"

namespace orrery::app::serve {

/// Answers that are kept for a moment and given to everyone who asks meanwhile: however many ask, the
/// window's thread makes few. Setting an option ends the moment. All are called in the window's thread.
WindowAnswers shared_answers(WindowAnswers answers,
                             std::chrono::milliseconds moment = std::chrono::milliseconds(200));

}  // namespace orrery::app::serve
