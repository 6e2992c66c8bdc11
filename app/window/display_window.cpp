#include "app/window/display_window.h"

#include <GLFW/glfw3.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui_impl_glfw.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "app/gui/gui.h"
#include "render/context/gl.h"
#include "render/error.h"
#include "sim/core/removed_at_exit.h"

// glad first: GLFW must not bring its own OpenGL header.
namespace orrery::app {

namespace {

std::function<void()>& keeper() {
  static std::function<void()> keep;
  return keep;
}

/// Called by Xlib, which ends the program if this returns. Destructors would speak to the server.
int end_without_display(void* /*display*/) {
  fmt::print(stderr, "orrery: the display server has ended, and the window with it\n");
  if (const auto keep = std::exchange(keeper(), nullptr)) keep();
  sim::remove_files_in_the_making();
  std::fflush(stdout);
  ::_exit(1);
}

/// GLFW has loaded the library where it is used; with Wayland it is absent.
void set_handler(int (*handler)(void*)) {
  void* const library = ::dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return;
  using SetHandler = void* (*)(int (*)(void*));
  const auto set = reinterpret_cast<SetHandler>(::dlsym(library, "XSetIOErrorHandler"));
  if (set != nullptr) set(handler);
  ::dlclose(library);
}

/// Dear ImGui's own backend for GLFW. It chains the callbacks that are installed already.
class GlfwGuiInput : public GuiInput {
 public:
  /// `typed`: since the last frame, which the window's callbacks add.
  GlfwGuiInput(GLFWwindow* window, std::vector<Typed>& typed) : window_(window), typed_(typed) {
    ImGui_ImplGlfw_InitForOpenGL(window, true);
  }
  ~GlfwGuiInput() override { ImGui_ImplGlfw_Shutdown(); }

  void begin_frame() override {
    keys_.begin_frame(std::exchange(typed_, {}),
                      [this](int key) { return glfwGetKey(window_, key) == GLFW_PRESS; });
    ImGui_ImplGlfw_NewFrame();
  }

 private:
  GLFWwindow* window_;
  std::vector<Typed>& typed_;
  QuickKeys keys_;
};

std::string last_glfw_error() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "no reason given";
}

/// The key by what is printed on it: GLFW names keys by their place on an American keyboard, where others
/// have Z and Y the other way round, and plus elsewhere.
int printed_key(int key, int scancode) {
  if (key == GLFW_KEY_KP_ADD) return GLFW_KEY_EQUAL;
  if (key == GLFW_KEY_KP_SUBTRACT) return GLFW_KEY_MINUS;
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) return key - GLFW_KEY_KP_0 + GLFW_KEY_0;
  const char* name = key == GLFW_KEY_UNKNOWN ? nullptr : glfwGetKeyName(key, scancode);
  if (name == nullptr || name[0] == '\0' || name[1] != '\0') return key;
  if (name[0] >= 'a' && name[0] <= 'z') return name[0] - 'a' + GLFW_KEY_A;
  if (name[0] == '+') return GLFW_KEY_EQUAL;
  return name[0] == '-' ? GLFW_KEY_MINUS : key;
}

/// RFC 3629.
std::string utf8(unsigned letter) {
  const auto byte = [](unsigned bits) { return static_cast<char>(bits); };
  const auto tail = [&](unsigned shift) { return byte(0x80U | (letter >> shift & 0x3FU)); };
  if (letter < 0x80U) return {byte(letter)};
  if (letter < 0x800U) return {byte(0xC0U | letter >> 6U), tail(0)};
  if (letter < 0x10000U) return {byte(0xE0U | letter >> 12U), tail(6), tail(0)};
  return {byte(0xF0U | letter >> 18U), tail(12), tail(6), tail(0)};
}

/// The monitor on which most of the window lies.
GLFWmonitor* monitor_of(GLFWwindow* window) {
  glm::ivec2 low, size;
  glfwGetWindowPos(window, &low.x, &low.y);
  glfwGetWindowSize(window, &size.x, &size.y);
  int count = 0;
  auto** monitors = glfwGetMonitors(&count);
  GLFWmonitor* best = glfwGetPrimaryMonitor();
  int most = 0;
  for (int k = 0; k < count; ++k) {
    glm::ivec2 corner;
    glfwGetMonitorPos(monitors[k], &corner.x, &corner.y);
    const auto* mode = glfwGetVideoMode(monitors[k]);
    if (mode == nullptr) continue;
    const auto shared = glm::max(
        glm::min(low + size, corner + glm::ivec2(mode->width, mode->height)) - glm::max(low, corner), 0);
    if (shared.x * shared.y <= most) continue;
    most = shared.x * shared.y;
    best = monitors[k];
  }
  return best;
}

