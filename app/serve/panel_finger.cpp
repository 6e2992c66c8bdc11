#include "app/serve/panel_finger.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <cmath>
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

}  // namespace orrery::app::serve
