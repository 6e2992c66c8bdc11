#include "app/serve/served_gui_input.h"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "app/gui/chooser.h"

namespace orrery::app::serve {

namespace {

/// The window that the mouse would be over at this place. Null over the picture.
ImGuiWindow* window_at(glm::dvec2 at) {
  auto& windows = ImGui::GetCurrentContext()->Windows;
  const ImVec2 place{static_cast<float>(at.x), static_cast<float>(at.y)};
  // The last one lies over all others.
  for (int k = windows.Size - 1; k >= 0; --k) {
    auto* window = windows[k];
    if (!window->Active || window->Hidden || (window->Flags & ImGuiWindowFlags_NoMouseInputs) != 0) continue;
    if (window->OuterRectClipped.Contains(place)) return window;
  }
  return nullptr;
}

/// It, or the window that holds it and has more than it shows. Null: all of it shows.
ImGuiWindow* scrolling(ImGuiWindow* window) {
  while (window != nullptr && window->ScrollMax.y <= 0.0F)
    window = (window->Flags & ImGuiWindowFlags_ChildWindow) != 0 ? window->ParentWindow : nullptr;
  return window;
}

}  // namespace

bool PanelFinger::begin(glm::dvec2 at) {
  state_ = window_at(at) != nullptr ? State::waits : State::away;
  start_ = last_ = at;
  return is_down();
}

PanelFinger::Act PanelFinger::move(glm::dvec2 at, double slop) {
  if (state_ == State::scrolls) return scroll(at);
  if (state_ == State::turns) return turn(at);
  const auto way = at - start_;
  return std::hypot(way.x, way.y) < slop ? Act::none : decide(way);
}

PanelFinger::Act PanelFinger::decide(glm::dvec2 way) {
  auto* window = window_at(start_);
  auto* moves = scrolling(window);
  const bool upright = std::abs(way.y) > std::abs(way.x);
  if (upright && moves != nullptr) {
    state_ = State::scrolls;
    window_ = moves->ID;
    scroll_at_start_ = moves->Scroll.y;
    return scroll(start_ + way);
  }
  if (upright && window != nullptr && window == ImGui::FindWindowByName(chooser_window)) {
    state_ = State::turns;
    return turn(start_ + way);
  }
  state_ = State::away;
  return Act::slide;
}

PanelFinger::Act PanelFinger::scroll(glm::dvec2 at) {
  auto* window = ImGui::FindWindowByID(window_);
  if (window == nullptr) return Act::none;
  ImGui::SetScrollY(window, scroll_at_start_ - static_cast<float>(at.y - start_.y));
  return Act::scroll;
}

/// A notch for each row that the finger passed.
PanelFinger::Act PanelFinger::turn(glm::dvec2 at) {
  const double row = ImGui::GetFrameHeightWithSpacing();
  notches_ = static_cast<int>((at.y - last_.y) / row);
  last_.y += notches_ * row;
  return notches_ != 0 ? Act::wheel : Act::none;
}

bool PanelFinger::end(glm::dvec2 at, double slop) {
  const auto way = at - start_;
  return std::exchange(state_, State::away) == State::waits && std::hypot(way.x, way.y) < slop;
}

namespace {

/// Keys that mean something in a widget of Dear ImGui.
constexpr std::array known_keys{std::pair{ImGuiKey_Tab, GLFW_KEY_TAB},
                                std::pair{ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
                                std::pair{ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
                                std::pair{ImGuiKey_UpArrow, GLFW_KEY_UP},
                                std::pair{ImGuiKey_DownArrow, GLFW_KEY_DOWN},
                                std::pair{ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
                                std::pair{ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
                                std::pair{ImGuiKey_Home, GLFW_KEY_HOME},
                                std::pair{ImGuiKey_End, GLFW_KEY_END},
                                std::pair{ImGuiKey_Insert, GLFW_KEY_INSERT},
                                std::pair{ImGuiKey_Delete, GLFW_KEY_DELETE},
                                std::pair{ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
                                std::pair{ImGuiKey_Space, GLFW_KEY_SPACE},
                                std::pair{ImGuiKey_Enter, GLFW_KEY_ENTER},
                                std::pair{ImGuiKey_Escape, GLFW_KEY_ESCAPE},
                                std::pair{ImGuiKey_A, GLFW_KEY_A},
                                std::pair{ImGuiKey_C, GLFW_KEY_C},
                                std::pair{ImGuiKey_V, GLFW_KEY_V},
                                std::pair{ImGuiKey_X, GLFW_KEY_X},
                                std::pair{ImGuiKey_Y, GLFW_KEY_Y},
                                std::pair{ImGuiKey_Z, GLFW_KEY_Z}};

GuiInputHost& window_of(void* user) { return *static_cast<GuiInputHost*>(user); }

#if IMGUI_VERSION_NUM < 18700

void map_keys(ImGuiIO& io) {
  for (const auto& [key, code] : known_keys) io.KeyMap[key] = code;
  io.KeyMap[ImGuiKey_KeyPadEnter] = GLFW_KEY_KP_ENTER;
}

void set_key(ImGuiIO& io, int code, bool down) {
  if (code >= 0 && code < IM_ARRAYSIZE(io.KeysDown)) io.KeysDown[code] = down;
}

void set_modifiers(ImGuiIO& io, int modifiers) {
  io.KeyCtrl = (modifiers & GLFW_MOD_CONTROL) != 0;
  io.KeyShift = (modifiers & GLFW_MOD_SHIFT) != 0;
  io.KeyAlt = (modifiers & GLFW_MOD_ALT) != 0;
  io.KeySuper = (modifiers & GLFW_MOD_SUPER) != 0;
}

bool is_down(const ImGuiIO& io, int code) {
  return code >= 0 && code < IM_ARRAYSIZE(io.KeysDown) && io.KeysDown[code];
}

#else

void map_keys(ImGuiIO& /*io*/) {}

ImGuiKey key_of(int code) {
  if (code == GLFW_KEY_KP_ENTER) return ImGuiKey_KeypadEnter;
  const auto found = std::ranges::find(known_keys, code, [](const auto& each) { return each.second; });
  return found == known_keys.end() ? ImGuiKey_None : found->first;
}

void set_key(ImGuiIO& io, int code, bool down) {
  if (const auto key = key_of(code); key != ImGuiKey_None) io.AddKeyEvent(key, down);
}

void set_modifiers(ImGuiIO& io, int modifiers) {
  io.AddKeyEvent(ImGuiMod_Ctrl, (modifiers & GLFW_MOD_CONTROL) != 0);
  io.AddKeyEvent(ImGuiMod_Shift, (modifiers & GLFW_MOD_SHIFT) != 0);
  io.AddKeyEvent(ImGuiMod_Alt, (modifiers & GLFW_MOD_ALT) != 0);
  io.AddKeyEvent(ImGuiMod_Super, (modifiers & GLFW_MOD_SUPER) != 0);
}

bool is_down(const ImGuiIO& /*io*/, int code) {
  const auto key = key_of(code);
  return key != ImGuiKey_None && ImGui::IsKeyDown(key);
}

#endif

}  // namespace

ServedGuiInput::ServedGuiInput(GuiInputHost& window) : window_(window) {
  auto& io = ImGui::GetIO();
  io.BackendPlatformName = "orrery-serve";
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  map_keys(io);
  io.ClipboardUserData = &window;
  io.GetClipboardTextFn = [](void* user) { return window_of(user).clipboard_text(); };
  io.SetClipboardTextFn = [](void* user, const char* text) { window_of(user).set_clipboard(text); };
  window_.attach(this);
}

ServedGuiInput::~ServedGuiInput() {
  window_.attach(nullptr);
  auto& io = ImGui::GetIO();
  io.BackendPlatformName = nullptr;
  io.ClipboardUserData = nullptr;
}

void ServedGuiInput::release_all() {
  events_.clear();
  auto& io = ImGui::GetIO();
  for (auto& down : io.MouseDown) down = false;
  for (const auto& [key, code] : known_keys) set_key(io, code, false);
  set_modifiers(io, 0);
}

/// False if what follows belongs to the next frame.
bool ServedGuiInput::apply(const InputEvent& event) {
  using Kind = InputEvent::Kind;
  auto& io = ImGui::GetIO();
  switch (event.kind) {
    case Kind::cursor:
      io.MousePos = {static_cast<float>(event.position.x), static_cast<float>(event.position.y)};
      return true;
    case Kind::mouse_button:
      io.MousePos = {static_cast<float>(event.position.x), static_cast<float>(event.position.y)};
      set_modifiers(io, event.modifiers);
      io.MouseDown[std::clamp(event.code, 0, 4)] = event.pressed;
      return false;
    case Kind::scroll:
      io.MouseWheelH += static_cast<float>(event.position.x);
      io.MouseWheel += static_cast<float>(event.position.y);
      return true;
    case Kind::text:
      io.AddInputCharactersUTF8(event.text.c_str());
      return true;
    case Kind::key: {
      set_modifiers(io, event.modifiers);
      set_key(io, event.code, event.pressed);
      return true;
    }
    default:
      return true;
  }
}

void ServedGuiInput::begin_frame() {
  const auto now = std::chrono::steady_clock::now();
  auto& io = ImGui::GetIO();
  io.DeltaTime = std::max(std::chrono::duration<float>(now - std::exchange(last_, now)).count(), 1e-4F);
  std::set<int> changed;  // keys in this frame
  bool goes_on = true;
  while (goes_on && !events_.empty()) {
    const auto& next = events_.front();
    const bool changes = next.kind == InputEvent::Kind::key && is_down(io, next.code) != next.pressed;
    if (changes && !changed.insert(next.code).second) break;
    goes_on = apply(next);
    events_.pop_front();
  }
  window_.show_cursor(ImGui::GetMouseCursor(), io.WantTextInput);
}

}  // namespace orrery::app::serve
