#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/ending/answer_in_time.h"
#include "app/picture/trail_style.h"
#include "app/run/film.h"
#include "app/run/interruption.h"
#include "app/run/job.h"
#include "app/run/kept_states.h"
#include "app/run/kernel_folder.h"
#include "app/run/process_group.h"
#include "app/run/stage.h"
#include "app/run/steps.h"
#include "app/session/interop.h"
#include "app/session/shared_names.h"
#include "app/session/state.h"
#include "render/context/gl.h"
#include "render/context/headless_context.h"
#include "render/context/target.h"
#include "render/picture/light_file.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/interrupt.h"
#include "sim/core/message.h"
#include "sim/core/time_account.h"
#include "sim/cuda/options/schedule.h"
#include "sim/engines/checkpoint_file.h"
#include "sim/options/physics_options.h"
#include "sim/ranks/world.h"
#include "sim/series/series_reader.h"
#include "sim/simulation/energy_watch.h"
#include "sim/simulation/error_watch.h"
#include "sim/simulation/lost_run.h"
#include "sim/simulation/ranked_engine.h"
#include "sim/snapshots/format.h"

namespace orrery::app {

namespace {

/// Bytes per pixel in memory until the file is written.
constexpr std::size_t bytes_of_picture = 4;
constexpr std::size_t bytes_of_light = 12;

/// The frames to draw before the last step, and their purpose.
struct FramePlan {
  std::uint64_t steps = 0;
  std::uint64_t trail_start = 0;  ///< trails have a place of this step and every `stride` after it
  std::uint64_t stride = 0;       ///< 0: there are none
  std::vector<std::uint64_t> frames;

