#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/context/gl.h"

namespace orrery::render::test {

inline const char* message_type(GLenum type) {
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

inline MessageLog& message_log() {
  static MessageLog log;
  return log;
}

inline void GLAPIENTRY collect_message(GLenum /*source*/, GLenum type, GLuint /*id*/, GLenum severity,
                                       GLsizei length, const GLchar* message, const void* /*user*/) {
  if (severity == GL_DEBUG_SEVERITY_NOTIFICATION) return;
  constexpr std::size_t most_messages = 1000;
  const std::string_view words =
      length < 0 ? std::string_view(message) : std::string_view(message, static_cast<std::size_t>(length));
  MessageLog& log = message_log();
  const std::lock_guard<std::mutex> lock(log.mutex);
  if (log.messages.size() < most_messages)
    log.messages.push_back(std::string(message_type(type)) + ": " + std::string(words));
}

/// From now on the messages of the current context (errors, undefined behaviour, performance warnings;
/// notifications are dropped) are collected. Complete only in a context made with its debug flag.
inline void enable_debug_output() {
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageCallback(collect_message, nullptr);
}

/// The messages collected since the last call, oldest first; empties the collection (at most 1000 are kept).
inline std::vector<std::string> take_debug_messages() {
  MessageLog& log = message_log();
  const std::lock_guard<std::mutex> lock(log.mutex);
  return std::exchange(log.messages, {});
}

}  // namespace orrery::render::test
