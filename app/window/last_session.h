#pragma once

#include <cstddef>
#include <filesystem>

#include "app/session/checkpoint.h"

namespace orrery::app {

/// A larger session is not kept: closing the window must not take long.
inline constexpr std::size_t largest_last_session = std::size_t{256} << 20;

/// Where the window keeps the session that it was closed with: last-session.checkpoint beside the settings.
/// Empty if there is no home.
std::filesystem::path last_session_file();

/// In place of the one before; says in the log where a session is too large. Throws sim::Error.
void write_last_session(const Checkpoint& checkpoint);

}  // namespace orrery::app
