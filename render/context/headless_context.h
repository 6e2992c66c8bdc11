#pragma once

#include <memory>
#include <string>

namespace orrery::render {

/// An OpenGL 4.5 core context without a window or a display server, made through EGL.
///
/// libEGL is opened at run time, so a program that never makes a HeadlessContext starts without it. Tried in
/// this order: EGL devices that belong to a CUDA device (NVIDIA), Mesa's surfaceless platform, any other EGL
/// device. There is no default framebuffer: draw into framebuffer objects.
class HeadlessContext {
 public:
  /// Makes the context and makes it current on this thread; call load_gl(loader()) next. `debug` asks for a
  /// debug context. Throws Error with cause and remedy if no device gives OpenGL 4.5.
  explicit HeadlessContext(bool debug = false);
  /// Releases the context; everything of render/ that lives in it must be destroyed before.
  ~HeadlessContext();
  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;

  /// Makes the context current on the calling thread (on one thread at a time). Throws Error on failure.
  void make_current();
  /// Makes no context current on the calling thread, so that another thread can take this one.
  void release_current();
  /// The origin of the context, for the panel and for reports: "EGL device 0 (CUDA device 0)".
  const std::string& description() const;
  /// The function loader to hand to load_gl. Valid as long as any HeadlessContext lives.
  using Function = void (*)();
  static Function loader(const char* name);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery::render
