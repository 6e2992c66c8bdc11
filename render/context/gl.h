#pragma once

#include <glad/gl.h>

#include <chrono>
#include <string>
#include <string_view>

namespace orrery::render {

/// The type of glfwGetProcAddress, eglGetProcAddress and HeadlessContext::loader(): name in, function out.
using GlLoader = GLADloadfunc;

/// Properties of the current context.
struct GlInfo {
  std::string vendor;
  std::string renderer;
  std::string version;
  /// True for a rasterizer that runs on the CPU (llvmpipe, softpipe, swrast).
  bool software = false;
  /// The largest gl_PointSize in pixels; differs from driver to driver (255 on llvmpipe).
  float max_point_size = 1;
};

/// Loads OpenGL for the context that is current on this thread. Call it once per context, before anything
/// else of render/. Where OpenGL has no GPU, up to 64 MiB of freed memory stay with the program. Throws Error
/// if the context offers less than OpenGL 4.5.
void load_gl(GlLoader loader);

/// The strings and limits of the current context.
GlInfo gl_info();

/// True if the current context has the extension: "GL_NV_shader_atomic_float".
bool has_extension(std::string_view name);

/// Waits until OpenGL has done all that it was told, at most so long; true if it has.
bool wait_until_drawn(std::chrono::nanoseconds longest);

/// True if OpenGL reports no error of what `act` does; errors of before are dropped.
template <typename Act>
bool succeeds(const Act& act) {
  while (glGetError() != GL_NO_ERROR) {
  }
  act();
  return glGetError() == GL_NO_ERROR;
}

/// Throws Error "<what> failed: GL_..." if OpenGL has recorded an error since the last call. Waits for
/// nothing on a direct driver, but is meant for set-up and tests, not for every draw call.
void check_gl(const char* what);

}  // namespace orrery::render
