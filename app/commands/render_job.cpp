#include "app/commands/render_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/process_group.h"
#include "app/session/dataset_search.h"
#include "app/session/idle_assignments.h"
#include "lab/bench/default_bodies.h"
#include "lab/bench/tuned.h"
#include "lab/setup/dataset_hash.h"
#include "lab/setup/double_precision.h"
#include "lab/setup/many_bodies.h"
#include "lab/setup/watched.h"
#include "sim/core/error.h"
#include "sim/core/time_account.h"
#include "sim/ranks/world.h"
#include "sim/simulation/engine_registry.h"

namespace orrery::app {

namespace {

constexpr std::uint64_t default_steps = 200;

/// True if something that `orrery tune` remembered was set.
bool use_tuned_results(RenderJob& job, const std::vector<std::string>& assignments) {
  std::string problem;
  const auto results = lab::read_tuned(problem);
  if (!problem.empty()) fmt::print(stderr, "{}\n", problem);
  const auto before = job.state.configuration;
  const auto line = lab::apply_tuned(job.table, job.state.configuration, results,
                                     lab::option_context(job.scene), assignments);
  if (!line.empty()) fmt::print(stderr, "{}\n", line);
  return job.state.configuration != before;
}

/// A file that was named wins over the one that the state names.
void find_dataset_of_state(RenderJob& job, const RenderOptions& options, const std::filesystem::path& file,
                           const char* argument) {
  auto& state = job.state;
  const auto& given = options.run.dataset;
  state.dataset = given.source.empty() ? find_dataset(state.dataset, state.dataset_hash, file, argument)
                                       : given_instead(state.dataset, given);
}

/// The state that everything begins with, if one was named.
bool take_state(RenderJob& job, const RenderOptions& options) {
  if (const auto& resume = options.run.checkpoint.resume) {
    job.resumed = read_checkpoint(job.table, *resume);
    job.state = job.resumed->view;
    find_dataset_of_state(job, options, *resume, "--resume");
  } else if (!options.run.state.empty()) {
    job.state = read_view_state(job.table, options.run.state);
    job.state.force_problem.clear();  // this run has its own
    find_dataset_of_state(job, options, options.run.state, "--state");
  } else {
    return false;
  }
  for (const auto& note : job.state.notes) fmt::print(stderr, "{}\n", note);
  return true;
}

/// Where the run ends that goes on from a checkpoint; a film begins there.
void settle_last_step(RenderJob& job, const RenderOptions& options) {
  const auto reached = job.resumed->engine.steps;
  if (!options.steps && options.frames.empty())
    job.state.step = options.film.wanted() ? reached : std::max(reached, job.resumed->last_step);
  if (job.state.step >= reached) return;
  throw sim::UsageError(
      fmt::format("the checkpoint is of step {} already; steps are counted from the start of the run, so say "
                  "more than that",
                  reached));
}

/// Many bodies begin with a tree, few that are followed for long in double precision.
void choose_kernel(RenderJob& job, const std::vector<std::string>& assignments) {
  auto& configuration = job.state.configuration;
  for (const auto& line : {lab::choose_kernel_for_many(job.table, configuration, job.scene, assignments),
                           lab::choose_double_precision(job.table, configuration, job.scene, assignments)})
    if (!line.empty() && is_first_process()) fmt::print(stderr, "{}\n", line);
}

/// Beside the work on the dataset. A series that plays needs no engine.
void prepare_engine(RenderJob& job, const RenderOptions& options) {
  const auto& dataset = job.state.dataset;
  lab::require_dataset(dataset);
  if (options.film.wanted() && lab::is_file(dataset)) return;
  job.preparation =
      sim::prepare_engine(lab::probable_configuration(job.table, dataset, options.run.assignments));
}

/// Collects the facts about the dataset that pictures need. Returns its hash.
std::string look_at(RenderJob& job) {
  const sim::TimedPhase phase("summary");
  auto hashed = lab::begin_dataset_hash(job.scene.bodies);
  job.summary = summarize(job.scene.bodies);
  return hashed.get();
}

/// Where nobody says them. Bodies without velocities would fall together: they are drawn as they are, as the
/// window shows them before anybody presses a key.
std::uint64_t usual_steps(const RenderOptions& options, const sim::Scene& scene) {
  if (options.film.wanted()) return 0;
  if (scene.has_velocities) return default_steps;
  if (!options.steps && options.frames.empty())
    fmt::print(stderr, "no velocities: the bodies are drawn where they are; --steps N lets them move\n");
  return 0;
}

}  // namespace

RenderJob prepare_job(const RenderOptions& options) {
  RenderJob job;
  const bool from_state = take_state(job, options);
  if (!from_state) {
    job.state.dataset = options.run.dataset;
    lab::choose_bodies_of_picture(job.state.dataset, job.table, options.run.assignments);
    prepare_engine(job, options);
  }
  job.scene = lab::load_watched(job.state.dataset);
  lab::report_notes(job.state.dataset, job.scene,
                    from_state ? std::vector<std::string>() : options.run.assignments);
  const auto hash = look_at(job);
  if (job.resumed) require_same_dataset(*job.resumed, hash);
  if (from_state && !job.state.dataset_hash.empty() && job.state.dataset_hash != hash) {
    fmt::print(stderr, "the dataset is not the one that the state was made with; the picture will differ\n");
  }
  job.state.dataset_hash = hash;
  bool tuned = false;
  if (!from_state) {
    job.state.configuration = job.table.defaults();
    lab::apply_scene(job.state.configuration, job.scene, options.run.assignments);
    // What was found for one process says nothing of several.
    if (!options.run.untuned && sim::world().size() == 1)
      tuned = use_tuned_results(job, options.run.assignments);
    job.state.camera = view_of(job.summary, View::fit, options.size.aspect());
    job.state.step = usual_steps(options, job.scene);
  }
  job.state.camera = chosen_camera(options.run.camera, job.state.camera, job.summary, options.size.aspect());
  lab::apply_assignments(job.table, job.state.configuration, options.run.assignments);
  lab::report_time_step(job.state.configuration, job.scene, options.run.assignments);
  lab::report_idle_gpu(job.state.configuration, options.run.assignments);
  if (!from_state && !tuned) choose_kernel(job, options.run.assignments);
  job.table.check(job.state.configuration, lab::option_context(job.scene));
  report_idle_assignments(job.table, options.run.assignments, {&job.state.configuration, 1}, Draws::yes);
  if (options.steps) job.state.step = *options.steps;
  if (!options.frames.empty()) job.state.step = options.frames.back();
  if (job.resumed) {
    settle_last_step(job, options);
    const auto line = adapt_checkpoint(*job.resumed, job.table, job.state.configuration);
    if (!line.empty()) fmt::print(stderr, "{}\n", line);
  }
  return job;
}

}  // namespace orrery::app
