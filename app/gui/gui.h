#pragma once

#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <memory>

#include "app/gui/theme.h"

struct ImFont;
struct ImGuiContext;

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

/// The scale of what an audience reads, for a display of so many units: 1 at 1920 x 1080.
float hall_scale(glm::vec2 size);

/// True for windows of which a panel of the usual width takes 60 % of the width.
bool is_narrow(glm::vec2 window, float scale);
/// True for windows of which the whole header takes a third of the height.
bool is_low(glm::vec2 window, float scale);

/// Dear ImGui with its OpenGL backend: for the window, or for a picture without one.
///
/// Needs a current OpenGL context, for its whole life. Several may exist; `frame` makes its own the current
/// one.
class Gui {
 public:
  /// Creates a GUI for pictures: no input, no settings file. `scale` enlarges text and widgets.
  explicit Gui(float scale, Theme theme = Theme::dark);
  /// Creates a GUI for a window. `make_input` is called with the new context current.
  using MakeInput = std::function<std::unique_ptr<GuiInput>()>;
  Gui(const MakeInput& make_input, float scale, Theme theme);
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;
  ~Gui();

  /// Runs `build` between NewFrame and Render, for a display of `size` units with `pixels` pixels.
  void frame(glm::vec2 size, glm::ivec2 pixels, const std::function<void()>& build);
  /// Draws the last frame over `framebuffer`.
  void draw(unsigned framebuffer) const;
  float scale() const { return scale_; }
  Theme theme() const { return theme_; }
  /// Sets sizes and colours from the next frame on. Do not call within `frame`. Costs nothing if nothing
  /// changes.
  void restyle(float scale, Theme theme, Pointing pointing = Pointing::mouse);
  /// The font of headline numbers in the current context, for use between PushFont and PopFont.
  static ImFont* large_font();
  /// The font of text for an audience, half as large again.
  static ImFont* huge_font();
  /// Fonts for texts that are read from the last row of a hall, whatever the interface's scale: from the next
  /// frame on, for a display of so many units; {0, 0}: none. Call it outside of `frame`; costs nothing if the
  /// letters stay as large.
  void set_hall(glm::vec2 size);
  /// The first line of a caption: 44 units high on a display of 1920 x 1080, and scaled with it. Without a
  /// hall the huge font.
  static ImFont* caption_font();
  /// The font below the caption and in charts: 28 units. Without a hall the large font.
  static ImFont* hall_font();
  /// Factors on a closing slide: 96 units. Without a hall the huge font.
  static ImFont* factor_font();
  /// Counts how often the font texture was rebuilt: a new number means a new texture.
  std::uint64_t letters() const { return letters_; }
  /// Makes this context the one that ImGui:: calls mean.
  void make_current() const;

 private:
  void set_up();
  void set_fonts() const;
  void renew_fonts();

  ImGuiContext* context_ = nullptr;
  std::unique_ptr<GuiInput> input_;  ///< empty: for pictures
  float scale_ = 1.0F;
  std::uint64_t letters_ = 0;
  float hall_ = 0.0F;  ///< scale of the fonts for a hall; 0: there are none
  Theme theme_ = Theme::dark;
  Pointing pointing_ = Pointing::mouse;
};

}  // namespace orrery::app
