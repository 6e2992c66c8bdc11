#pragma once

#include <nlohmann/json_fwd.hpp>

// What OpenGL draws with on this machine. Each report has "available"; then "renderer", "version",
// "software", "cuda_device" and "interop", else "why_not".
namespace orrery::app {

/// The OpenGL that windows get, asked in a process of its own: CUDA remembers the OpenGL that it saw first,
/// and windows may be drawn by another one than pictures without a window. Call before CUDA is used, because
/// a copied process cannot use it then.
nlohmann::json window_drawing();

/// The OpenGL of pictures, films and `serve`, which need no display.
nlohmann::json headless_drawing();

}  // namespace orrery::app
