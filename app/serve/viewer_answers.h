#pragma once

#include <string>

#include "app/serve/response.h"
#include "app/serve/served.h"

namespace orrery::app {
class Viewer;
}

// Answers that need the viewer; called in the window's thread.
namespace orrery::app::serve {

/// The open dataset and the speed of its simulation, as JSON.
Response status_answer(Viewer& viewer);
/// Every option with its meaning, limits and value, as JSON.
Response options_answer(Viewer& viewer);
/// The options as a plain page with a form for each, for screen readers and browsers of any kind.
Response options_page(Viewer& viewer, const FormAnswer& answer);
/// Sets one option as `--set NAME=VALUE` does. Status 400 with the reason if it is refused.
Response set_option_answer(Viewer& viewer, const std::string& name, const std::string& value);

}  // namespace orrery::app::serve
