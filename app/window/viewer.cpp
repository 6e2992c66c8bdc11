#include "app/window/viewer.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/log.h"
#include "app/panels/dataset_parts.h"
#include "app/panels/timeline_view.h"
#include "app/picture/display_options.h"
#include "app/picture/kept_options.h"
#include "app/picture/picture_views.h"
#include "app/picture/tiled_picture.h"
#include "app/picture/trail_options.h"
#include "app/session/path_file.h"
#include "app/window/chooser_keys.h"
#include "app/window/commands.h"
#include "app/window/demo_overlay.h"
#include "app/window/file_browser.h"
#include "app/window/keys.h"
#include "app/window/last_session.h"
#include "app/window/overlay.h"
#include "app/window/palette.h"
#include "app/window/switch_banner.h"
#include "lab/bench/default_bodies.h"
#include "lab/bench/engine_facts.h"
#include "lab/bench/timeline_trace.h"
#include "lab/figures/board_figure.h"
#include "lab/ladders/ladders.h"
#include "lab/plots/figure_file.h"
#include "lab/setup/paths.h"
#include "render/error.h"
#include "render/gl.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/interrupt.h"
#include "sim/engines/checkpoint_file.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

namespace {

constexpr double frame_interval = 1.0 / 60.0;
/// Of software OpenGL: what draws the same again takes the processors from steps.
constexpr double software_interval = 1.0 / 30.0;
/// Nothing moved for a while: look less often, to leave the processors to others.
constexpr double idle_interval = 1.0 / 15.0;
constexpr std::chrono::seconds idle_after{1};
constexpr std::chrono::milliseconds title_interval{400};

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

const std::string& name_of_source(const lab::DatasetRequest& request) {
  static const std::string usual(sim::galaxy_models().front()->name);
  return request.source.empty() ? usual : request.source;
}

/// The same galaxy, of another size or seed.
bool is_alike(const lab::DatasetRequest& a, const lab::DatasetRequest& b) {
  return !lab::is_file(a) && !lab::is_file(b) && name_of_source(a) == name_of_source(b) &&
         a.galaxies == b.galaxies;
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
  read_rivals();
  // Wrong assignments are a mistake of the command line: say so before the window shows.
  auto trial = table_.defaults();
  lab::apply_assignments(table_, trial, options.run.assignments);
  use_kept_display();
  if (options.demo) start_demo();
  open_first(options.run);
}

void Viewer::open_first(const RunOptions& run) {
  const auto& first = options_.demo ? run.dataset : playlist_.all().front();
  if (run.checkpoint.resume) {
    open_checkpoint(*run.checkpoint.resume);
  } else if (!run.state.empty()) {
    open_state(run.state);
  } else if (lab::is_file(first) && sim::looks_like_checkpoint(first.source)) {
    open_checkpoint(first.source);
  } else if (names_state(first)) {
    require_plain_dataset(first);
    open_state(first.source);
  } else {
    loader_.open(first);
  }
}

/// Without them the rest of the program goes on.
void Viewer::read_ladders() try {
  laboratory_.ladder.set_ladders(lab::find_ladders(table_, "all", {}));
} catch (const sim::Error& error) {
  log_warning(error.what());
}

void Viewer::read_rivals() try {
  switching_.set_rivals(lab::known_rivals());
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

/// What the person switched can be undone, and the looks are kept for the next run.
void Viewer::note_changes() {
  gui_.make_current();
  // What a demonstration sets is nobody's taste, and not undone step by step.
  if (demo_.running()) return history_.accept(session_.configuration);
  if (ImGui::IsAnyItemActive() || laboratory_.experiment.running()) return;
  keep_looks(history_.note(session_.configuration, Clock::now()));
}

void Viewer::keep_looks(const OptionChange& change) {
  for (const auto& [name, values] : change) {
    const auto& option = table_.at(name);
    if (!is_kept(option)) continue;
    if (values.second == option.default_value)
      settings_.display.erase(name);
    else
      settings_.display[name] = sim::to_string(values.second);
  }
}

/// What the command line and the dataset say wins over it.
void Viewer::use_kept_display() {
  for (const auto& problem : apply_kept(table_, settings_.display, session_.configuration))
    log_warning(problem);
  history_.accept(session_.configuration);
}

void Viewer::say_step(const char* what, const std::optional<OptionHistory::Step>& step) {
  if (!step) return say(std::string("nothing to ") + what);
  if (!step->refusal.empty()) return log_warning(std::string(what) + " is not possible: " + step->refusal);
  keep_looks(step->change);
  say(std::string(what) + ": " + change_text(table_, step->change));
}

void Viewer::undo() {
  note_changes();
  say_step("undo", history_.undo(session_.configuration, [this](const sim::Configuration& wanted) {
    return sim::refusal_of(table_, wanted, session_.context());
  }));
}

void Viewer::redo() {
  note_changes();
  say_step("redo", history_.redo(session_.configuration, [this](const sim::Configuration& wanted) {
    return sim::refusal_of(table_, wanted, session_.context());
  }));
}

void Viewer::reset_display() {
  for (const auto& option : table_.options())
    if (is_kept(option)) session_.set_option(option, session_.default_of(option));
  say("the picture's options are as at first; Ctrl+Z takes it back");
}

void Viewer::change_ui_scale(int direction) {
  settings_.ui_scale = next_ui_scale(settings_.ui_scale, direction);
  say(fmt::format("text and widgets: {:.0f} %", 100.0 * double{settings_.ui_scale}));
}

void Viewer::open_palette() { chooser_.show(palette_list(*this)); }

void Viewer::toggle_gallery() {
  if (gallery_.is_open()) return gallery_.close();
  gallery_.open(session_.dataset().request);
}

void Viewer::browse() {
  std::error_code failure;
  auto folder = std::filesystem::current_path(failure);
  if (!settings_.recent.empty()) {
    const auto last = std::filesystem::path(settings_.recent.front()).parent_path();
    if (std::filesystem::is_directory(last, failure)) folder = last;
  }
  chooser_.show(file_list(folder, [this](const std::filesystem::path& file) {
    // As a dropped file: it joins the playlist.
    drop({file});
  }));
}

void Viewer::take_loaded() {
  std::string problem;
  auto loaded = loader_.take(problem);
  if (!problem.empty()) {
    // The program was started for this dataset: without any other to show there is nothing to stay for.
    if (!session_.has_dataset() && playlist_.all().size() == 1) throw sim::Error(problem);
    show_problem(problem);
  }
  if (loaded) show_loaded(std::move(*loaded));
}

void Viewer::show_loaded(LoadedDataset loaded) try {
  const bool restored = loaded.state.has_value();
  if (restored && !loaded.state->dataset_hash.empty() && loaded.state->dataset_hash != loaded.hash)
    log_warning("the dataset is not the one that the picture was taken of");
  if (restored && !loaded.state->exact_replay)
    log_warning("options were switched before that picture: repeating its steps gives a similar state");
  for (const auto& note : loaded.scene->notes) log_info(note);
  if (session_.has_dataset()) laboratory_.leave(session_, restored);
  note_changes();
  const auto file = opening_state_.empty() && lab::is_file(loaded.request) ? loaded.request.source
                                                                           : opening_state_.string();
  // Another size or seed of the same galaxy is looked at from where the person is.
  const bool alike =
      session_.has_dataset() && !restored && is_alike(loaded.request, session_.dataset().request);
  const auto camera = session_.camera;
  const bool paused = session_.paused;
  session_.open(std::move(loaded));
  history_.accept(session_.configuration);
  if (alike) {
    session_.camera = camera;
    session_.paused = paused;
  } else {
    start_camera(restored);
  }
  opening_state_.clear();
  if (!file.empty()) {
    note_recent(settings_, file);
    keep_settings();
  }
  scene_.expire();
  problem_.clear();
  log_info(fmt::format("{}: {}", session_.scene().title,
                       sim::counted(session_.summary().bodies, "body", "bodies")));
  start_asked_series();
  start_asked_checkpoints();
} catch (const std::exception& error) {
  // The dataset before it, if there is one, goes on.
  if (!session_.has_dataset()) throw;
  show_problem(dynamic_cast<const std::bad_alloc*>(&error) != nullptr
                   ? "not enough memory to show this dataset; the one before it goes on"
                   : error.what());
}

void Viewer::open(const lab::DatasetRequest& request) try {
  if (names_state(request)) return open_state(request.source);
  if (lab::is_file(request) && sim::looks_like_checkpoint(request.source))
    return open_checkpoint(request.source);
  opening_state_.clear();
  loader_.open(request);
} catch (const sim::Error& error) {
  show_problem(error.what());
}

void Viewer::open_next(int direction) {
  if (playlist_.all().size() > 1) open(playlist_.step(direction));
}

void Viewer::open_state(const std::filesystem::path& path) {
  auto state = read_view_state(table_, path);
  for (const auto& note : state.notes) log_warning(note);
  opening_state_ = path;
  loader_.open(std::move(state));
}

void Viewer::open_checkpoint(const std::filesystem::path& path) {
  // The last session is no file that a person opened.
  opening_state_ = path == last_session_file() ? std::filesystem::path() : path;
  resumed_ = path;
  loader_.open_checkpoint(path);
}

void Viewer::continue_last_session() {
  std::error_code failure;
  const auto file = last_session_file();
  if (file.empty() || !std::filesystem::exists(file, failure))
    return say("no session was kept yet: the next one is, when the window is closed");
  open_checkpoint(file);
}

/// Those of the command line are of the first dataset.
void Viewer::start_asked_checkpoints() {
  const auto request = std::exchange(options_.run.checkpoint, {});
  if (request.file.empty()) return;
  try {
    session_.keep_checkpoints(request, resumed_);
  } catch (const sim::Error& error) {
    show_problem(error.what());
  }
}

/// One clear line where that fails: the window closes in any case.
void Viewer::keep_last_session() try {
  session_.finish_checkpoints();
  // What others set is no session of this person's.
  if (options_.demo || laboratory_.experiment.running()) return;
  if (const auto last = session_.checkpoint()) write_last_session(*last);
} catch (const std::exception& error) {
  log_warning(error.what());
}

void Viewer::drop(const std::vector<std::filesystem::path>& files) {
  for (const auto& path : files) {
    if (looks_like_state(path) || sim::looks_like_checkpoint(path)) return open({.source = path.string()});
    playlist_.add({.source = path.string()});
  }
  if (files.empty()) return;
  const auto& first = playlist_.play(playlist_.all().size() - files.size());
  if (files.size() < 2 && !shift_is_down()) return open(first);
  if (shift_is_down()) return open_together(files);
  say(fmt::format("{} files: N shows the next; dropped with Shift held they meet in one scene",
                  files.size()));
  open(first);
}

bool Viewer::shift_is_down() const {
  return window_.key_down(GLFW_KEY_LEFT_SHIFT) || window_.key_down(GLFW_KEY_RIGHT_SHIFT);
}

/// Several files meet each other, a single one what is shown.
void Viewer::open_together(const std::vector<std::filesystem::path>& files) {
  std::vector<lab::DatasetRequest> requests;
  if (files.size() == 1 && session_.has_dataset()) requests.push_back(session_.dataset().request);
  for (const auto& path : files) requests.push_back({.source = path.string()});
  if (requests.size() == 1 || requests.front().with.empty()) return open(thrown_together(requests));
  auto all = requests.front();
  all.with.push_back(files.front().string());
  all.offsets.push_back({.thrown = true});
  open(all);
}

void Viewer::handle(const InputEvent& event) {
  last_change_ = Clock::now();
  gui_.make_current();
  const auto& io = ImGui::GetIO();
  if (event.kind == InputEvent::Kind::drop) return drop(event.files);
  const bool keys = event.kind == InputEvent::Kind::key || event.kind == InputEvent::Kind::text;
  if (chooser_.open() && keys) return handle_chooser(event);
  if (event.kind == InputEvent::Kind::key) {
    // While text is typed into a widget only the keys with Ctrl that mean nothing there are the viewer's.
    const bool quits = event.code == GLFW_KEY_Q && (event.modifiers & GLFW_MOD_CONTROL) != 0;
    if (!io.WantTextInput || quits) handle_key(event);
    return;
  }
  const bool for_panel =
      io.WantCaptureMouse && !(event.kind == InputEvent::Kind::mouse_button && !event.pressed);
  if (for_panel) {
    camera_control_.release();
  } else if (session_.has_dataset()) {
    auto with_keys = event;
    if (event.kind == InputEvent::Kind::scroll && window_.key_down(GLFW_KEY_LEFT_CONTROL))
      with_keys.modifiers |= GLFW_MOD_CONTROL;
    const auto views =
        views_of(session_.configuration, session_.camera, glm::dvec2(window_.size()), scene_shift());
    camera_control_.handle(with_keys, views, session_);
    if (const auto where = camera_control_.take_click()) click(*where);
  }
}

/// Of several galaxies one is singled out, of one a body is picked. The trail it gets is nobody's taste: it
/// is not undone, nor kept.
void Viewer::click(const Click& where) {
  in_view(session_, where.view, [&] {
    const double aspect = where.view.aspect();
    if (session_.summary().galaxies > 1) return session_.single_out_under(where.cursor, aspect);
    note_changes();
    closer_.pick(session_, where.cursor, aspect, where.view.size.y);
    history_.accept(session_.configuration);
  });
}

void Viewer::toggle_following() {
  if (!closer_.toggle_following(session_)) say("click on a body first: this key follows it");
}

/// While a list is open all keys are its own, but for the end of the program and those that type nothing:
/// pictures and films are taken of lists too.
void Viewer::handle_chooser(const InputEvent& event) {
  if (is_quit_key(event)) return request_close();
  if (event.kind == InputEvent::Kind::key && event.code >= GLFW_KEY_F1 && event.code <= GLFW_KEY_F12)
    return handle_key(event);
  if (closes_palette(event)) return chooser_.close();
  drive(chooser_, event, [this] { return window_.clipboard(); });
}

/// The digits alone, and with Shift.
bool Viewer::handle_bookmark_key(int key, int modifiers) {
  const bool keeps = modifiers == GLFW_MOD_SHIFT;
  if (key < GLFW_KEY_1 || key > GLFW_KEY_9 || (modifiers != 0 && !keeps)) return false;
  if (keeps)
    keep_bookmark(key - GLFW_KEY_1);
  else
    go_to_bookmark(key - GLFW_KEY_1);
  return true;
}

void Viewer::handle_key(const InputEvent& event) {
  if (!event.pressed) return;
  constexpr int relevant = GLFW_MOD_CONTROL | GLFW_MOD_SHIFT | GLFW_MOD_ALT;
  const bool flying = session_.camera.mode == render::Camera::Mode::fly;
  // Plus needs Shift on many keyboards.
  const int code = event.code;
  const int modifiers =
      code == GLFW_KEY_EQUAL ? event.modifiers & GLFW_MOD_CONTROL : event.modifiers & relevant;
  if (handle_bookmark_key(code, modifiers)) return;
  for (const auto& binding : key_bindings()) {
    if (binding.key != code || binding.modifiers != modifiers) continue;
    const bool flight_key =
        flying && binding.modifiers == 0 && (event.code == GLFW_KEY_Q || event.code == GLFW_KEY_E);
    if (!flight_key && (binding.repeats || !event.repeated)) binding.act(*this);
    return;
  }
}

void Viewer::move_camera(double seconds) {
  // In a film time goes on from frame to frame of it.
  if (!recorder_.records()) director_.advance(seconds, session_.camera);
  gui_.make_current();
  if (ImGui::GetIO().WantTextInput) return;
  CameraControl::fly(window_, std::min(seconds, 0.1), session_.camera);
}

void Viewer::fit_camera() {
  if (!session_.has_dataset()) return;
  // At the start there may be nothing in the buffers yet.
  const bool moved = session_.frame().steps > 0;
  session_.camera = view_of(moved ? session_.summary_now() : session_.summary(), View::fit, free_aspect());
}

void Viewer::look_along(View view, double turn_degrees) {
  if (session_.has_dataset())
    session_.camera.orientation = towards(view, disk_axis(), turn_degrees).orientation;
}

/// Around which the galaxy turns; of few bodies and of a grid of galaxies the z axis.
glm::dvec3 Viewer::disk_axis() const {
  const auto& summary = session_.summary();
  const bool one = summary.galaxies < 2 && summary.bodies >= few_enough_for_trails;
  return one ? summary.luminous.spin : glm::dvec3(0.0, 0.0, 1.0);
}

/// What the command line says of the camera is for the first dataset.
void Viewer::start_camera(bool restored) {
  if (!restored) fit_camera();
  if (session_.openings() != 1) return;
  session_.camera = chosen_camera(options_.run.camera, session_.camera, session_.summary(), free_aspect());
}

/// Of the picture beside the panel.
double Viewer::free_aspect() const {
  const auto size = glm::dvec2(window_.size());
  return std::max(size.x - panel_width_, 1.0) / std::max(size.y, 1.0);
}

void Viewer::frame_galaxy() {
  const auto extent = session_.singled_out_extent();
  if (extent) session_.camera.fit(extent->center, extent->radius, free_aspect());
}

double Viewer::scene_shift() const {
  return panel_width_ / static_cast<double>(std::max(window_.size().x, 1));
}

void Viewer::dismiss() {
  if (!problem_.empty()) {
    problem_.clear();
  } else if (gallery_.is_open()) {
    gallery_.close();
  } else if (demo_.running()) {
    end_demo();
  } else if (settings_.help_visible) {
    settings_.help_visible = false;
  } else if (closer_.active()) {
    closer_.release(session_);
    history_.accept(session_.configuration);
  } else {
    session_.show_all_galaxies();
  }
}

void Viewer::go_on() {
  if (demo_.playing())
    demo_.go_on();
  else
    session_.paused = !session_.paused;
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

void Viewer::copy_view() {
  if (session_.has_dataset()) window_.set_clipboard(state_text(session_.view_state(), 2));
}

void Viewer::paste_view() try {
  if (!session_.has_dataset()) return;
  const auto json = nlohmann::json::parse(window_.clipboard(), nullptr, false);
  if (!json.is_object()) throw sim::Error("the clipboard holds no copied view");
  const auto state = view_state_from_json(table_, json);
  table_.check(state.configuration, session_.context());
  session_.camera = state.camera;
  session_.configuration = state.configuration;
} catch (const sim::Error& error) {
  log_warning(error.what());
}

/// What is written over the bodies, in a picture whose left the panel covers by a part of the width.
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
          .save_board = [this] { save_board(); },
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

/// What lies over the picture and is not part of it.
void Viewer::draw_messages() {
  if (draw_physics_banner(panel_width_, laboratory_.ladder.loan(), widgets_))
    laboratory_.ladder.restore_physics(session_, laboratory_.experiment);
  draw_headlines();
  closer_.draw(session_, panel_width_, scene_shift(), gui_.scale(), widgets_);
  toasts_.expire(Clock::now());
  toasts_.draw(panel_width_, gui_.scale(), widgets_);
  const bool waiting = loader_.busy() && !session_.has_dataset();
  draw_notice(panel_width_, gui_.scale(), waiting ? &loader_ : nullptr, problem_, widgets_);
  if (!session_.has_dataset() && !loader_.busy() && problem_.empty() && !gallery_.is_open() &&
      draw_hint(panel_width_, widgets_))
    toggle_gallery();
  const auto& shown = session_.dataset().request;
  if (const auto chosen = gallery_.draw(panel_width_, gui_.scale(), shown, widgets_)) open(*chosen);
  if (session_.has_dataset() && session_.paused && !session_.replay_target())
    draw_paused(panel_width_, gui_.scale(), widgets_);
  if (recorder_.busy()) draw_film_mark(gui_.scale(), recorder_.status(), widgets_);
  chooser_.draw(panel_width_, gui_.scale(), widgets_);
}

/// A file is written: the view says which.
void Viewer::confirm(const char* what, const std::filesystem::path& file) {
  log_info(fmt::format("{}: {}", what, file.string()));
  toasts_.add(Toasts::Kind::done, fmt::format("{} saved: {}\nin {}", what, file.filename().string(),
                                              file.parent_path().string()));
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

void Viewer::take_screenshot(bool with_panel) {
  if (session_.has_dataset()) pictures_wanted_.push_back(with_panel);
}

/// Of a picture without the panel that is too large to be drawn at once.
render::Image Viewer::draw_large_picture(glm::ivec2 size, glm::ivec2 tile) {
  auto picture = session_.picture();
  picture.repeatable = true;
  picture.transparent = film_choice_.transparent;
  OverlayPainter overlay;
  if (!picture.transparent) overlay.write(picture, session_.legend(), size);
  auto image = draw_in_tiles(painter_, picture, picture.transparent ? nullptr : &overlay, size, tile);
  session_.mark_drawn();
  return image;
}

render::Image Viewer::draw_picture(glm::ivec2 size, bool with_panel) {
  const auto tile = suitable_tile(size);
  if (tile.x > 0) {
    if (with_panel)
      throw render::Error(
          fmt::format("a picture of {} x {} pixels is too large for one with the panel: take one "
                      "without it (Ctrl+F12)",
                      size.x, size.y));
    return draw_large_picture(size, tile);
  }
  const render::PictureTarget target(size);
  const auto draw_bodies = [&](double shift) {
    auto picture = session_.picture(shift);
    picture.repeatable = true;
    picture.transparent = film_choice_.transparent && !with_panel;
    painter_.draw(picture, target.framebuffer(), size);
    // Letters of their own, for this size.
    OverlayPainter overlay;
    // Nothing is written over a sky that is not there.
    if (!picture.transparent) draw_texts(overlay, shift, target.framebuffer(), size);
    session_.mark_drawn();
  };
  if (!with_panel) {
    draw_bodies(0.0);
    return target.read();
  }
  if (size == window_.framebuffer_size()) {
    draw_bodies(scene_shift());
    gui_.draw(target.framebuffer());
    return target.read();
  }
  // At another size text is set anew, so that it stays crisp.
  const float scale = gui_.scale() * static_cast<float>(size.y) / static_cast<float>(window_.size().y);
  float panel_width = 0.0F;
  Gui gui(scale, settings_.theme);
  // A copy: the window's panel stays as it is.
  auto layout = settings_.panel;
  layout.width_set = 0.0F;
  gui.frame(glm::vec2(size), size, [&] { panel_width = draw_overlay(scale, &layout); });
  // What was noted there are not the places of the window's widgets.
  widgets_.forget();
  draw_bodies(panel_width / static_cast<double>(size.x));
  gui.draw(target.framebuffer());
  return target.read();
}

std::filesystem::path Viewer::output_folder() const {
  return options_.run.pictures.empty() ? lab::pictures_folder() : options_.run.pictures;
}

/// Into a folder of its own beside the pictures.
void Viewer::start_series() try {
  lab::make_folder(output_folder());
  const auto stem = lab::file_stem(session_.scene().title) + "-series";
  session_.start_series({.folder = lab::next_free_name(output_folder(), stem, ""),
                         .every = series_choice_.every,
                         .format = series_choice_.format});
} catch (const sim::Error& error) {
  show_problem(error.what());
}

/// The series of the command line is one of the first dataset.
void Viewer::start_asked_series() {
  if (options_.run.series.folder.empty()) return;
  const auto request = std::exchange(options_.run.series, {});
  series_choice_ = {request.every, request.format};
  try {
    session_.start_series(request);
  } catch (const sim::Error& error) {
    show_problem(error.what());
  }
}

void Viewer::write_timeline(const sim::Timeline& timeline) try {
  const auto path = lab::free_trace_name(output_folder(), session_.scene().title, session_.frame().steps);
  lab::write_trace(path, timeline, device_names(timeline, lab::device_name(session_.frame().report)));
  confirm("trace", path);
} catch (const sim::Error& error) {
  show_problem(error.what());
}

void Viewer::save_board() try {
  lab::make_folder(output_folder());
  const auto stem = lab::file_stem(session_.scene().title) + "-board";
  const auto path = lab::next_free_name(output_folder(), stem, ".svg");
  plots::write_figure(path, lab::board_figure(switching_.board(session_)));
  confirm("board", path);
} catch (const sim::Error& error) {
  show_problem(error.what());
}

void Viewer::save_plot(const PlotDock::Saving& saving) try {
  lab::make_folder(output_folder());
  const auto& plot = *saving.plot;
  const auto stem = fmt::format("{}-{}", lab::file_stem(session_.scene().title), plot.name);
  const auto path = lab::next_free_name(output_folder(), stem, saving.as_csv ? ".csv" : ".svg");
  const auto figure = lab::figure_of(
      plot, plots_.log(), fmt::format("{}, {} bodies", session_.scene().title, session_.summary().bodies));
  if (saving.as_csv)
    sim::write_file(path, lab::csv_of(figure.panels.front()));
  else
    plots::write_figure(path, figure);
  confirm("plot", path);
} catch (const sim::Error& error) {
  show_problem(error.what());
}

/// Those that say most of a galaxy.
void Viewer::toggle_plots() {
  auto& shown = settings_.panel.plots;
  if (shown.empty())
    shown = {"rotation-curve", "surface-density", "lagrange-radii"};
  else
    shown.clear();
}

void Viewer::save_picture(bool with_panel) try {
  const auto wanted = options_.run.screenshot_size;
  auto size = wanted ? glm::ivec2(wanted->width, wanted->height) : window_.framebuffer_size();
  if (film_choice_.picture_size.x > 0) size = film_choice_.picture_size;
  const auto path = free_picture_name(output_folder(), session_.scene().title, session_.frame().steps);
  const auto written =
      write_picture(path, draw_picture(size, with_panel), session_.view_state(), sim::Existing::number);
  gui_.make_current();
  confirm("picture", written);
} catch (const std::exception& error) {
  gui_.make_current();
  show_problem(error.what());
}

FilmDesk Viewer::film_desk() {
  return {.choice = film_choice_,
          .record = [this] { toggle_recording(); },
          .record_path = [this] { record_path(); },
          .play = [this] { toggle_playing(); },
          .add_key = [this] { add_key(); },
          .lay = [this](const std::string& preset) { lay_path(preset); },
          .go_to_bookmark = [this](int number) { go_to_bookmark(number); },
          .keep_bookmark = [this](int number) { keep_bookmark(number); },
          .go_to = [this](const render::Camera& camera) { director_.glide(camera, session_.camera); }};
}

void Viewer::toggle_recording() {
  if (recorder_.records())
    recorder_.stop(session_);
  else
    start_recording(std::nullopt);
}

void Viewer::record_path() {
  if (session_.path.empty() || recorder_.busy()) return;
  const auto frames =
      static_cast<std::uint64_t>(std::llround(session_.path.duration() * film_choice_.rate)) + 1;
  start_recording(frames);
  if (recorder_.records()) director_.play(session_.path, session_.camera);
}

/// Into a new file among the pictures.
void Viewer::start_recording(std::optional<std::uint64_t> frames) try {
  if (!session_.has_dataset()) return;
  if (recorder_.busy()) return say("the film before is still being completed");
  if (session_.replay_target()) return say("a film can begin when the state is reached");
  if (session_.playback() != nullptr)
    return say("orrery render makes the film of a series: orrery render SERIES --record FILE");
  lab::make_folder(output_folder());
  FilmPlan plan{.size = film_choice_.film_size, .rate = film_choice_.rate};
  plan.output = lab::next_free_name(output_folder(), lab::file_stem(session_.scene().title) + "-film",
                                    film_choice_.kind);
  settle_film(plan);
  plan.comment = state_text(session_.view_state());
  const auto possible = possible_plan(plan);
  recorder_.start(possible, session_, frames);
  if (possible.output != plan.output) say("no program ffmpeg: the frames are kept as PNG files");
} catch (const std::exception& error) {
  show_problem(error.what());
}

/// After the window's own picture: the next frame of the film, if it is there.
void Viewer::update_film() try {
  if (recorder_.wants_frame(session_)) {
    recorder_.take_frame(session_);
    if (director_.moves()) director_.advance(recorder_.frame_seconds(), session_.camera);
  }
  if (const auto news = recorder_.update(session_)) say_of_film(*news);
  if (recorder_.busy()) last_change_ = Clock::now();
  gui_.make_current();
} catch (const std::exception& error) {
  gui_.make_current();
  recorder_.stop(session_);
  show_problem(error.what());
}

void Viewer::say_of_film(const Recorder::News& news) {
  if (news.failed) return show_problem(news.text);
  confirm("film", news.file);
  log_info(news.text);
}

void Viewer::toggle_playing() {
  if (director_.plays()) return director_.stop();
  if (session_.path.keys().size() > 1) director_.play(session_.path, session_.camera);
}

void Viewer::add_key() {
  auto& path = session_.path;
  const double time = path.empty() ? 0.0 : path.duration() + film_choice_.key_seconds;
  path.set({time, session_.camera, render::Easing::smooth});
}

void Viewer::lay_path(const std::string& preset) {
  if (session_.has_dataset())
    session_.path = preset_path(preset, session_.camera, session_.summary(), film_choice_.path_seconds);
}

void Viewer::keep_bookmark(int number) {
  if (!session_.has_dataset()) return;
  session_.bookmarks.at(static_cast<std::size_t>(number)) = session_.camera;
  say(fmt::format("this view is kept under the key {}", number + 1));
}

void Viewer::go_to_bookmark(int number) {
  if (!session_.has_dataset()) return;
  const auto& bookmark = session_.bookmarks.at(static_cast<std::size_t>(number));
  if (!bookmark)
    return say(fmt::format("no view is kept under {0}: Shift+{0} keeps the present one", number + 1));
  director_.glide(*bookmark, session_.camera);
}

}  // namespace orrery::app
