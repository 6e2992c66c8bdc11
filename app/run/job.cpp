#include "app/run/job.h"
#include "app/session/shared_names.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "app/picture/picture_views.h"
#include "app/run/file_arguments.h"
#include "app/run/process_group.h"
#include "app/session/dataset_search.h"
#include "app/session/idle_assignments.h"
#include "lab/bench/default_bodies.h"
#include "lab/bench/tuned.h"
#include "lab/setup/dataset_hash.h"
#include "lab/setup/free_option.h"
#include "lab/setup/paths.h"
#include "lab/setup/watched.h"
#include "render/picture/light_file.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/core/time_account.h"
#include "sim/ranks/world.h"
#include "sim/series/series_writer.h"
#include "sim/simulation/engine_registry.h"
#include "sim/snapshots/format.h"

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

/// "orbit-step000100.png" of "orbit.png", with as many digits as the last one has.
std::filesystem::path numbered(const std::filesystem::path& output, std::uint64_t step, std::uint64_t last) {
  const auto digits = std::to_string(last).size();
  auto name = output.parent_path() / output.stem();
  name += fmt::format("-step{:0{}}", step, digits);
  return name += output.extension();
}

std::string kind_of(const std::filesystem::path& output) {
  return sim::lower_case(output.extension().string());
}

/// Another name would say what the file is not.
void check_kind(const std::filesystem::path& output) {
  const auto kind = kind_of(output);
  if (kind.empty() || kind == ".png" || kind == ".exr") return;
  throw sim::UsageError(
      fmt::format("{}: a picture is written as .png, or as .exr (linear light); ImageMagick and others make "
                  "other kinds of a .png",
                  sim::quoted(output)));
}

/// Before anything is computed: a long run must not end with a refusal.
void check_output(const std::filesystem::path& output) {
  require_new(output);
  const sim::FileWriter trial(output);
}

/// All that a run will write, with the names that its pictures get.
std::vector<FileArgument> outputs_of(const RenderOptions& options) {
  std::vector<FileArgument> files{{"--write-state", options.write_state, FileRole::written},
                                  {"--checkpoint", options.run.checkpoint.file, FileRole::checkpoint},
                                  {"--series", options.run.series.folder, FileRole::filled}};
  for (const auto step : options.frames)
    if (!options.output.empty())
      files.push_back({"--frames", numbered(options.output, step, options.frames.back()), FileRole::settled});
  return files;
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
  if (from_state && !job.state.dataset_hash.empty() && job.state.dataset_hash != hash)
    fmt::print(stderr, "the dataset is not the one that the state was made with; the picture will differ\n");
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

std::filesystem::path output_of(const RenderOptions& options, const RenderJob& job) {
  if (!options.frames.empty() && !options.output.empty())
    return numbered(options.output, job.state.step, options.frames.back());
  if (!options.output.empty()) return options.output;
  const auto& folder = options.run.pictures;
  return free_picture_name(folder.empty() ? lab::pictures_folder() : folder, job.scene.title, job.state.step);
}

bool is_light_file(const std::filesystem::path& output) { return kind_of(output) == ".exr"; }

bool wants_picture(const RenderOptions& options) {
  const bool other_work = !options.run.series.folder.empty() || options.film.wanted();
  return !other_work || !options.output.empty() || !options.frames.empty();
}

bool draws(const RenderOptions& options) { return wants_picture(options) || options.film.wanted(); }

void check_options(RenderOptions& options) {
  check_resume(options.run);
  check_kind(options.output);
  if (options.steps && !options.frames.empty())
    throw sim::UsageError("--frames says after which steps pictures are taken; leave --steps out");
  if (is_light_file(options.output)) {
    if (!render::has_light_files())
      throw sim::Error("this program was built without OpenEXR and writes no .exr: give a .png");
    if (options.transparent)
      throw sim::UsageError("--transparent is for PNG: .exr holds light alone, without a background");
  }
  if (options.transparent && options.film.wanted())
    throw sim::UsageError("--transparent is for pictures: films have no transparency");
  const bool first = is_first_process();
  if (first && options.frames.empty() && !options.output.empty()) check_output(options.output);
  if (first && !options.write_state.empty()) sim::check_snapshot_name(options.write_state);
  if (!options.run.series.folder.empty()) sim::check_series(options.run.series);
}

void check_outputs(const RenderOptions& options, RenderJob& job) {
  if (options.output.empty()) return check_output(output_of(options, job));
  const auto last = std::exchange(job.state.step, 0);
  auto frames = options.frames;
  if (frames.empty()) frames.push_back(last);
  for (const auto frame : frames) {
    job.state.step = frame;
    check_output(output_of(options, job));
  }
  job.state.step = last;
}

void check_files_of_run(const RenderOptions& options, const lab::DatasetRequest& dataset) {
  auto files = outputs_of(options);
  files.push_back({"the dataset", dataset.source, FileRole::read});
  for (const auto& other : dataset.with) files.push_back({"the dataset", other, FileRole::read});
  check_files(files);
}

void check_views(const RenderOptions& options, const RenderJob& job) {
  if (is_light_file(options.output) &&
      sim::read_group<PictureOptions>(job.state.configuration).has_several_views())
    throw sim::UsageError("a file of light holds one view: add --set views=one, or write a .png");
}

}  // namespace orrery::app
