#pragma once

namespace orrery::app {

/// Feeds Dear ImGui with the input of a window, and the window with the cursor shape that Dear ImGui asks
/// for. It lives as long as the ImGui context that was current when it was made.
class GuiInput {
 public:
  GuiInput() = default;
  GuiInput(const GuiInput&) = delete;
  GuiInput& operator=(const GuiInput&) = delete;
  virtual ~GuiInput() = default;

  /// Called once a frame with the context current, before ImGui::NewFrame. Sets the time since the last
  /// frame; Gui sets the display's size afterwards.
  virtual void begin_frame() = 0;
};

}  // namespace orrery::app
