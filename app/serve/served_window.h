#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <set>

#include "app/serve/audience.h"
#include "app/serve/broadcaster.h"
#include "app/serve/desk.h"
#include "app/serve/panel_capture.h"
#include "app/serve/served_gui_input.h"
#include "app/window/window.h"
#include "render/context/frame_ring.h"
#include "render/context/headless_context.h"
#include "render/context/target.h"

namespace orrery::app::serve {

/// A window without a display: drawn through EGL, shown and driven by browsers. Its pictures are read back
/// through a ring and never waited for.
class ServedWindow : public Window, public GuiInputHost {
 public:
  /// All three must outlive the window. Throws render::Error without OpenGL 4.5.
  ServedWindow(Audience& audience, Broadcaster& broadcaster, Desk& desk, glm::ivec2 size);
  ~ServedWindow() override;

  std::unique_ptr<GuiInput> make_gui_input() override;
  unsigned framebuffer() const override { return target_->framebuffer(); }
  /// Zero while nobody looks. Without a GPU one pixel of a page, not of its display: the panel is sharp all
  /// the same.
  glm::ivec2 framebuffer_size() const override;
  glm::ivec2 size() const override { return size_; }
  std::optional<glm::ivec2> windowed_size() const override { return std::nullopt; }
  float content_scale() const override;
  bool has_fingers() const override { return fingers_; }
  bool closing() const override { return closing_; }
  void close() override { closing_ = true; }
  bool is_served() const override { return true; }
  void leave() override;
  void set_title(const std::string& title) override;
  void toggle_fullscreen() override;
  bool key_down(int key) const override { return keys_.contains(key); }
  glm::dvec2 cursor() const override { return cursor_; }
  std::string clipboard() const override { return clipboard_; }
  void set_clipboard(const std::string& text) override;
  /// Only notes it where browsers draw it themselves, and leaves out what nobody wants.
  void draw(const Gui& gui) override;
  std::vector<InputEvent> poll(double seconds) override;
  void swap() override;

 private:
  void attach(ServedGuiInput* input) override { gui_input_ = input; }
  const char* clipboard_text() const override { return clipboard_.c_str(); }
  void show_cursor(int shape, bool typing) override;
  void resize_if_due();
  void make_surface(glm::ivec2 size);
  void rest_or_resume();
  glm::ivec2 pixels_of(glm::ivec2 size) const;
  void pass_on_pictures();
  void blacken_below_panel() const;
  void take(const ClientMessage& message, std::vector<InputEvent>& events);
  void add(InputEvent event, std::vector<InputEvent>& events);
  void press(const ClientMessage& message, std::vector<InputEvent>& events);
  void move_pointer(glm::dvec2 to, std::vector<InputEvent>& events);
  void take_button(const ClientMessage& message, std::vector<InputEvent>& events);
  void take_move(const ClientMessage& message, std::vector<InputEvent>& events);
  double slop() const;
  void release_all(std::vector<InputEvent>& events);

  Audience& audience_;
  Broadcaster& broadcaster_;
  Desk& desk_;
  render::HeadlessContext context_;
  glm::ivec2 size_;
  float ratio_ = 1.0F;
  std::optional<CanvasSize> asked_;  ///< the newest size that was asked for, until it is taken
  std::chrono::steady_clock::time_point resized_{};
  bool fingers_ = false;   ///< the browser that drives has a touch screen
  bool software_ = false;  ///< the CPU draws
  std::unique_ptr<render::PictureTarget> target_;
  std::unique_ptr<render::FrameRing> ring_;
  bool sends_ = false;  ///< this frame is wanted
  std::chrono::steady_clock::time_point watched_ = std::chrono::steady_clock::now();  ///< somebody was there
  bool resting_ = false;     ///< nobody is there: the surface is small
  bool other_size_ = false;  ///< no frame was drawn since the surface was made
  PanelCapture capture_;
  std::shared_ptr<const PanelLists> panel_;  ///< of this frame; null: it is in the picture
  /// The panels of pictures on their way from the GPU, oldest first.
  std::deque<std::shared_ptr<const PanelLists>> panels_under_way_;
  ServedGuiInput* gui_input_ = nullptr;
  PanelFinger finger_;
  bool closing_ = false;
  std::set<int> keys_;     ///< GLFW keys that are down
  std::set<int> buttons_;  ///< mouse buttons that are down
  glm::dvec2 cursor_{0};
  std::string clipboard_;
  std::string title_;
  int shape_ = 0;
  bool typing_ = false;
  std::uint64_t told_ = 0;  ///< Audience::arrivals when title and pointer were sent last
};

}  // namespace orrery::app::serve
