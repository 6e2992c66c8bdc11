#include "app/window/viewer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/shown_text.h"
#include "app/window/demo_overlay.h"
#include "app/window/demo_slide.h"
#include "app/window/file_facts.h"
#include "app/window/overlay.h"
#include "app/window/question.h"
#include "app/window/switch_banner.h"

// Panels and messages of one frame.
namespace orrery::app {

namespace {

constexpr std::chrono::milliseconds title_interval{400};

/// "0.35 kpc a second": the camera's way in a second of the clock, which is as long as it is far from what it
/// looks at.
std::string flying_speed(const Session& session) {
  const double way = session.camera.distance;
  const auto units = session.look().overlay.units(session.scene().units);
  const auto unit = sim::length_measure(way, units);
  const double factor = unit.name.empty() ? 1.0 : unit.factor;
  return fmt::format("{:.3g}{}{} a second", factor * way, unit.name.empty() ? "" : " ", unit.name);
}

}  // namespace

PanelContext Viewer::panel_context(float scale, PanelLayout& layout) {
  return {.session = session_,
          .laboratory = laboratory_,
          .switching = switching_,
          .loader = datasets_.loader(),
          .widgets = widgets_,
          .times = times_,
          .playlist = datasets_.playlist().all(),
          .timeline = timeline_,
          .series = files_.series,
          .layout = layout,
          .dataset = dataset_choice_,
          .film = {films_.choice, films_.status(), camera_.plays()},
          .scale = scale,
          .small = settings_.small_window,
          .actions = *this};
}

/// With the panel where there is a layout for it.
float Viewer::draw_overlay(float scale, PanelLayout* layout) {
  float panel_width = 0.0F;
  if (layout != nullptr) {
    auto context = panel_context(scale, *layout);
    panel_width = draw_panels(context);
  }
  const bool small = settings_.small_window;
  // There the panel is over the plots, or its button above them.
  if (small && layout != nullptr && panel_width <= 0.0F) return 0.0F;
  const float top = (small && layout == nullptr ? panel_button_reach : 10.0F) * scale;
  return plots_.draw(settings_.panel.plots, panel_width, top, scale, widgets_);
}

void Viewer::build_gui() {
  // The panel that shows them says so.
  session_.timeline_wanted = false;
  const float panel = draw_overlay(gui_.scale(), settings_.panel_shows() ? &settings_.panel : nullptr);
  camera_.set_covered(std::max(panel, demo_covers(demo_.run(), glm::vec2(window_.size()))));
  camera_.fit_when_turned();
  // The first dataset can be there before the first frame, when the panel's width was not known yet.
  if (!std::exchange(panel_measured_, true) && !session_.dataset().state) camera_.start(false);
  if (const auto saving = plots_.take_saving()) files_.save_plot(*saving, plots_.log());
  if (settings_.help_visible) draw_help(gui_.scale(), settings_.help_visible, widgets_);
  if (shows_panel_button() && draw_panel_button(gui_.scale(), widgets_)) toggle_panel();
  draw_messages();
}

bool Viewer::shows_panel_button() { return settings_.small_window && !settings_.panel_shows(); }

/// In a small window a panel may be under the mark, and the line of the rates has the word.
bool Viewer::has_room_for_pause() {
  if (!settings_.small_window) return true;
  return settings_.panel_shows() ? camera_.covered() > 0.0F : !shows_heads_up();
}

/// One line keeps the rates while the panel is hidden, unless a demonstration is about something else.
bool Viewer::shows_heads_up() {
  const auto& run = demo_.run();
  return !settings_.panel_shows() && (!run.playing() || (run.measures() && !run.step().closing));
}

/// Draws the messages over the picture, which are not part of it.
void Viewer::draw_messages() {
  const float left = camera_.covered(), scale = gui_.scale();
  const bool shows = session_.has_dataset();
  // The first line of a small window is the panel's button and the rates.
  const float top = shows_panel_button() ? panel_button_reach * scale : 0.02F * ImGui::GetIO().DisplaySize.y;
  if (draw_physics_banner(left, top, laboratory_.ladder.loan(), widgets_))
    laboratory_.ladder.restore_physics(session_, laboratory_.experiment);
  draw_headlines();
  const bool hides = settings_.small_window && settings_.panel_shows() && left <= 0.0F;
  if (!hides && !closer_.active() && !demo_.run().running() && !gallery_.is_open())
    if (draw_file_facts(session_, left, scale, widgets_))
      chooser_.show(
          units_list(session_, [this](const lab::DatasetRequest& wanted) { datasets_.open(wanted); }));
  closer_.draw(session_, left, camera_.shift(), scale, widgets_);
  messages_.draw(left, scale, widgets_);
  auto& loader = datasets_.loader();
  draw_notice(left, scale, loader.busy() && !shows ? &loader : nullptr, messages_.problem(), widgets_);
  draw_gallery();
  const auto target = session_.replay_target();
  const bool paused = shows && session_.paused && !target;
  if (paused && has_room_for_pause()) draw_paused(left, scale, widgets_);
  if (shows && target) draw_replay(left, scale, session_.frame().steps, *target, widgets_);
  if (films_.busy()) draw_film_mark(scale, paused || shows_panel_button(), films_.status(), widgets_);
  if (const auto answered = sheet_.draw(left, scale, widgets_)) datasets_.open(*answered);
  chooser_.draw(left, scale, widgets_);
}

/// The built-in galaxies, or where nothing is shown the way to them.
void Viewer::draw_gallery() {
  const bool idle = datasets_.is_idle() && messages_.problem().empty() && !gallery_.is_open();
  if (idle && draw_hint(camera_.covered(), widgets_)) toggle_gallery();
  const auto& shown = session_.dataset().request;
  if (const auto chosen = gallery_.draw(camera_.covered(), gui_.scale(), shown, widgets_))
    datasets_.open(*chosen);
}

/// Rates and switches.
void Viewer::draw_headlines() {
  if (!session_.has_dataset()) return;
  const float scale = gui_.scale();
  const auto& run = demo_.run();
  draw_demo_slide(run, session_, true, widgets_, DemoRun::Clock::now());
  const DemoFoot foot{camera_.covered(), pictures_.legend()};
  if (window_.has_fingers()) press_demo_buttons(foot);
  demo_cover_ = {.left = foot.left, .bottom = draw_demo(foot, run, true, widgets_)};
  if (run.playing() && run.step().closing) return;
  const float top = draw_rates();
  if (shows_heads_up()) demo_cover_.top = top;
  if (session_.camera.mode == render::Camera::Mode::fly)
    draw_flying(camera_.covered(), top, flying_speed(session_), widgets_);
  const float end = draw_switch_banner(camera_.covered(), top, scale, switching_, session_.paused,
                                       !run.playing(), widgets_);
  demo_cover_.top = std::max(demo_cover_.top, end);
}

void Viewer::press_demo_buttons(const DemoFoot& foot) {
  const auto pressed = draw_demo_buttons(foot, demo_.run(), widgets_);
  if (pressed == DemoPress::go_on) demo_.go_on();
  if (pressed == DemoPress::end) demo_.end();
}

/// The line of the rates, while the panel is hidden. Returns where other messages may begin.
float Viewer::draw_rates() {
  const float scale = gui_.scale();
  const bool small = shows_panel_button(), lent = laboratory_.ladder.loan().active();
  float end = 0.0F;
  // A list would cut a line through.
  if (shows_heads_up() && !(small && chooser_.open()))
    end = draw_heads_up(scale, small ? panel_button_reach * scale : 0.0F,
                        headline_of(session_, switching_.watch()), widgets_);
  if (!small) return (lent || !settings_.panel_shows() ? 64.0F : 20.0F) * scale;
  constexpr float banner = 46.0F;
  return std::max(end + 4.0F * scale, (panel_button_reach + (lent ? banner : 0.0F)) * scale);
}

/// A few times per second: window managers draw it anew.
void Viewer::show_title() {
  if (!session_.has_dataset() || Clock::now() < next_title_) return;
  next_title_ = Clock::now() + title_interval;
  auto title = window_title(headline_of(session_, switching_.watch()), shown_text(session_.scene().title));
  if (title == title_) return;
  title_ = std::move(title);
  window_.set_title(title_);
}

void Viewer::toggle_gallery() {
  if (gallery_.is_open()) return gallery_.close();
  gallery_.open(session_.dataset().request);
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
