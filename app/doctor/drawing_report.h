#pragma once

#include <nlohmann/json_fwd.hpp>

// What OpenGL draws with on this machine. Each report has "available"; then "renderer", "version",
// "software", "cuda_device" and "interop", else "why_not".
namespace orrery::app {

/// For a window. Asked in a process of its own: CUDA remembers the OpenGL that it saw first, and a window may
/// be drawn by another one than pictures without. Before CUDA is used here, because a copied process cannot
/// use it then.
nlohmann::json window_drawing();

/// For pictures, films and `serve`, which need no display.
nlohmann::json headless_drawing();

}  // namespace orrery::app