void start_glfw() {
  if (glfwInit() != GLFW_TRUE) {
    throw render::Error(fmt::format("cannot open a window: {}; use `orrery render` or --display headless",
                                    last_glfw_error()));
  }
}

GLFWwindow* make_window(glm::ivec2 size, const std::string& title, DisplayWindow::Look look,
                        int context_api) {
  glfwWindowHint(GLFW_CONTEXT_CREATION_API, context_api);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
#ifdef GLFW_WAYLAND_APP_ID
  // By which a desktop finds the menu entry and its icon.
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, "orrery");
#endif
  // Light is accumulated elsewhere; the window needs no depth, stencil or multisampling.
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_VISIBLE, look == DisplayWindow::Look::hidden ? GLFW_FALSE : GLFW_TRUE);
  GLFWmonitor* monitor = look == DisplayWindow::Look::fullscreen ? glfwGetPrimaryMonitor() : nullptr;
  if (monitor != nullptr) {
    const auto* mode = glfwGetVideoMode(monitor);
    size = {mode->width, mode->height};
  }
  return glfwCreateWindow(size.x, size.y, title.c_str(), monitor, nullptr);
}

/// By EGL where the display's own way (GLX on X11) has no OpenGL: some servers lack that extension.
GLFWwindow* make_window_somehow(glm::ivec2 size, const std::string& title, DisplayWindow::Look look,
                                std::string& why_not) {
  auto* window = make_window(size, title, look, GLFW_NATIVE_CONTEXT_API);
  if (window != nullptr) return window;
  why_not = last_glfw_error();
  return make_window(size, title, look, GLFW_EGL_CONTEXT_API);
}

}  // namespace

DisplayLoss::DisplayLoss(std::function<void()> keep) {
  keeper() = std::move(keep);
  set_handler(end_without_display);
}

DisplayLoss::~DisplayLoss() { keeper() = nullptr; }

bool DisplayWindow::available() {
  // Asking GLFW would need a terminate afterwards; without either variable it always fails.
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return false;
  return glfwInit() == GLFW_TRUE;
}

DisplayWindow::DisplayWindow(glm::ivec2 size, const std::string& title, Look look) {
  start_glfw();
  std::string why;
  handle_ = make_window_somehow(size, title, look, why);
  if (handle_ == nullptr) {
    glfwTerminate();
    throw render::Error(
        fmt::format("cannot open a window with OpenGL 4.5: {}; update the graphics driver, or use "
                    "`orrery render` for pictures without a window",
                    why));
  }
  glfwMakeContextCurrent(handle_);
  render::load_gl(glfwGetProcAddress);
  glfwSwapInterval(1);
  glfwSetWindowUserPointer(handle_, &received_);
  install_callbacks(handle_);
}

DisplayWindow::~DisplayWindow() {
  glfwDestroyWindow(handle_);
  glfwTerminate();
}

DisplayWindow::Received& DisplayWindow::received(GLFWwindow* handle) {
  return *static_cast<Received*>(glfwGetWindowUserPointer(handle));
}

void DisplayWindow::remember(GLFWwindow* handle, InputEvent event) {
  received(handle).events.push_back(std::move(event));
}

