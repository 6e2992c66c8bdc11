#include "app/window/quick_keys.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

namespace orrery::app {

#if IMGUI_VERSION_NUM < 18700

namespace {

/// These change what other keys mean: a letter that is typed after them must not be taken for a command.
bool is_modifier(int key) { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; }

bool counts(const Typed& each) {
  return each.key >= 0 && each.key < IM_ARRAYSIZE(ImGui::GetIO().KeysDown) && !is_modifier(each.key);
}

/// Enter, Tab, arrows, ...: a field of text obeys them after the letters of a frame.
bool acts(int key) { return key >= GLFW_KEY_ESCAPE && (key < GLFW_KEY_KP_0 || key == GLFW_KEY_KP_ENTER); }

}  // namespace

/// False if it was down in the last frame: it must be seen up first.
bool QuickKeys::press(int key) {
  auto& io = ImGui::GetIO();
  io.KeysDown[key] = io.KeysDownDuration[key] < 0.0F;
  if (!io.KeysDown[key]) return false;
  held_.push_back(key);
  return true;
}

void QuickKeys::begin_frame(const std::vector<Typed>& typed, const std::function<bool(int)>& is_down) {
  auto& io = ImGui::GetIO();
  const auto is_held = [&](int key) { return std::ranges::find(held_, key) != held_.end(); };
  for (const int key : std::exchange(held_, {}))
    if (!is_down(key)) io.KeysDown[key] = false;
  waiting_.insert(waiting_.end(), typed.begin(), typed.end());
  // The backend has added them already.
  io.ClearInputCharacters();
  auto next = waiting_.begin();
  for (bool goes_on = true; goes_on && next != waiting_.end(); ++next) {
    if (next->letter != 0) io.AddInputCharacter(next->letter);
    if (!counts(*next)) continue;
    // Letters are what a field of text looks at.
    if (is_held(next->key) && !io.WantTextInput) break;
    if (!press(next->key)) break;
    goes_on = !acts(next->key);
  }
  waiting_.erase(waiting_.begin(), next);
  for (const auto& each : waiting_)
    if (counts(each)) io.KeysDown[each.key] = is_held(each.key);
}

#else

bool QuickKeys::press(int /*key*/) { return true; }
void QuickKeys::begin_frame(const std::vector<Typed>& /*typed*/,
                            const std::function<bool(int)>& /*is_down*/) {}

#endif

}  // namespace orrery::app
