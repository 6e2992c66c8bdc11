#include "app/viewer.h"

#include <glad/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/display_options.h"
#include "app/keys.h"
#include "app/log.h"
#include "app/paths.h"
#include "render/error.h"
#include "render/gl.h"
#include "sim/error.h"

namespace orrery::app {

namespace {

constexpr double frame_interval = 1.0 / 60.0;
/// Nothing moved for a while: look less often, to leave the processors to others.
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

}  // namespace

Viewer::Viewer(const ViewOptions& options)
    : table_(all_options()),
      options_(options),
      settings_(read_settings()),
      window_(window_size(options, settings_), "Orrery", options.fullscreen),
      gui_(window_.handle(), window_.content_scale() * settings_.ui_scale),
      session_(table_, options.run.assignments) {
  log_info(fmt::format("drawing with {}", render::gl_info().renderer));
  for (const auto& source : options.run.data) {
    playlist_.push_back(options.run.dataset);
    playlist_.back().source = source;
  }
  if (playlist_.empty()) playlist_.push_back(options.run.dataset);
  // Wrong assignments are a mistake of the command line: say so before the window shows.
  auto trial = table_.defaults();
  apply_assignments(table_, trial, options.run.assignments);
  if (!options.run.state.empty()) {
    loader_.open(read_view_state(table_, options.run.state));
  } else {
    loader_.open(playlist_.front());
  }
}

void Viewer::run() {
  auto last = Clock::now();
  while (!window_.closing()) {
    frame();
    const auto now = Clock::now();
    smooth(times_.total_ms, milliseconds(now - last));
    move_camera(std::chrono::duration<double>(now - last).count());
    last = now;
  }
  settings_.window_size = window_.size();
  if (!options_.fullscreen && !write_settings(settings_))
    log_warning("the settings could not be kept: no writable configuration folder");
}

double Viewer::wait_seconds(Clock::time_point frame_start) const {
  const bool idle = Clock::now() - last_change_ > idle_after;
  const double spent = std::chrono::duration<double>(Clock::now() - frame_start).count();
  return std::max((idle ? idle_interval : frame_interval) - spent, 0.0);
}

void Viewer::frame() {
  const auto start = Clock::now();
  take_loaded();
  if (session_.update()) {
    scene_current_ = false;
    last_change_ = start;
  }
  const auto pixels = window_.framebuffer_size();
  if (pixels.x > 0 && pixels.y > 0) {
    draw_scene(pixels);
    const auto drawn = Clock::now();
    gui_.frame(glm::vec2(window_.size()), pixels, [this] { build_gui(); });
    gui_.draw(0);
    widgets_.write();
    const auto built = Clock::now();
    if (screenshot_wanted_) save_picture(*std::exchange(screenshot_wanted_, std::nullopt));
    window_.swap();
    smooth(times_.draw_ms, milliseconds(drawn - start));
    smooth(times_.panel_ms, milliseconds(built - drawn));
    smooth(times_.swap_ms, milliseconds(Clock::now() - built));
  }
  for (const auto& event : window_.poll(wait_seconds(start))) handle(event);
}

void Viewer::take_loaded() {
  std::string problem;
  auto loaded = loader_.take(problem);
  if (!problem.empty()) {
    log_error(problem);
    // The program was started for this dataset: without any other to show there is nothing to stay for.
    if (!session_.has_dataset() && playlist_.size() == 1) throw sim::Error(problem);
    problem_ = problem;
  }
  if (!loaded) return;
  const bool restored = loaded->state.has_value();
  try {
    if (restored && loaded->state->dataset_hash != loaded->hash)
      log_warning("the dataset is not the one that the picture was taken of");
    if (restored && !loaded->state->exact_replay)
      log_warning("options were switched before that picture: repeating its steps gives a similar state");
    const auto title = loaded->scene->title;
    for (const auto& note : loaded->scene->notes) log_info(note);
    session_.open(std::move(*loaded));
    scene_current_ = false;
    problem_.clear();
    log_info(fmt::format("{}: {} bodies", title, session_.summary().bodies));
  } catch (const sim::UsageError&) {
    if (!session_.has_dataset()) throw;
    throw;
  } catch (const std::runtime_error& error) {
    if (!session_.has_dataset()) throw;
    problem_ = error.what();
    log_error(problem_);
  }
}

void Viewer::open(const DatasetRequest& request) { loader_.open(request); }

void Viewer::open_next(int direction) {
  if (playlist_.size() < 2) return;
  const auto count = static_cast<std::ptrdiff_t>(playlist_.size());
  playing_ = static_cast<std::size_t>((static_cast<std::ptrdiff_t>(playing_) + direction + count) % count);
  open(playlist_[playing_]);
}

void Viewer::open_state(const std::filesystem::path& path) {
  auto state = read_view_state(table_, path);
  for (const auto& note : state.notes) log_warning(note);
  loader_.open(std::move(state));
}

void Viewer::drop(const std::vector<std::filesystem::path>& files) {
  for (const auto& path : files) {
    if (looks_like_state(path)) {
      try {
        open_state(path);
      } catch (const sim::Error& error) {
        problem_ = error.what();
        log_error(problem_);
      }
      return;
    }
    playlist_.push_back({.source = path.string()});
  }
  if (files.empty()) return;
  playing_ = playlist_.size() - files.size();
  open(playlist_[playing_]);
}

void Viewer::handle(const InputEvent& event) {
  last_change_ = Clock::now();
  gui_.make_current();
  const auto& io = ImGui::GetIO();
  if (event.kind == InputEvent::Kind::drop) return drop(event.files);
  if (event.kind == InputEvent::Kind::key) {
    if (!io.WantTextInput) handle_key(event);
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
    camera_control_.handle(with_keys, glm::dvec2(window_.size()), session_);
  }
}

void Viewer::handle_key(const InputEvent& event) {
  if (!event.pressed) return;
  constexpr int relevant = GLFW_MOD_CONTROL | GLFW_MOD_SHIFT | GLFW_MOD_ALT;
  const bool flying = session_.camera.mode == render::Camera::Mode::fly;
  for (const auto& binding : key_bindings()) {
    if (binding.key != event.code || binding.modifiers != (event.modifiers & relevant)) continue;
    const bool flight_key =
        flying && binding.modifiers == 0 && (event.code == GLFW_KEY_Q || event.code == GLFW_KEY_E);
    if (!flight_key) binding.act(*this);
    return;
  }
}

void Viewer::move_camera(double seconds) {
  CameraControl::fly(window_, std::min(seconds, 0.1), session_.camera);
}

void Viewer::fit_camera() {
  if (session_.has_dataset()) session_.camera = fitted_camera(session_.summary());
}

void Viewer::copy_view() {
  if (session_.has_dataset()) window_.set_clipboard(to_json(session_.view_state()).dump(2));
}

void Viewer::paste_view() try {
  const auto json = nlohmann::json::parse(window_.clipboard(), nullptr, false);
  if (!json.is_object()) throw sim::Error("the clipboard holds no copied view");
  const auto state = view_state_from_json(table_, json);
  session_.camera = state.camera;
  session_.configuration = state.configuration;
} catch (const sim::Error& error) {
  log_warning(error.what());
}

void Viewer::draw_scene(glm::ivec2 pixels) {
  if (!session_.has_dataset()) {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, pixels.x, pixels.y);
    glClearColor(0.0F, 0.0F, 0.0F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    return;
  }
  if (scene_ == nullptr || scene_->size() != pixels) {
    scene_ = std::make_unique<render::PictureTarget>(pixels);
    scene_current_ = false;
  }
  const bool same_view = drawn_camera_ == session_.camera && drawn_configuration_ == session_.configuration;
  if (!scene_current_ || !same_view) {
    painter_.draw(session_.picture(), scene_->framebuffer(), pixels);
    session_.mark_drawn();
    drawn_camera_ = session_.camera;
    drawn_configuration_ = session_.configuration;
    scene_current_ = true;
    last_change_ = Clock::now();
  }
  glBlitNamedFramebuffer(scene_->framebuffer(), 0, 0, 0, pixels.x, pixels.y, 0, 0, pixels.x, pixels.y,
                         GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

PanelContext Viewer::panel_context(float scale) {
  return {.session = session_,
          .loader = loader_,
          .widgets = widgets_,
          .times = times_,
          .playlist = playlist_,
          .scale = scale,
          .open = [this](const DatasetRequest& request) { open(request); },
          .take_screenshot = [this](bool with_panel) { take_screenshot(with_panel); },
          .fit_camera = [this] { fit_camera(); }};
}

void Viewer::draw_overlay(float scale, bool with_panel) {
  const auto size = ImGui::GetIO().DisplaySize;
  float panel_width = 0.0F;
  if (with_panel) {
    auto context = panel_context(scale);
    panel_width = draw_panels(context);
  }
  if (!session_.has_dataset() || !session_.configuration.boolean("legend")) return;
  draw_legend(*ImGui::GetBackgroundDrawList(), {panel_width, 0}, {size.x - panel_width, size.y}, scale,
              session_.legend(), session_.summary(), session_.configuration);
}

void Viewer::build_gui() {
  draw_overlay(gui_.scale(), settings_.panel_visible);
  if (settings_.help_visible) draw_help();
  show_loading();
}

void Viewer::show_loading() {
  const bool waiting = loader_.busy() && !session_.has_dataset();
  if (!waiting && problem_.empty()) return;
  const auto size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x * 0.5F, size.y * 0.5F}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(size.x * 0.8F, 460.0F * gui_.scale()), 0.0F});
  ImGui::Begin(
      "##notice", nullptr,
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
  if (waiting) {
    ImGui::TextWrapped("Loading %s", loader_.what().c_str());
    ImGui::ProgressBar(loader_.fraction());
  }
  if (!problem_.empty()) {
    ImGui::TextWrapped("%s", problem_.c_str());
    if (ImGui::Button("Close")) problem_.clear();
    widgets_.note("close-problem");
  }
  ImGui::End();
}

void Viewer::draw_help() {
  const auto size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x - 10.0F, 10.0F}, ImGuiCond_FirstUseEver, {1.0F, 0.0F});
  if (ImGui::Begin("Keys and mouse", &settings_.help_visible, ImGuiWindowFlags_AlwaysAutoResize)) {
    if (ImGui::BeginTable("keys", 2)) {
      const auto row = [](const char* name, const char* meaning) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(name);
        ImGui::TableNextColumn();
        ImGui::TextDisabled("%s", meaning);
      };
      row("drag", "turn");
      row("right or Shift drag", "move");
      row("wheel, Ctrl+wheel", "zoom, to the cursor");
      row("double click", "centre on the bodies there");
      row("drop a file", "open a dataset, a picture or a state");
      for (const auto& binding : key_bindings()) row(binding.name, binding.meaning);
      ImGui::EndTable();
    }
  }
  ImGui::End();
}

