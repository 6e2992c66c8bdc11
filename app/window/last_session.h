#pragma once

#include <cstddef>
#include <filesystem>

#include "app/session/checkpoint.h"

namespace orrery::app {

/// A larger session is not kept: closing the window must not take long.
inline constexpr std::size_t largest_last_session = std::size_t{256} << 20;

/// The file of the session with which the window was closed: last-session.checkpoint beside the settings.
/// Empty if there is no home.
std::filesystem::path last_session_file();

/// Replaces the last session; logs if a session is too large. The session of a window that was closed while
/// this one was open stays as FILE.previous. Throws sim::Error.
void write_last_session(const Checkpoint& checkpoint);

}  // namespace orrery::app