void DisplayWindow::install_callbacks(GLFWwindow* handle) {
  glfwSetKeyCallback(handle, [](GLFWwindow* w, int key, int scancode, int action, int modifiers) {
    if (action == GLFW_PRESS) received(w).typed.push_back({.key = key});
    remember(w, {.kind = InputEvent::Kind::key,
                 .code = printed_key(key, scancode),
                 .modifiers = modifiers,
                 .pressed = action != GLFW_RELEASE,
                 .repeated = action == GLFW_REPEAT});
  });
  glfwSetCharCallback(handle, [](GLFWwindow* w, unsigned letter) {
    received(w).typed.push_back({.letter = letter});
    remember(w, {.kind = InputEvent::Kind::text, .text = utf8(letter)});
  });
  glfwSetMouseButtonCallback(handle, [](GLFWwindow* w, int button, int action, int modifiers) {
    glm::dvec2 at;
    glfwGetCursorPos(w, &at.x, &at.y);
    remember(w, {.kind = InputEvent::Kind::mouse_button,
                 .code = button,
                 .modifiers = modifiers,
                 .pressed = action == GLFW_PRESS,
                 .position = at});
  });
  glfwSetScrollCallback(handle, [](GLFWwindow* w, double x, double y) {
    remember(w, {.kind = InputEvent::Kind::scroll, .position = {x, y}});
  });
  glfwSetCursorPosCallback(handle, [](GLFWwindow* w, double x, double y) {
    remember(w, {.kind = InputEvent::Kind::cursor, .position = {x, y}});
  });
  glfwSetDropCallback(handle, [](GLFWwindow* w, int count, const char** paths) {
    remember(w, {.kind = InputEvent::Kind::drop, .files = {paths, paths + count}});
  });
}

std::unique_ptr<GuiInput> DisplayWindow::make_gui_input() {
  return std::make_unique<GlfwGuiInput>(handle_, received_.typed);
}

glm::ivec2 DisplayWindow::framebuffer_size() const {
  glm::ivec2 size;
  glfwGetFramebufferSize(handle_, &size.x, &size.y);
  return size;
}

glm::ivec2 DisplayWindow::size() const {
  glm::ivec2 size;
  glfwGetWindowSize(handle_, &size.x, &size.y);
  return size;
}

std::optional<glm::ivec2> DisplayWindow::windowed_size() const {
  const bool fills_screen = glfwGetWindowMonitor(handle_) != nullptr && windowed_.z > 0;
  return fills_screen ? glm::ivec2(windowed_.z, windowed_.w) : size();
}

float DisplayWindow::content_scale() const {
  float x = 1.0F;
  float y = 1.0F;
  glfwGetWindowContentScale(handle_, &x, &y);
  // Where window units are larger than pixels (Wayland), they have done part of the scaling already.
  const auto pixels = static_cast<float>(std::max(framebuffer_size().x, 1));
  const auto units = static_cast<float>(std::max(size().x, 1));
  return std::clamp(std::max(x, y) * units / pixels, 0.5F, 4.0F);
}

bool DisplayWindow::closing() const { return glfwWindowShouldClose(handle_) == GLFW_TRUE; }

void DisplayWindow::set_title(const std::string& title) { glfwSetWindowTitle(handle_, title.c_str()); }

void DisplayWindow::close() { glfwSetWindowShouldClose(handle_, GLFW_TRUE); }

void DisplayWindow::toggle_fullscreen() {
  if (glfwGetWindowMonitor(handle_) != nullptr) {
    glfwSetWindowMonitor(handle_, nullptr, windowed_.x, windowed_.y, windowed_.z, windowed_.w, 0);
    return;
  }
  auto* monitor = monitor_of(handle_);
  const auto* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  if (mode == nullptr) return;
  glfwGetWindowPos(handle_, &windowed_.x, &windowed_.y);
  glfwGetWindowSize(handle_, &windowed_.z, &windowed_.w);
  glfwSetWindowMonitor(handle_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

bool DisplayWindow::key_down(int key) const { return glfwGetKey(handle_, key) == GLFW_PRESS; }

glm::dvec2 DisplayWindow::cursor() const {
  glm::dvec2 at;
  glfwGetCursorPos(handle_, &at.x, &at.y);
  return at;
}

std::string DisplayWindow::clipboard() const {
  const char* text = glfwGetClipboardString(handle_);
  return text != nullptr ? text : "";
}

void DisplayWindow::set_clipboard(const std::string& text) { glfwSetClipboardString(handle_, text.c_str()); }

std::vector<InputEvent> DisplayWindow::poll(double seconds) {
  if (seconds > 0.0) {
    glfwWaitEventsTimeout(seconds);
  } else {
    glfwPollEvents();
  }
  return std::exchange(received_.events, {});
}

void DisplayWindow::swap() { glfwSwapBuffers(handle_); }

}  // namespace orrery::app
