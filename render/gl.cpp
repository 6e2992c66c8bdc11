#include "render/gl.h"

#include <fmt/format.h>

#include <mutex>
#include <string_view>
#include <utility>

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

const char* message_type(GLenum type) {
  switch (type) {
    case GL_DEBUG_TYPE_ERROR:
      return "error";
    case GL_DEBUG_TYPE_DEPRECATED_BEHAVIOR:
      return "deprecated";
    case GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR:
      return "undefined behaviour";
    case GL_DEBUG_TYPE_PORTABILITY:
      return "portability";
    case GL_DEBUG_TYPE_PERFORMANCE:
      return "performance";
    default:
      return "other";
  }
}

/// Drivers may report from threads of their own.
struct MessageLog {
  std::mutex mutex;
  std::vector<std::string> messages;
};

MessageLog& message_log() {
  static MessageLog log;
  return log;
}

void GLAPIENTRY collect_message(GLenum /*source*/, GLenum type, GLuint /*id*/, GLenum severity,
                                GLsizei length, const GLchar* message, const void* /*user*/) {
  if (severity == GL_DEBUG_SEVERITY_NOTIFICATION) return;
  constexpr std::size_t most_messages = 1000;
  const std::string_view words =
      length < 0 ? std::string_view(message) : std::string_view(message, static_cast<std::size_t>(length));
  MessageLog& log = message_log();
  const std::lock_guard<std::mutex> lock(log.mutex);
  if (log.messages.size() < most_messages)
    log.messages.push_back(fmt::format("{}: {}", message_type(type), words));
}

}  // namespace

void load_gl(GlLoader loader) {
  const int version = gladLoadGL(loader);
  if (version == 0)
    throw Error("OpenGL could not be loaded: no context is current on this thread; make one first");
  if (version < GLAD_MAKE_VERSION(4, 5))
    throw Error(fmt::format("OpenGL 4.5 is needed, but {} ({}) offers {}: update the graphics driver",
                            text(GL_RENDERER), text(GL_VENDOR), text(GL_VERSION)));
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

void check_gl(const char* what) {
  const GLenum error = glGetError();
  if (error == GL_NO_ERROR) return;
  // A lost context reports its loss for ever: ask again a limited number of times.
  for (int i = 0; i < 8 && glGetError() != GL_NO_ERROR; ++i) {
  }
  throw Error(fmt::format("{} failed: {}", what, error_name(error)));
}

void enable_debug_output() {
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageCallback(collect_message, nullptr);
}

std::vector<std::string> take_debug_messages() {
  MessageLog& log = message_log();
  const std::lock_guard<std::mutex> lock(log.mutex);
  return std::exchange(log.messages, {});
}

}  // namespace orrery::render
