#pragma once

#include <string>
#include <vector>

namespace orrery::app {

/// Starts logging to standard error and into a ring that the panel shows. Call once, before the first
/// message.
void start_log();

/// One line each, for the person at the screen.
void log_info(const std::string& message);
void log_warning(const std::string& message);
void log_error(const std::string& message);

/// Warnings and errors since the last call as the window shows them, oldest first; the latest few where there
/// were many.
std::vector<std::string> take_problems();

/// The newest messages as the window shows them, oldest first, with time and level; at most `count`.
std::vector<std::string> recent_messages(std::size_t count);

}  // namespace orrery::app
