#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "app/gui/chooser.h"

namespace orrery::app {

/// The name of the list that asks.
inline constexpr std::string_view question_name = "question";

/// Asks whether files that the state in `path` names are opened, though they do not lie with it: a no, which
/// is selected, and a yes, which does `open`.
ChoiceList question_list(const std::filesystem::path& path, const std::vector<std::filesystem::path>& files,
                         const std::function<void()>& open);

}  // namespace orrery::app
