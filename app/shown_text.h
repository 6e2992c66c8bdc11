#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::app {

/// Where a browser finds a server on its computer. Not "localhost": at the same port of ::1 another user may
/// listen.
inline constexpr const char* loopback_address = "127.0.0.1";

/// The text with shorter paths: below one of `folders` (absolute, without a slash at the end) relative to it,
/// all other absolute paths as their last name.
std::string with_short_paths(std::string_view text, const std::vector<std::filesystem::path>& folders);

/// Makes shown_text() shorten paths in these folders. Call it before other threads start.
void shorten_shown_paths(std::vector<std::filesystem::path> folders);

/// A text of this program as the window, and with it a browser, shows it. In a browser people see it who have
/// no business with the folders of the server.
std::string shown_text(std::string text);

}  // namespace orrery::app
