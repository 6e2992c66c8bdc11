#include "app/window/viewer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/log.h"
#include "app/picture/display_options.h"
#include "app/window/display_window.h"
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

Settings settings_or_usual() {
  std::string problem;
  auto settings = read_settings(problem);
  if (!problem.empty()) log_warning(problem);
  return settings;
}

}  // namespace

MakeWindow display_window(const ViewOptions& options) {
  return [asked = options.window_size, fullscreen = options.fullscreen](const Settings& settings) {
    using WindowLook = DisplayWindow::Look;
    const auto size = asked ? glm::ivec2(asked->width, asked->height) : settings.window_size;
    return std::make_unique<DisplayWindow>(size, "Orrery",
                                           fullscreen ? WindowLook::fullscreen : WindowLook::normal);
  };
}

Viewer::Viewer(const ViewOptions& options, const MakeWindow& make_window)
    : table_(all_options()),
      asked_(options),
      settings_(settings_or_usual()),
      owned_window_(make_window(settings_)),
      window_(*owned_window_),
      gui_([this] { return window_.make_gui_input(); }, window_.content_scale() * settings_.ui_scale,
           settings_.theme),
      session_(table_, options.run.assignments),
      switching_(table_),
      camera_(session_, window_, messages_, options.run.camera),
      demo_(session_, settings_, messages_),
      options_({session_, settings_, messages_, gui_, demo_.run(), laboratory_.experiment}),
      files_(session_, messages_, options.run.pictures, options.run.series),
      pictures_({session_, window_, gui_, settings_, camera_, messages_, files_},
                options.run.screenshot_size),
      films_(session_, messages_, files_, camera_),
      datasets_({session_, window_, settings_, messages_, chooser_, sheet_, laboratory_, options_, camera_,
                 pictures_, files_},
                options.run, options.paused, completion()),
      software_(render::gl_info().software) {
  log_info(fmt::format("drawing with {}", render::gl_info().renderer));
  read_ladders();
  read_published_codes();
  // Wrong assignments are a mistake of the command line: say so before the window shows.
  auto trial = table_.defaults();
  lab::assign_all(table_, trial, options.run.assignments);
  if (const auto note = lab::idle_gpu_note(trial, options.run.assignments); !note.empty()) log_info(note);
  options_.use_kept();
  settings_.small_window = is_small(glm::vec2(window_.size()), window_.content_scale());
  if (options.demo) demo_.start(*options.demo, laboratory_.ladder.ladders(), options.demo_by_itself);
  datasets_.open_first(options.run, options.demo.has_value());
}

