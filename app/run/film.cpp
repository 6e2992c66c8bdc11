#include "app/run/film.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/picture/look.h"
#include "app/session/camera_file.h"
#include "app/session/shared_names.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/json_text.h"
#include "sim/core/message.h"
#include "sim/options/physics_options.h"

namespace orrery::app {

namespace {

constexpr double usual_seconds = 10.0;
/// Between two looks at where the bodies are, which copies all of them from a GPU.
constexpr double seconds_between_looks = 0.25;
/// The value of --path for a camera that keeps the bodies in the picture.
constexpr std::string_view follow_name = "follow";
constexpr std::uint64_t most_frames = 10'000'000;

/// Before anything is read or computed.
void check_path(const std::string& path) {
  std::error_code failure;
  const bool is_name = path.find_first_of("/.") == std::string::npos;
  if (!is_name || path == follow_name || is_path_preset(path) || std::filesystem::exists(path, failure))
    return;
  throw sim::UsageError(fmt::format(
      "--path takes orbit, fly-through, follow or a file, and there is no file {}", sim::quoted(path)));
}

bool plays_file(const FilmOptions& film) {
  return !film.path.empty() && film.path != follow_name && !is_path_preset(film.path);
}

std::uint64_t frames_wanted(const FilmOptions& film) {
  if (film.frames) return *film.frames;
  const double seconds = plays_file(film) ? read_path(film.path).duration() : usual_seconds;
  return static_cast<std::uint64_t>(std::llround(seconds * film.plan.rate)) + (plays_file(film) ? 1 : 0);
}

/// The metadata of the film: enough to make it again.
std::string comment_of(const FilmPlan& plan, const FilmTiming& timing, const RenderJob& job) {
  nlohmann::json entry{{"codec", plan.codec},
                       {"encoder_threads", plan.threads},
                       {"frames", timing.frames},
                       {"frames_a_second", plan.rate},
                       {"steps_per_frame", timing.stride},
                       {"state", shared_state(job.state, plan.output)}};
  return sim::dump_json(entry);
}

FilmPlan plan_of(const RenderOptions& options, const FilmTiming& timing, const RenderJob& job) {
  auto plan = options.film.plan;
  plan.size = {options.size.width, options.size.height};
  plan.comment = comment_of(plan, timing, job);
  return plan;
}

render::CameraPath path_of(const FilmOptions& film, const FilmTiming& timing, const RenderJob& job) {
  if (film.path.empty() || film.path == follow_name) return {};
  if (plays_file(film)) return read_path(film.path);
  return preset_path(film.path, job.state.camera, job.summary,
                     static_cast<double>(timing.frames) / film.plan.rate);
}

std::string where(const FilmResult& result) {
  return result.file.empty() ? std::string("nothing of it could be kept")
                             : fmt::format("{} holds {}", sim::quoted(result.file),
                                           sim::counted(result.frames, "frame", "frames"));
}

}  // namespace

std::uint64_t FilmTiming::frames_of(std::uint64_t step) const {
  if (step < first_step || step > last_step()) return 0;
  if (stride == 0) return frames;
  return (step - first_step) % stride == 0 ? 1 : 0;
}

void check_film(RenderOptions& options) {
  auto& film = options.film;
  if (!film.wanted()) {
    if (!film.path.empty()) throw sim::UsageError("--path moves the camera of a film; say --record FILE too");
    return;
  }
  if (!film.path.empty()) check_path(film.path);
  if (options.frames.size() > 1)
    throw sim::UsageError("with --record, --frames is one number: how many frames the film has");
  if (!options.frames.empty()) film.frames = options.frames.front();
  options.frames.clear();
  if (film.frames && (*film.frames < 1 || *film.frames > most_frames))
    throw sim::UsageError(fmt::format("a film has 1 to {} frames, not {}", most_frames, *film.frames));
  film.plan.size = {options.size.width, options.size.height};
  settle_film(film.plan);
  const auto possible = possible_plan(film.plan);
  require_free(possible.output);
  if (possible.output != film.plan.output)
    fmt::print(stderr, "there is no program ffmpeg: the frames are kept in {} (apt install ffmpeg)\n",
               sim::quoted(possible.output));
}

FilmTiming film_timing(const FilmOptions& options, const RenderJob& job) {
  FilmTiming timing{.first_step = job.state.step,
                    .frames = std::max<std::uint64_t>(frames_wanted(options), 1)};
  timing.stride = options.steps_per_frame.value_or(
      steps_per_frame(sim::read_group<PaceOptions>(job.state.configuration).speed,
                      sim::physics_of(job.state.configuration).time_step, options.plan.rate));
  if (timing.frames > most_frames || timing.stride > (std::uint64_t{1} << 32))
    throw sim::UsageError("the film is too long; say --frames and --set steps-per-frame=N");
  return timing;
}

FilmShoot::FilmShoot(const RenderOptions& options, const FilmTiming& timing, RenderJob& job)
    : wanted_(plan_of(options, timing, job)),
      timing_(timing),
      job_(job),
      path_(path_of(options.film, timing, job)),
      maker_(options.size),
      film_(std::make_unique<FilmWriter>(possible_plan(wanted_))) {
  if (options.film.path == follow_name) follower_.emplace(options.run.camera.zoom);
}

void FilmShoot::take(RenderStage& stage, const sim::Engine& engine) {
  const auto status = engine.status();
  job_.state.time = status.time;
  job_.state.step = status.steps;
  for (auto left = timing_.frames_of(status.steps); left > 0 && !sim::interrupted(); --left)
    take_frame(stage);
}

void FilmShoot::move_camera(RenderStage& stage) {
  const double rate = film_->plan().rate;
  const auto frame = film_->added();
  if (!path_.empty()) job_.state.camera = path_.at(static_cast<double>(frame) / rate);
  if (!follower_) return;
  const auto every = static_cast<std::uint64_t>(std::max(std::llround(seconds_between_looks * rate), 1LL));
  const auto size = film_->plan().size;
  if (frame % every == 0)
    follower_->look(stage.places(job_.summary.luminous.indices), job_.state.camera,
                    static_cast<double>(size.x) / size.y);
  if (frame == 0)
    follower_->jump(job_.state.camera);
  else
    follower_->advance(1.0 / rate, job_.state.camera);
}

void FilmShoot::take_frame(RenderStage& stage) {
  const double second = 1.0 / film_->plan().rate;
  move_camera(stage);
  const auto& picture = maker_.draw(job_, stage, second);
  while (!film_->has_room() && !film_->has_failed()) film_->wait_for_room();
  if (film_->has_failed()) give_up();
  film_->add(picture);
  film_->update();
}

void FilmShoot::end_with(const sim::Error& failure) {
  if (gave_up_) throw sim::Error(failure);
  throw sim::Error(fmt::format("{}; {}", failure.what(), where(film_->finish())));
}

void FilmShoot::give_up() {
  gave_up_ = true;
  const auto result = film_->finish();
  throw sim::Error(fmt::format("the film ends after {} of {} frames: {}; {}", result.frames, timing_.frames,
                               result.problem, where(result)));
}

std::string FilmShoot::ending(const FilmResult& result) const {
  const auto& plan = film_->plan();
  const auto of = result.frames < timing_.frames ? fmt::format(" of {}", timing_.frames) : std::string();
  return fmt::format("film: {} ({}{} frames, {}x{}, {} per second, {:.3g} s{})",
                     sim::one_line(result.file.string()), result.frames, of, plan.size.x, plan.size.y,
                     plan.rate, static_cast<double>(result.frames) / plan.rate,
                     is_film_file(plan.output) ? ", " + plan.codec : std::string());
}

void FilmShoot::finish() {
  const auto result = film_->finish();
  if (film_->added() == 0 && sim::interrupted()) return;
  if (!result.problem.empty()) give_up();
  fmt::print("{}\n", ending(result));
  if (!is_film_file(result.file))
    fmt::print("join the frames with: {}\n", joining_hint(film_->plan(), result.file));
}

}  // namespace orrery::app
