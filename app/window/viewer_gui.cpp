#include "app/window/viewer.h"

#include <utility>

#include "app/window/commands.h"
#include "app/window/demo_overlay.h"
#include "app/window/overlay.h"
#include "app/window/switch_banner.h"

// Bodies, panels and messages of one frame.
namespace orrery::app {

namespace {

constexpr std::chrono::milliseconds title_interval{400};

}  // namespace

/// Draws the texts over the bodies, in a picture whose left the panel covers by a part of the width.
void Viewer::draw_texts(OverlayPainter& overlay, double covered, unsigned framebuffer, glm::ivec2 size) {
  if (!session_.has_dataset()) return;
  overlay.draw(session_.picture(covered), session_.legend(), framebuffer, size,
               static_cast<float>(covered * size.x));
}

void Viewer::draw_scene(glm::ivec2 pixels) {
  const bool drawn = scene_.show(session_, painter_, scene_shift(), pixels);
  times_.smaller = scene_.smaller();
  draw_texts(overlay_, scene_shift(), 0, pixels);
  if (!drawn) return;
  times_.drawn_by = painter_.drawn_by();
  last_change_ = Clock::now();
}

PanelContext Viewer::panel_context(float scale, PanelLayout& layout) {
  film_desk_.status = recorder_.status();
  film_desk_.plays = director_.plays();
  return {.session = session_,
          .laboratory = laboratory_,
          .switching = switching_,
          .loader = loader_,
          .widgets = widgets_,
          .times = times_,
          .playlist = playlist_.all(),
          .timeline = timeline_,
          .series = series_choice_,
          .layout = layout,
          .dataset = dataset_choice_,
          .film = film_desk_,
          .recent = settings_.recent,
          .scale = scale,
          .open = [this](const lab::DatasetRequest& request) { open(request); },
          .take_screenshot = [this](bool with_panel) { take_screenshot(with_panel); },
          .fit_camera = [this] { fit_camera(); },
          .frame_galaxy = [this] { frame_galaxy(); },
          .write_trace = [this](const sim::Timeline& timeline) { write_timeline(timeline); },
          .start_series = [this] { start_series(); },
          .save_accuracy_speed = [this] { save_accuracy_speed(); },
          .record = [this] { toggle_recording(); },
          .recording = recorder_.records(),
          .browse = [this] { browse(); },
          .command = [this](std::string_view name) { run_command(*this, name); }};
}

/// With the panel where there is a layout for it.
float Viewer::draw_overlay(float scale, PanelLayout* layout) {
  float panel_width = 0.0F;
  if (layout != nullptr) {
    auto context = panel_context(scale, *layout);
    panel_width = draw_panels(context);
  }
  return plots_.draw(settings_.panel.plots, panel_width, scale, widgets_);
}

void Viewer::build_gui() {
  // The panel that shows them says so.
  session_.timeline_wanted = false;
  panel_width_ = draw_overlay(gui_.scale(), settings_.panel_visible ? &settings_.panel : nullptr);
  // The first dataset can be there before the first frame, when the panel's width was not known yet.
  if (!std::exchange(panel_measured_, true) && !session_.dataset().state) start_camera(false);
  if (const auto saving = plots_.take_saving()) save_plot(*saving);
  if (settings_.help_visible) draw_help(gui_.scale(), settings_.help_visible, widgets_);
  draw_messages();
}

/// Draws the messages over the picture, which are not part of it.
void Viewer::draw_messages() {
  if (draw_physics_banner(panel_width_, laboratory_.ladder.loan(), widgets_))
    laboratory_.ladder.restore_physics(session_, laboratory_.experiment);
  draw_headlines();
  closer_.draw(session_, panel_width_, scene_shift(), gui_.scale(), widgets_);
  toasts_.expire(Clock::now());
  toasts_.draw(panel_width_, gui_.scale(), widgets_);
  const bool waiting = loader_.busy() && !session_.has_dataset();
  draw_notice(panel_width_, gui_.scale(), waiting ? &loader_ : nullptr, problem_, widgets_);
  if (!session_.has_dataset() && !loader_.busy() && problem_.empty() && !asked_look_ && !gallery_.is_open() &&
      draw_hint(panel_width_, widgets_))
    toggle_gallery();
  const auto& shown = session_.dataset().request;
  if (const auto chosen = gallery_.draw(panel_width_, gui_.scale(), shown, widgets_)) open(*chosen);
  if (session_.has_dataset() && session_.paused && !session_.replay_target())
    draw_paused(panel_width_, gui_.scale(), widgets_);
  if (recorder_.busy()) draw_film_mark(gui_.scale(), recorder_.status(), widgets_);
  chooser_.draw(panel_width_, gui_.scale(), widgets_);
}

/// Rates and switches.
void Viewer::draw_headlines() {
  if (!session_.has_dataset()) return;
  const float scale = gui_.scale();
  const bool hidden = !settings_.panel_visible;
  if (hidden) draw_heads_up(scale, headline_of(session_, switching_.watch()), widgets_);
  const bool lent = laboratory_.ladder.loan().active();
  draw_demo(panel_width_, scale, demo_, true, widgets_);
  draw_switch_banner(panel_width_, (lent || hidden ? 64.0F : 20.0F) * scale, scale, switching_,
                     session_.paused, widgets_);
}

/// A few times a second: window managers draw it anew.
void Viewer::show_title() {
  if (!session_.has_dataset() || Clock::now() < next_title_) return;
  next_title_ = Clock::now() + title_interval;
  auto title = window_title(headline_of(session_, switching_.watch()), session_.scene().title);
  if (title == title_) return;
  title_ = std::move(title);
  window_.set_title(title_);
}

/// Those that say most of a galaxy.
void Viewer::toggle_plots() {
  auto& shown = settings_.panel.plots;
  if (shown.empty())
    shown = {"rotation-curve", "surface-density", "lagrange-radii"};
  else
    shown.clear();
}

}  // namespace orrery::app