/// Fills in what a request leaves open, with what `orrery tune` remembered.
Loader::Complete Viewer::completion() {
  std::vector<lab::TunedResult> tuned;
  if (!asked_.run.untuned) {
    std::string problem;
    tuned = lab::read_tuned(problem);
    session_.use_tuned(tuned);
    if (!problem.empty()) log_warning(problem);
  }
  // By value: the thread that loads may outlive the window.
  return [table = table_, assignments = asked_.run.assignments, tuned](lab::DatasetRequest& request) {
    lab::choose_bodies(request, table, assignments, tuned);
  };
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

void Viewer::run() {
  const DisplayLoss loss([this] {
    keep_last_session();
    keep_settings(demo_.settings_after());
  });
  auto last = Clock::now();
  while (!window_.closing() && !sim::interrupted()) {
    frame();
    const auto now = Clock::now();
    smooth(times_.total_ms, milliseconds(now - last));
    move_camera(std::chrono::duration<double>(now - last).count());
    last = now;
  }
  films_.finish();
  keep_last_session();
  // In units of normal displays, as the size is asked for: otherwise the window would grow with every run.
  if (const auto size = window_.windowed_size(); size && !asked_.fullscreen)
    settings_.window_size = glm::ivec2(glm::round(glm::vec2(*size) / window_.content_scale()));
  keep_settings(demo_.settings_after());
}

/// Stores the session for --resume, unless a demonstration or an experiment set its options.
void Viewer::keep_last_session() {
  const bool own = !asked_.demo && !demo_.run().running();
  datasets_.finish(own && !laboratory_.experiment.running());
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
  // A keyboard on the screen may leave a low window: the panel that is typed into stays.
  if (!ImGui::GetIO().WantTextInput)
    settings_.small_window = is_small(glm::vec2(window_.size()), window_.content_scale());
  gui_.restyle(window_.content_scale() * text_scale(settings_), settings_.theme,
               window_.has_fingers() ? Pointing::finger : Pointing::mouse);
  gui_.set_hall(demo_.run().running() ? glm::vec2(window_.size()) : glm::vec2(0.0F));
  update();
  const auto pixels = window_.framebuffer_size();
  if (pixels.x > 0 && pixels.y > 0) draw(start, pixels);
  for (const auto& event : window_.poll(wait_seconds(start))) handle(event);
}

/// All that goes on whether something is drawn or not.
void Viewer::update() {
  const auto start = Clock::now();
  if (each_frame_) each_frame_();
  datasets_.update();
  const bool moved = session_.update();
  closer_.update(session_);
  plots_.update(session_, settings_.panel.plots);
  using Quiet = Switching::Quiet;
  const auto scene = demo_.run().sets_the_scene() ? Quiet::now : Quiet::no;
  switching_.update(session_,
                    laboratory_.experiment.running_for(&laboratory_.sweep) ? Quiet::and_after : scene);
  laboratory_.update(session_, switching_.machine_is_busy(session_));
  end_demo_without_dataset();
  demo_.update(switching_, free_room(demo_cover_, glm::vec2(window_.size())));
  options_.note();
  messages_.collect();
  if (!moved) return;
  pictures_.expire();
  last_change_ = start;
}

void Viewer::draw(Clock::time_point start, glm::ivec2 pixels) {
  session_.begin_drawing();
  if (pictures_.show(pixels)) {
    times_.drawn_by = pictures_.drawn_by();
    last_change_ = Clock::now();
  }
  times_.rough = pictures_.rough();
  const auto drawn = Clock::now();
  gui_.frame(glm::vec2(window_.size()), pixels, [this] { build_gui(); });
  window_.draw(gui_);
  session_.end_drawing();
  widgets_.write();
  const auto built = Clock::now();
  const bool keeps_pictures = pictures_.wants_any() || films_.busy();
  pictures_.save_wanted(films_.choice, [this](float scale, PanelLayout& layout) {
    const float width = draw_overlay(scale, &layout);
    // What was noted there are not the positions of the window's widgets.
    widgets_.forget();
    return width;
  });
  films_.update();
  gui_.make_current();
  if (films_.busy()) last_change_ = Clock::now();
  show_title();
  window_.swap();
  pictures_.took(milliseconds(Clock::now() - start), !keeps_pictures);
  smooth(times_.draw_ms, milliseconds(drawn - start));
  smooth(times_.panel_ms, milliseconds(built - drawn));
  smooth(times_.swap_ms, milliseconds(Clock::now() - built));
}

void Viewer::start_demo(Demo demo) {
  laboratory_.experiment.stop(session_);
  messages_.problem().clear();
  // What a person switched before is not what the demonstration is about.
  session_.configuration = table_.defaults();
  session_.paused = false;
  datasets_.open(demo.dataset_for(gpu_computes(table_)));
  demo_.start(std::move(demo), laboratory_.ladder.ladders(), false, session_.openings());
}

/// Its dataset could not be opened, and the message says why.
void Viewer::end_demo_without_dataset() {
  if (demo_.run().loading() && !datasets_.loader().busy() && !messages_.problem().empty()) demo_.end();
}

void Viewer::change_ui_scale(int direction) {
  settings_.ui_scale = next_ui_scale(settings_.ui_scale, direction);
  messages_.say(fmt::format("text and widgets: {:.0f} %", 100.0 * double{settings_.ui_scale}));
}

void Viewer::toggle_projector() {
  settings_.projector = !settings_.projector;
  messages_.say(settings_.projector ? "projector: all text is larger; P makes it as before"
                                    : "text as before");
}

}  // namespace orrery::app
