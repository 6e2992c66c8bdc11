#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "app/gui/chooser.h"
#include "app/session/session.h"

namespace orrery::app {

/// The name of the list that asks.
inline constexpr std::string_view question_name = "question";

/// More files than these are never asked about: a question must show all that it is about.
inline constexpr std::size_t most_asked_files = 8;

/// Asks whether files that the state in `path` names are opened, though they are not beside it: a no, which
/// is selected, and a yes, which does `open`. Throws sim::Error if they are too many.
ChoiceList question_list(const std::filesystem::path& path, const std::vector<std::filesystem::path>& files,
                         const std::function<void()>& open);

/// Asks whether the server ends for everybody: a no, which is selected, and a yes, which does `end`.
ChoiceList end_question(const std::function<void()>& end);

/// The units that the file of this session may be in. Choosing some does `open` with the request for them.
ChoiceList units_list(const Session& session, const std::function<void(const lab::DatasetRequest&)>& open);

}  // namespace orrery::app
