#include "app/commands/render.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "app/commands/interruption.h"
#include "app/commands/kernel_folder.h"
#include "app/commands/process_group.h"
#include "app/commands/render_job.h"
#include "app/commands/render_outputs.h"
#include "app/commands/render_pictures.h"
#include "app/commands/render_steps.h"
#include "app/commands/run_checkpoints.h"
#include "app/commands/run_series.h"
#include "app/session/interop.h"
#include "app/session/state.h"
#include "sim/core/answer_in_time.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/message.h"
#include "sim/core/plain_text.h"
#include "sim/core/time_account.h"
#include "sim/cuda/options/schedule.h"
#include "sim/engines/checkpoint_file.h"
#include "sim/options/physics_options.h"
#include "sim/ranks/world.h"
#include "sim/series/playback_engine.h"
#include "sim/simulation/energy_watch.h"
#include "sim/simulation/error_watch.h"
#include "sim/simulation/ranked_engine.h"
#include "sim/simulation/rescue.h"
#include "sim/snapshots/format.h"

namespace orrery::app {

namespace {

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
  std::optional<sim::NothingToKeep> nothing;
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
  std::optional<sim::NothingToKeep> nothing_yet(std::in_place);
  auto options = with_state(wanted);
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