void Viewer::take_screenshot(bool with_panel) {
  if (session_.has_dataset()) screenshot_wanted_ = with_panel;
}

render::Image Viewer::draw_picture(glm::ivec2 size, bool with_panel) {
  const render::PictureTarget target(size);
  painter_.draw(session_.picture(), target.framebuffer(), size);
  session_.mark_drawn();
  const bool same_size = size == window_.framebuffer_size();
  if (with_panel && same_size) {
    gui_.draw(target.framebuffer());
    return target.read();
  }
  // At another size text is set anew, so that it stays crisp.
  const float scale =
      gui_.scale() * static_cast<float>(size.y) / static_cast<float>(window_.framebuffer_size().y);
  Gui gui(scale);
  gui.frame(glm::vec2(size), size, [&] { draw_overlay(scale, with_panel); });
  gui.draw(target.framebuffer());
  return target.read();
}

void Viewer::save_picture(bool with_panel) try {
  const auto wanted = options_.run.screenshot_size;
  const auto size = wanted ? glm::ivec2(wanted->width, wanted->height) : window_.framebuffer_size();
  const auto folder = options_.run.pictures.empty() ? pictures_folder() : options_.run.pictures;
  const auto path = free_picture_name(folder, session_.scene().title, session_.frame().steps);
  write_picture(path, draw_picture(size, with_panel), session_.view_state());
  gui_.make_current();
  log_info("picture: " + path.string());
} catch (const std::runtime_error& error) {
  gui_.make_current();
  problem_ = error.what();
  log_error(problem_);
}

}  // namespace orrery::app
