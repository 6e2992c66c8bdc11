#include "render/context/gl.h"

#include <fmt/format.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <string_view>

#include "render/error.h"

namespace orrery::render {
namespace {

std::string text(GLenum name) {
  const GLubyte* value = glGetString(name);
  return value == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(value));
}

const char* error_name(GLenum error) {
  switch (error) {
    case GL_INVALID_ENUM:
      return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE:
      return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION:
      return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
      return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_OUT_OF_MEMORY:
      return "GL_OUT_OF_MEMORY";
    case GL_CONTEXT_LOST:
      return "GL_CONTEXT_LOST";
    default:
      return "an unknown OpenGL error";
  }
}

/// Mesa's rasterizer asks for megabytes in every picture. Given back to the system each time, their pages are
/// cleared and mapped anew: a tenth of the time of a picture.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

}  // namespace

void load_gl(GlLoader loader) {
  const int version = gladLoadGL(loader);
  if (version == 0)
    throw Error("OpenGL could not be loaded: no context is current on this thread; make one first");
  if (version < GLAD_MAKE_VERSION(4, 5))
    throw Error(fmt::format("OpenGL 4.5 is needed, but {} ({}) offers {}: update the graphics driver",
                            text(GL_RENDERER), text(GL_VENDOR), text(GL_VERSION)));
  if (gl_info().software) keep_freed_memory();
}

GlInfo gl_info() {
  GlInfo info{text(GL_VENDOR), text(GL_RENDERER), text(GL_VERSION)};
  for (const std::string_view name : {"llvmpipe", "softpipe", "swrast", "SwiftShader"})
    info.software = info.software || info.renderer.find(name) != std::string::npos;
  GLfloat range[2] = {1, 1};
  glGetFloatv(GL_POINT_SIZE_RANGE, range);
  info.max_point_size = range[1];
  return info;
}

bool has_extension(std::string_view name) {
  GLint count = 0;
  glGetIntegerv(GL_NUM_EXTENSIONS, &count);
  for (GLint i = 0; i < count; ++i) {
    const GLubyte* found = glGetStringi(GL_EXTENSIONS, static_cast<GLuint>(i));
    if (found != nullptr && name == reinterpret_cast<const char*>(found)) return true;
  }
  return false;
}

bool wait_until_drawn(std::chrono::nanoseconds longest) {
  const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  const auto state = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT,
                                      static_cast<GLuint64>(std::max(longest.count(), 0L)));
  glDeleteSync(fence);
  return state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED;
}

void check_gl(const char* what) {
  const GLenum error = glGetError();
  if (error == GL_NO_ERROR) return;
  // A lost context reports its loss for ever: ask again a limited number of times.
  for (int i = 0; i < 8 && glGetError() != GL_NO_ERROR; ++i) {
  }
  throw Error(fmt::format("{} failed: {}", what, error_name(error)));
}

}  // namespace orrery::render