  bool is_place(std::uint64_t step) const {
    return stride != 0 && step >= trail_start && (step - trail_start) % stride == 0;
  }
  bool is_picture(std::uint64_t step) const { return std::ranges::binary_search(frames, step); }
};

FramePlan itinerary_of(const RenderOptions& options, const RenderJob& job) {
  const auto& settings = job.state.configuration;
  FramePlan way{.steps = job.state.step, .frames = options.frames};
  const auto plan = trail_plan(sim::read_group<TrailOptions>(settings), job.scene.bodies.size());
  if (plan.bodies.empty()) return way;
  way.stride = steps_between_places(settings);
  // The last place is that of the last step; for one picture older ones than the ring holds are left out.
  const auto all = way.steps / way.stride;
  const bool one_picture = options.frames.empty() && !options.film.wanted();
  const auto kept = one_picture ? std::min<std::uint64_t>(all, plan.rows - 1) : all;
  way.trail_start = way.steps - kept * way.stride;
  return way;
}

/// Linear light, with the state of the picture.
void write_light(const std::filesystem::path& path, PictureSize size, const ViewState& state,
                 PictureMaker& maker, RenderStage& stage) {
  sim::FileWriter file(path, sim::for_named_outputs());
  render::LightFileEncoder encoder({size.width, size.height}, picture_text(state, path));
  maker.light(stage, [&](std::span<const float> values, int rows) { encoder.add_rows(values, rows); });
  file.write(encoder.finish());
  file.finish();
}

/// A camera that was chosen for what it shows, and is not moved.
bool names_camera(const RenderOptions& options) {
  return options.run.camera.camera || !options.run.state.empty() || options.run.checkpoint.resume;
}

/// The renderer of the first process; empty in the others.
struct Studio {
  std::unique_ptr<render::HeadlessContext> context;
  std::unique_ptr<RenderStage> stage;
  std::unique_ptr<FilmShoot> film;  ///< null: none
};

/// OpenGL without a display. Throws render::Error, and sim::Error for pictures that do not fit.
std::unique_ptr<render::HeadlessContext> open_context(const RenderOptions& options) {
  const sim::TimedPhase phase("start OpenGL");
  auto context = std::make_unique<render::HeadlessContext>();
  render::load_gl(render::HeadlessContext::loader);
  const glm::ivec2 size(options.size.width, options.size.height);
  if (options.film.wanted()) render::check_framebuffer_size(size);
  check_picture_memory(size, is_light_file(options.output) ? bytes_of_light : bytes_of_picture);
  fmt::print(stderr, "drawing with {} ({})\n", render::gl_info().renderer, context->description());
  return context;
}

/// A picture without bodies is black, and does not say why: a line on standard error does.
void note_empty_picture(const RenderOptions& options, const RenderJob& job, RenderStage& stage) {
  const auto now = moved_summary(job.summary, stage.bodies());
  if (now.galaxies > 1) return;
  if (share_in_picture(job.state.camera, now.luminous.places, options.size.aspect()) > 0.0) return;
  fmt::print(
      stderr,
      "no body is in the picture of step {}: they are about ({:.4g}, {:.4g}, {:.4g}); `--view fit` frames "
      "them in a picture of one step, `--view FILE` says where to look\n",
      job.state.step, now.luminous.center.x, now.luminous.center.y, now.luminous.center.z);
}

/// Draws and writes the picture of the present state, which has been published. First process only.
void take_picture(const RenderOptions& options, RenderJob& job, sim::Engine& engine, RenderStage& stage) {
  const sim::TimedPhase phase("picture");
  const auto status = engine.status();
  job.state.time = status.time;
  job.state.step = status.steps;
  note_empty_picture(options, job, stage);
  PictureMaker maker(options.size);
  // Other programs may have taken a name that was free.
  const auto existing = options.output.empty() ? sim::Existing::number : sim::for_named_outputs();
  auto output = output_of(options, job);
  if (is_light_file(output))
    write_light(output, options.size, job.state, maker, stage);
  else
    output = write_picture(output, maker.picture(job, stage, options.transparent), job.state, existing);
  fmt::print("picture: {}\n", sim::one_line(output.string()));
}

/// The steps with what is drawn on the way; the last picture is left to the caller.
StepWork run_and_draw(const RenderOptions& options, RenderJob& job, sim::Engine& engine,
                      const RunOutputs& keeping, const Studio& studio, const FilmTiming& timing) {
  const auto way = draws(options) ? itinerary_of(options, job) : FramePlan{.steps = job.state.step};
  return run_or_rescue(engine, job, keeping, [&](std::uint64_t step) {
    const bool picture = way.is_picture(step) && step != way.steps;
    const bool filmed = options.film.wanted() && timing.frames_of(step) > 0;
    if (!picture && !filmed && !way.is_place(step)) return;
    publish(studio.stage.get(), job, engine);
    if (picture && studio.stage) take_picture(options, job, engine, *studio.stage);
    if (filmed && studio.film) studio.film->take(*studio.stage, engine);
  });
}

/// A view that was asked for shows what there is after the last step. In films, and where several pictures
/// are to be compared, the camera stays; so does the one of the start, unless nearly all bodies have left it.
void fit_camera(const RenderOptions& options, RenderJob& job, RenderStage& stage) {
  constexpr double few = 0.05;
  const bool alone = options.frames.empty() && !options.film.wanted();
  if (!alone || job.state.step == 0) return;
  const auto now = moved_summary(job.summary, stage.bodies());
  const auto aspect = options.size.aspect();
  const bool lost = !names_camera(options) && now.galaxies == 1 &&
                    share_in_picture(job.state.camera, now.luminous.places, aspect) < few;
  if (!lost && !options.run.camera.view) return;
  if (lost) {
    const auto anew = summarize(stage.bodies());
    job.state.camera = view_of(anew, View::fit, aspect);
    stage.look_at(anew);
    fmt::print(stderr, "the bodies left the view of the start: the picture is framed where they are now\n");
  }
  job.state.camera = chosen_camera(options.run.camera, job.state.camera, now, aspect);
}

/// The last step in the dataset's order, with what the run assumed, so that it can be gone on from.
void write_state(const std::filesystem::path& path, const RenderJob& job, sim::Engine& engine) {
  const sim::TimedPhase phase("write the state");
  const auto scene = sim::present_state(engine, job.scene, sim::physics_of(job.state.configuration));
  if (!is_first_process()) return;
  sim::write_snapshot(scene, path);
}

/// A picture or state file that was named as the data is what --state names.
RenderOptions with_state(RenderOptions options) {
  auto& run = options.run;
  if (lab::is_file(run.dataset) && sim::looks_like_checkpoint(run.dataset.source))
    throw sim::UsageError(
        fmt::format("{0} is a checkpoint: go on with it by --resume {0}", sim::quoted(run.dataset.source)));
  if (!names_state(run.dataset)) return options;
  if (!run.state.empty())
    throw sim::UsageError(
        fmt::format("'{}' is a state, and --state names another; leave one out", run.dataset.source));
  require_plain_dataset(run.dataset);
  run.state = std::exchange(run.dataset, {}).source;
  return options;
}

void choose_device(const RenderOptions& options, RenderJob& job) {
  if (sim::world().size() > 1) return;
  auto& configuration = job.state.configuration;
  configuration = sim::cuda::with_first_device(configuration, draws(options) ? drawing_device() : 0);
}

/// The snapshots of which a film is asked; empty: what it shows is simulated.
std::vector<sim::SnapshotPlace> played_series(const RenderOptions& options) {
  if (!options.film.wanted() || !options.run.state.empty() || options.run.checkpoint.resume) return {};
  auto series = lab::series_of(options.run.dataset);
  if (!series.empty() && !options.run.checkpoint.file.empty())
    throw sim::UsageError("a series that plays is not computed: there is nothing for --checkpoint");
  if (!series.empty() && sim::world().size() > 1)
    throw sim::UsageError("the film of a series is made by one process; leave mpirun out");
  return series;
}

/// One frame a step, and from the first snapshot to the last one.
void time_by_series(RenderOptions& options, std::size_t snapshots) {
  auto& film = options.film;
  if (film.steps_per_frame)
    throw sim::UsageError("a series has no steps; --set snapshot-rate=N says how fast it plays");
  film.steps_per_frame = 1;
  if (film.frames || !film.path.empty()) return;
  const double seconds = static_cast<double>(snapshots - 1) / film.snapshot_rate;
  film.frames = static_cast<std::uint64_t>(std::llround(std::ceil(seconds * film.plan.rate - 1e-9))) + 1;
}

std::unique_ptr<sim::Engine> engine_for(const RenderJob& job, std::vector<sim::SnapshotPlace> series) {
  const sim::TimedPhase phase("start the engine");
  if (series.empty()) return sim::make_ranked_engine(job.table, job.state.configuration, sim::world());
  return sim::make_playback_engine(std::move(series), std::make_shared<const sim::Scene>(job.scene),
                                   lab::read_options(job.state.dataset), job.snapshots_a_step);
}

/// Pictures of steps that the run had reached are not taken again.
void leave_out_passed_frames(RenderOptions& options, const RenderJob& job) {
  if (!job.resumed || options.frames.empty()) return;
  std::erase_if(options.frames, [&](std::uint64_t step) { return step <= job.resumed->engine.steps; });
  if (options.frames.empty())
    throw sim::UsageError("the run has passed all steps of --frames; name later ones");
}

/// Sets the duration of the film, if there is one; the job then ends with the film's last step.
FilmTiming settle_timing(const RenderOptions& options, RenderJob& job) {
  if (!options.film.wanted()) return {};
  const auto timing = film_timing(options.film, job);
  job.state.step = timing.last_step();
  return timing;
}

/// Without a film all else is complete: an interruption while the picture is drawn leaves it out. An
/// interruption that came before asked for the picture.
void take_last_picture(const RenderOptions& options, RenderJob& job, sim::Engine& engine,
                       const Studio& studio) {
  std::fflush(stdout);
  std::optional<NothingToKeep> nothing;
  if (!sim::interrupted() && !studio.film) nothing.emplace();
  take_picture(options, job, engine, *studio.stage);
}

/// An output that cannot be written does not keep the others from being written.
class Outputs {
 public:
  /// True if it is written. Of several failures all but the first are said at once.
  template <typename Output>
  bool keep(const Output& output) {
    try {
      output();
      return true;
    } catch (const std::exception& error) {
      if (first_) fmt::print(stderr, "{}\n", error.what());
      if (!first_) first_ = std::current_exception();
      return false;
    }
  }
  /// Throws the first failure.
  void check() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::exception_ptr first_;
};

/// Writes the remaining outputs and messages. Returns the exit status.
int complete(const RenderOptions& options, RenderJob& job, sim::Engine& engine, const RunOutputs& keeping,
             const Studio& studio, const StepWork& work) {
  const auto steps = std::exchange(job.state.step, engine.status().steps);
  const auto energy = keeping.energy != nullptr ? keeping.energy->problem() : std::string();
  const auto forces = keeping.errors != nullptr ? keeping.errors->note() : std::string();
  // Before anything is printed: who reads it may have ended with the same Ctrl+C.
  Outputs outputs;
  const bool state =
      !options.write_state.empty() && outputs.keep([&] { write_state(options.write_state, job, engine); });
  if (wants_picture(options)) publish(studio.stage.get(), job, engine);
  if (studio.stage && wants_picture(options)) {
    fit_camera(options, job, *studio.stage);
    outputs.keep([&] { take_last_picture(options, job, engine, studio); });
  }
  if (studio.film && !sim::interrupted()) note_empty_picture(options, job, *studio.stage);
  if (studio.film) outputs.keep([&] { studio.film->finish(); });
  if (is_first_process())
    report_work(job, engine.report(), work,
                keeping.energy != nullptr ? keeping.energy->text(engine.status().steps) : std::string());
  if (is_first_process() && state) fmt::print("state: {}\n", sim::one_line(options.write_state.string()));
  keeping.series.report();
  outputs.keep([&] { keeping.checkpoints.report(); });
  const int status = interrupted_at(fmt::format("step {} of {}", job.state.step, steps));
  outputs.check();
  if (status != 0 || job.state.force_problem.empty()) return status;
  if (is_first_process() && !forces.empty())
    fmt::print(stderr, "forces were wrong beyond what was stated: {}\n", forces);
  if (is_first_process() && !energy.empty()) fmt::print(stderr, "the result is wrong: {}\n", energy);
  return sim::stated_error_exceeded;
}

/// Nothing is computed where a series plays.
std::optional<sim::ErrorWatch> watch_errors(const RenderJob& job) {
  if (job.snapshots > 0) return std::nullopt;
  const auto first = job.resumed ? job.resumed->engine.steps : 0;
  const auto say = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  return sim::ErrorWatch(
      {.table = job.table, .scene = job.scene, .first = first, .last = job.state.step, .fresh = first == 0},
      job.state.configuration, sim::world(), say);
}

/// The bodies into the engine.
void load_engine(sim::Engine& engine, const sim::Scene& scene) {
  const sim::TimedPhase phase("load");
  engine.load(scene.bodies, scene.time);
}

/// A series is expected to play.
void note_series(const RenderOptions& options, const RenderJob& job) {
  const auto& run = options.run;
  const bool named = !run.state.empty() || run.checkpoint.resume || options.film.wanted();
  if (named || job.state.step == 0 || lab::series_of(run.dataset, job.scene).empty()) return;
  fmt::print(
      stderr,
      "this simulates from the first snapshot of the series: `--record FILE` plays it as a film, `--set "
      "snapshot=N` begins with another one, `--steps 0` draws it as it is\n");
}

/// A film that ends with a failure says how much of it there is.
StepWork run_and_film(const RenderOptions& options, RenderJob& job, sim::Engine& engine,
                      const RunOutputs& keeping, const Studio& studio, const FilmTiming& timing) {
  try {
    return run_and_draw(options, job, engine, keeping, studio, timing);
  } catch (const sim::Cancelled&) {
    throw;
  } catch (const sim::Error& failure) {
    if (!studio.film || sim::world().size() > 1) throw;
    studio.film->end_with(failure);
  }
}

int render_all(const RenderOptions& wanted) {
  std::optional<NothingToKeep> nothing_yet(std::in_place);
  auto options = with_state(wanted);
  check_film(options);
  check_options(options);
  const bool first = is_first_process();
  read_kernels_from(options.run.kernel_folder);
  auto series_played = played_series(options);
  if (!series_played.empty()) time_by_series(options, series_played.size());
  auto job = prepare_job(options);
  check_files_of_run(options, job.state.dataset);
  if (first) note_series(options, job);
  leave_out_passed_frames(options, job);
  check_views(options, job);
  // The snapshots come from files, into main memory.
  if (!series_played.empty()) {
    job.state.configuration.set("engine", std::string("cpu"));
    job.snapshots = series_played.size();
    job.snapshots_a_step = options.film.snapshot_rate / options.film.plan.rate;
  }
  const auto timing = settle_timing(options, job);
  if (first && wants_picture(options)) check_outputs(options, job);
  if (first && !options.write_state.empty()) sim::try_snapshot(job.scene, options.write_state);
  RunSeries series(options.run.series, job.scene, job.state.configuration);
  RunCheckpoints checkpoints(options.run.checkpoint, job);
  Studio studio;
  if (first && draws(options)) studio.context = open_context(options);
  choose_device(options, job);
  auto errors = watch_errors(job);
  std::optional<sim::EnergyWatch> energy;
  if (errors) energy.emplace(job.scene.bodies, job.state.step);
  const RunOutputs keeping{series, checkpoints, errors ? &*errors : nullptr, energy ? &*energy : nullptr};
  const auto engine = engine_for(job, std::move(series_played));
  load_engine(*engine, job.scene);
  checkpoints.restore(*engine);
  nothing_yet.reset();
  if (studio.context) studio.stage = std::make_unique<RenderStage>(job);
  if (studio.context && options.film.wanted())
    studio.film = std::make_unique<FilmShoot>(options, timing, job);
  const auto steps = job.state.step;
  const auto work = run_and_film(options, job, *engine, keeping, studio, timing);
  series.finish();
  job.state.step = steps;
  return complete(options, job, *engine, keeping, studio, work);
}

}  // namespace

int render_picture(const RenderOptions& options) {
  sim::TimeAccount account;
  end_early_on_signals();
  const int status = render_all(options);
  if (options.times && is_first_process()) fmt::print(stderr, "{}", sim::times_table(account.entries()));
  return status;
}

}  // namespace orrery::app
