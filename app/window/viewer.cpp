#include "app/window/viewer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/log.h"
#include "app/picture/display_options.h"
#include "app/window/display_loss.h"
#include "lab/bench/default_bodies.h"
#include "lab/bench/published_codes.h"
#include "lab/ladders/ladders.h"
#include "render/context/gl.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"

namespace orrery::app {

namespace {

constexpr double frame_interval = 1.0 / 60.0;
/// With software OpenGL, redrawing an unchanged picture takes cores from the simulation: draw less often.
constexpr double software_interval = 1.0 / 30.0;
/// Nothing moved for a while: look less often, to leave the cores to others.
constexpr double idle_interval = 1.0 / 15.0;
constexpr std::chrono::seconds idle_after{1};

double milliseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

void smooth(double& value, double now) { value += (value == 0.0 ? 1.0 : 0.1) * (now - value); }

glm::ivec2 window_size(const ViewOptions& options, const Settings& settings) {
  return options.window_size ? glm::ivec2(options.window_size->width, options.window_size->height)
                             : settings.window_size;
}

Settings settings_or_usual() {
  std::string problem;
  auto settings = read_settings(problem);
  if (!problem.empty()) log_warning(problem);
  return settings;
}

}  // namespace

Viewer::Viewer(const ViewOptions& options)
    : table_(all_options()),
      options_(options),
      settings_(settings_or_usual()),
      window_(window_size(options, settings_), "Orrery",
              options.fullscreen ? Window::Look::fullscreen : Window::Look::normal),
      gui_(window_.handle(), window_.content_scale() * settings_.ui_scale, settings_.theme),
      session_(table_, options.run.assignments),
      switching_(table_),
      playlist_(options.run.data, options.run.dataset),
      film_desk_(film_desk()) {
  software_ = render::gl_info().software;
  log_info(fmt::format("drawing with {}", render::gl_info().renderer));
  std::vector<lab::TunedResult> tuned;
  if (!options.run.untuned) tuned = read_tuned_results();
  // By value: the thread that loads may outlive the window.
  loader_.complete_with(
      [table = table_, assignments = options.run.assignments, tuned](lab::DatasetRequest& request) {
        lab::choose_bodies(request, table, assignments, tuned);
      });
  read_ladders();
  read_published_codes();
  // Wrong assignments are a mistake of the command line: say so before the window shows.
  auto trial = table_.defaults();
  lab::assign_all(table_, trial, options.run.assignments);
  if (const auto note = lab::idle_gpu_note(trial, options.run.assignments); !note.empty()) log_info(note);
  use_kept_display();
  if (options.demo) start_demo();
  open_first(options.run);
}

/// Without them the rest of the program goes on.
void Viewer::read_ladders() try {
  laboratory_.ladder.set_ladders(lab::find_ladders(table_, "all", {}));
} catch (const sim::Error& error) {
  log_warning(error.what());
}

void Viewer::read_published_codes() try {
  switching_.set_published_codes(lab::known_published_codes());
} catch (const sim::Error& error) {
  log_warning(error.what());
}

std::vector<lab::TunedResult> Viewer::read_tuned_results() {
  std::string problem;
  auto results = lab::read_tuned(problem);
  session_.use_tuned(results);
  if (!problem.empty()) log_warning(problem);
  return results;
}

void Viewer::run() {
  const DisplayLoss loss([this] {
    keep_last_session();
    keep_settings();
  });
  auto last = Clock::now();
  while (!window_.closing() && !sim::interrupted()) {
    frame();
    const auto now = Clock::now();
    smooth(times_.total_ms, milliseconds(now - last));
    move_camera(std::chrono::duration<double>(now - last).count());
    last = now;
  }
  if (const auto news = recorder_.finish(session_)) say_of_film(*news);
  keep_last_session();
  // In units of normal displays, as the size is asked for: otherwise the window would grow with every run.
  if (!options_.fullscreen)
    settings_.window_size =
        glm::ivec2(glm::round(glm::vec2(window_.windowed_size()) / window_.content_scale()));
  keep_settings();
}

/// One clear line where that fails: the program goes on.
void Viewer::keep_settings() {
  if (const auto problem = write_settings(settings_); !problem.empty()) log_warning(problem);
}

double Viewer::wait_seconds(Clock::time_point frame_start) const {
  // Nobody watches what a script drives, and input ends the wait.
  const bool idle = widgets_.enabled() || Clock::now() - last_change_ > idle_after;
  const double spent = std::chrono::duration<double>(Clock::now() - frame_start).count();
  const double interval = software_ ? software_interval : frame_interval;
  return std::max((idle ? idle_interval : interval) - spent, 0.0);
}

void Viewer::frame() {
  const auto start = Clock::now();
  gui_.restyle(window_.content_scale() * settings_.ui_scale, settings_.theme);
  take_loaded();
  answer_question();
  const bool moved = session_.update();
  closer_.update(session_);
  plots_.update(session_, settings_.panel.plots);
  using Quiet = Switching::Quiet;
  const auto scene = demo_.sets_the_scene() ? Quiet::now : Quiet::no;
  switching_.update(session_,
                    laboratory_.experiment.running_for(&laboratory_.sweep) ? Quiet::and_after : scene);
  laboratory_.update(session_);
  update_demo();
  note_changes();
  show_problems();
  if (moved) {
    scene_.expire();
    last_change_ = start;
  }
  const auto pixels = window_.framebuffer_size();
  if (pixels.x > 0 && pixels.y > 0) {
    session_.begin_drawing();
    draw_scene(pixels);
    const auto drawn = Clock::now();
    gui_.frame(glm::vec2(window_.size()), pixels, [this] { build_gui(); });
    gui_.draw(0);
    session_.end_drawing();
    widgets_.write();
    const auto built = Clock::now();
    const bool keeps_pictures = !pictures_wanted_.empty() || recorder_.busy();
    for (const bool with_panel : std::exchange(pictures_wanted_, {})) save_picture(with_panel);
    update_film();
    show_title();
    window_.swap();
    scene_.took(milliseconds(Clock::now() - start), !keeps_pictures);
    smooth(times_.draw_ms, milliseconds(drawn - start));
    smooth(times_.panel_ms, milliseconds(built - drawn));
    smooth(times_.swap_ms, milliseconds(Clock::now() - built));
  }
  for (const auto& event : window_.poll(wait_seconds(start))) handle(event);
}

void Viewer::show_problem(const std::string& problem) {
  log_error(problem);
  problem_ = problem;
}

void Viewer::say(std::string text) {
  if (text.empty()) return;
  log_info(text);
  toasts_.add(Toasts::Kind::note, std::move(text));
}

/// Every warning and error is seen in the view, unless it stands there already.
void Viewer::show_problems() {
  for (auto& text : take_problems())
    if (text != problem_) toasts_.add(Toasts::Kind::problem, std::move(text));
}

/// The view is for the room: the panel comes back at the end.
void Viewer::start_demo() {
  demo_.start(*options_.demo, laboratory_.ladder.ladders(), options_.demo_by_itself);
  panel_before_demo_ = std::exchange(settings_.panel_visible, false);
}

void Viewer::update_demo() try {
  if (!demo_.running()) return;
  demo_.update(session_, switching_, {.fit = [this] { fit_camera(); }, .leave = {}}, DemoRun::Clock::now());
  if (!demo_.running()) end_demo();
} catch (const sim::Error& error) {
  end_demo();
  show_problem(error.what());
}

/// All stays as it is, and the person has the controls.
void Viewer::end_demo() {
  demo_.end();
  settings_.panel_visible = settings_.panel_visible || panel_before_demo_;
  say("the demonstration has ended; you have the controls");
}

}  // namespace orrery::app
