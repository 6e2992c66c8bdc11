#include "app/commands/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/file_arguments.h"
#include "app/commands/interruption.h"
#include "app/commands/kernel_folder.h"
#include "app/commands/picture_maker.h"
#include "app/commands/process_group.h"
#include "app/commands/render_film.h"
#include "app/commands/render_job.h"
#include "app/commands/render_stage.h"
#include "app/commands/run_checkpoints.h"
#include "app/commands/run_series.h"
#include "app/commands/scene_arguments.h"
#include "app/picture/picture_views.h"
#include "app/picture/trail_options.h"
#include "app/session/interop.h"
#include "app/session/state.h"
#include "lab/bench/rates.h"
#include "lab/bench/taken_options.h"
#include "lab/setup/paths.h"
#include "lab/setup/progress_line.h"
#include "render/context/gl.h"
#include "render/context/headless_context.h"
#include "render/context/target.h"
#include "render/picture/light_file.h"
#include "sim/core/answer_in_time.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/message.h"
#include "sim/core/time_account.h"
#include "sim/cuda/options/schedule.h"
#include "sim/engines/checkpoint_file.h"
#include "sim/options/physics_options.h"
#include "sim/ranks/world.h"
#include "sim/series/playback_engine.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/error_watch.h"
#include "sim/simulation/finite_watch.h"
#include "sim/simulation/ranked_engine.h"
#include "sim/simulation/rescue.h"
#include "sim/snapshots/format.h"

namespace orrery::app {

namespace {

constexpr PictureSize film_size{1920, 1080};

using Clock = std::chrono::steady_clock;

/// The steps of a run, with their forces.
struct StepWork {
  double kernel_ms = 0.0;     ///< of the force evaluations that were measured; 0: none
  double seconds = 0.0;       ///< without pictures
  double interactions = 0.0;  ///< of those evaluations
  std::uint64_t steps = 0;
  double summed = 0.0;  ///< interactions of all evaluations

  /// A step.
  void add(const sim::StepTimings& before, const sim::StepTimings& after) {
    kernel_ms += after.ms_since(before);
    interactions += after.timed_since(before);
    summed += after.summed_since(before);
    ++steps;
  }
};

/// Of the kernel where it is known.
std::string text_of(const StepWork& work) {
  const auto rates = lab::rates_of({work.interactions, work.kernel_ms}, {work.summed, 1e3 * work.seconds});
  if (rates.kernel <= 0.0) return fmt::format("{} GInteractions/s overall", lab::rate_text(rates.whole));
  return fmt::format("{} GInteractions/s in the kernel, {} overall", lab::rate_text(rates.kernel),
                     lab::rate_text(rates.whole));
}

/// Called with intermediate states, after the given number of steps.
using AtStep = std::function<void(std::uint64_t step)>;

/// The outputs of a run, and the watch of its forces.
struct RunOutputs {
  RunSeries& series;
  RunCheckpoints& checkpoints;
  sim::ErrorWatch* errors;  ///< null: nothing is computed
};

/// False: a person interrupted, and the step is not complete.
bool advance(sim::Engine& engine) {
  const sim::TimedPhase phase("steps");
  if (!engine.advance({.interrupt = sim::interrupt_flag()}) && sim::interrupted()) return false;
  engine.finish();
  return true;
}

/// The configuration has changed because forces were wrong: later pictures say so.
void note_errors(RenderJob& job, const RunOutputs& keeping) {
  if (keeping.errors->note().empty()) return;
  if (job.state.force_problem.empty()) job.state.force_problem = keeping.errors->note();
  // Repeating all steps with these options gives another state, unless there was no other step.
  if (job.state.configuration != keeping.errors->configuration() && !keeping.errors->from_the_start())
    job.state.exact_replay = false;
  job.state.configuration = keeping.errors->configuration();
  keeping.series.compute_with(job.state.configuration);
}

enum class Stepped { interrupted, done, undone };

/// A step whose forces were wrong beyond what is stated may have been undone.
Stepped make_step(sim::Engine& engine, std::uint64_t step, RenderJob& job, const RunOutputs& keeping) {
  const bool owed = keeping.series.before_step(engine, step);
  if (keeping.errors != nullptr) keeping.errors->before_step(engine, owed);
  if (!advance(engine)) return Stepped::interrupted;
  if (!owed && (keeping.errors == nullptr || !keeping.errors->waits())) return Stepped::done;
  const auto forces = engine.poll().forces;
  const bool undone = keeping.errors != nullptr && keeping.errors->after_step(engine, forces);
  if (keeping.errors != nullptr) note_errors(job, keeping);
  if (undone) return Stepped::undone;
  if (forces) keeping.series.take(*forces);
  return Stepped::done;
}

/// Up to the last step. Ends early, after a complete step, when a person interrupts.
StepWork run_steps(sim::Engine& engine, RenderJob& job, const RunOutputs& keeping, const AtStep& at_step) {
  const auto steps = job.state.step;
  StepWork work;
  sim::FiniteWatch watch(job.scene.bodies);
  Clock::duration aside{};
  const auto look = [&](std::uint64_t step) {
    const auto start = Clock::now();
    keeping.series.after_step(engine, step);
    at_step(step);
    keeping.checkpoints.after_step(engine, step);
    aside += Clock::now() - start;
  };
  const auto start = Clock::now();
  lab::ProgressLine line("render");
  const auto first = engine.status().steps;
  auto timings = engine.status().timings;
  look(first);
  for (std::uint64_t step = first; step < steps; ++step) {
    auto stepped = make_step(engine, step, job, keeping);
    while (stepped == Stepped::undone) stepped = make_step(engine, step, job, keeping);
    if (stepped == Stepped::interrupted) break;
    const auto before = std::exchange(timings, engine.status().timings);
    work.add(before, timings);
    watch.after_step(engine);
    look(step + 1);
    if (line.due())
      line.show(fmt::format("step {} of {}", step + 1, steps),
                static_cast<double>(step + 1) / static_cast<double>(steps));
  }
  work.seconds = std::chrono::duration<double>(Clock::now() - start - aside).count();
  watch.check(engine);
  keeping.checkpoints.finish(engine);
  return work;
}

/// A GPU that fails ends the run, and the last complete state is kept.
StepWork run_or_rescue(sim::Engine& engine, RenderJob& job, const RunOutputs& keeping,
                       const AtStep& at_step) {
  try {
    return run_steps(engine, job, keeping, at_step);
  } catch (const sim::DeviceLost& error) {
    const auto physics = sim::physics_of(job.state.configuration);
    throw sim::Error(sim::rescue_state(engine, job.scene, physics, {}, error.what()));
  }
}

/// A tree's rate says little without what a step takes. Empty for direct sums.
std::string tree_text(const RenderJob& job, const sim::EngineReport& engine, const StepWork& work) {
  const auto& configuration = job.state.configuration;
  const auto option = sim::kernel_option(configuration);
  const auto taken = lab::taken_choice(configuration, option, engine);
  const bool tree = taken.empty() || sim::is_approximate(option, taken);
  if (!tree || !sim::uses_tree(configuration)) return {};
  const auto steps = static_cast<double>(work.steps);
  return fmt::format(", {:.4g} ms per step, {:.0f} interactions per body", 1e3 * work.seconds / steps,
                     work.summed / steps / static_cast<double>(job.scene.bodies.size()));
}

void report(const RenderOptions& options, const RenderJob& job, const sim::EngineReport& engine,
            const StepWork& work) {
  const int ranks = sim::world().size();
  if (work.steps > 0 && work.summed > 0.0) {
    fmt::print("{}, {} in {:.2f} s with {}{}: {}{}\n",
               sim::counted(job.scene.bodies.size(), "body", "bodies"),
               sim::counted(work.steps, "step", "steps"), work.seconds,
               lab::computing_text(job.state.configuration, engine),
               ranks > 1 ? fmt::format(" in {} processes", ranks) : std::string(), text_of(work),
               tree_text(job, engine, work));
  }
  if (!options.write_state.empty()) fmt::print("state: {}\n", options.write_state.string());
}

/// "orbit-step000100.png" of "orbit.png", with as many digits as the last one has.
std::filesystem::path numbered(const std::filesystem::path& output, std::uint64_t step, std::uint64_t last) {
  const auto digits = std::to_string(last).size();
  auto name = output.parent_path() / output.stem();
  name += fmt::format("-step{:0{}}", step, digits);
  return name += output.extension();
}

/// Of the picture of the present step.
std::filesystem::path output_of(const RenderOptions& options, const RenderJob& job) {
  if (!options.frames.empty() && !options.output.empty())
    return numbered(options.output, job.state.step, options.frames.back());
  if (!options.output.empty()) return options.output;
  const auto& folder = options.run.pictures;
  return free_picture_name(folder.empty() ? lab::pictures_folder() : folder, job.scene.title, job.state.step);
}

/// Of the pixels in memory until the file is written.
constexpr std::size_t bytes_of_picture = 4;
constexpr std::size_t bytes_of_light = 12;

std::string kind_of(const std::filesystem::path& output) {
  auto kind = output.extension().string();
  std::ranges::transform(kind, kind.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return kind;
}

bool is_light_file(const std::filesystem::path& output) { return kind_of(output) == ".exr"; }

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
  std::error_code failure;
  if (std::filesystem::exists(output, failure)) {
    throw sim::Error(
        fmt::format("'{}' exists and pictures are never overwritten; name another file", output.string()));
  }
  const sim::FileWriter trial(output);
}

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

/// The last step in the dataset's order, with what the run assumed, so that it can be gone on from.
void write_state(const std::filesystem::path& path, const RenderJob& job, sim::Engine& engine) {
  const sim::TimedPhase phase("write the state");
  const auto scene = sim::present_state(engine, job.scene, sim::physics_of(job.state.configuration));
  if (!is_first_process()) return;
  sim::write_snapshot(scene, path);
}

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
  const auto plan = trail_plan(settings, job.scene.bodies.size());
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
  sim::FileWriter file(path, sim::Existing::keep);
  render::LightFileEncoder encoder({size.width, size.height}, picture_text(state, path));
  maker.light(stage, [&](std::span<const float> values, int rows) { encoder.add_rows(values, rows); });
  file.write(encoder.finish());
  file.finish();
}

/// A camera that was chosen for what it shows, and is not moved.
bool names_camera(const RenderOptions& options) {
  return options.run.camera.camera || !options.run.state.empty() || options.run.checkpoint.resume;
}

/// A picture without bodies is black, and does not say why.
void note_empty_picture(const RenderOptions& options, const RenderJob& job, RenderStage& stage) {
  const auto now = moved_summary(job.summary, stage.bodies());
  if (now.galaxies > 1) return;
  if (share_in_picture(job.state.camera, now.luminous.places, options.size.aspect()) > 0.0) return;
  fmt::print(
      stderr,
      "no body is in the picture of step {}: they are about ({:.4g}, {:.4g}, {:.4g}); `--view fit` frames "
      "them in a picture of one step, `--camera FILE` says where to look\n",
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
  const auto existing = options.output.empty() ? sim::Existing::number : sim::Existing::keep;
  auto output = output_of(options, job);
  if (is_light_file(output))
    write_light(output, options.size, job.state, maker, stage);
  else
    output = write_picture(output, maker.picture(job, stage, options.transparent), job.state, existing);
  fmt::print("picture: {}\n", output.string());
}

/// A series or a film alone needs no picture.
bool wants_picture(const RenderOptions& options) {
  const bool other_work = !options.run.series.folder.empty() || options.film.wanted();
  return !other_work || !options.output.empty() || !options.frames.empty();
}

/// Otherwise there is no need for OpenGL.
bool draws(const RenderOptions& options) { return wants_picture(options) || options.film.wanted(); }

/// The renderer of the first process; empty in the others.
struct Studio {
  std::unique_ptr<render::HeadlessContext> context;
  std::unique_ptr<RenderStage> stage;
  std::unique_ptr<FilmShoot> film;  ///< null: none
};

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

/// Before anything is computed.
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

/// "0,100,200", in any order.
std::vector<std::uint64_t> parse_frames(const std::string& text) {
  std::set<std::uint64_t> steps;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    std::uint64_t step = 0;
    const char* last = text.data() + end;
    const auto read = std::from_chars(text.data() + at, last, step);
    if (read.ec != std::errc() || read.ptr != last)
      throw sim::UsageError(
          fmt::format("--frames needs numbers of steps with commas between, like 0,100,200, not '{}'", text));
    steps.insert(step);
    at = end + 1;
  }
  return {steps.begin(), steps.end()};
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

void add_film(Arguments& arguments, FilmOptions& film) {
  arguments
      .value("--record", film.plan.output,
             "Make a film: a file .mp4, .mkv or .webm by the program ffmpeg, any other name a folder of PNG "
             "frames; never overwrites")
      .shown_as("FILE|DIR")
      .not_empty()
      .names_file(FileRole::filled);
  arguments.value("--fps", film.plan.rate, "Frames per second of the film (default 60)")
      .whole_number(1, 1000);
  arguments
      .value("--codec", film.plan.codec,
             "x264, av1, vp9 or ffv1 (lossless, .mkv); default: x264, av1 in .webm")
      .shown_as("NAME");
  arguments
      .value("--encoder-threads", film.plan.threads,
             "Threads of ffmpeg (default 8); films of other numbers have other bytes")
      .whole_number(1, 64);
  arguments
      .value("--steps-per-frame", film.steps_per_frame,
             "Steps from frame to frame (default: as the option speed says); 0: time stands still")
      .whole_number(0);
  arguments
      .value("--snapshot-rate", film.snapshot_rate,
             "Of a series (folder, pattern, file with several): how fast it plays (default 10)")
      .positive_number();
  arguments
      .value(
          "--path", film.path,
          "How the film's camera moves: orbit, fly-through, or a file with key frames, a state or a picture")
      .shown_as("PATH")
      .not_empty()
      .names_file(FileRole::read);
}

Action declare_render(Arguments& arguments) {
  const auto options = std::make_shared<RenderOptions>();
  const auto take_data = [options](const std::vector<std::string>& values) {
    options->run.data = values;
    options->run.dataset.source = values.front();
  };
  arguments
      .texts("DATA", take_data,
             "File, picture or state made by orrery, or name of a built-in galaxy (default: disk); several "
             "with --offset")
      .shown_as("")
      .not_empty()
      .names_file(FileRole::read);
  add_dataset_and_series(arguments, options->run);
  add_offsets(arguments, options->run.dataset);
  add_checkpoints(arguments, options->run.checkpoint,
                  "Go on from a checkpoint, with its dataset and options, to its last step or --steps");
  add_computing(arguments, options->run);
  add_picture(arguments, options->run);
  arguments
      .text(
          "--size", [options](const std::string& text) { options->size = parse_picture_size(text); },
          "Size of the picture (default 1280x720), or of the film (default 1920x1080)")
      .shown_as("WxH");
  arguments
      .value(
          "--steps", options->steps,
          "Steps before the picture (default 200, of bodies without velocities 0, or those of the state), or "
          "before the film (default 0)")
      .whole_number(0);
  arguments
      .text(
          "--frames", [options](const std::string& text) { options->frames = parse_frames(text); },
          "A picture after each of these numbers of steps, e.g. 0,100,200, with the number in its name; with "
          "--record how many frames the film has (default: as long as its --path, or 10 s)")
      .shown_as("LIST");
  add_film(arguments, options->film);
  add_kernel_folder(arguments, options->run.kernel_folder);
  add_times(arguments, options->times);
  arguments
      .value("-o,--output", options->output,
             "PNG to write, or .exr for linear light; never overwrites (default: a free name among your "
             "pictures)")
      .names_file(FileRole::written);
  arguments.flag("--transparent", options->transparent,
                 "Light alone, without background and texts, to be laid over something else");
  arguments
      .value("--write-state", options->write_state,
             "Also write the bodies after the last step, in place of a file of that name; the extension "
             "chooses the format (as for convert)")
      .shown_as("FILE")
      .not_empty()
      .names_file(FileRole::replaced);
  arguments.footer(processes_help);
  return [options, arguments] {
    settle_format(options->run);
    settle_every(options->run);
    settle_offsets(options->run.dataset, options->run.data);
    require_one(options->run.dataset, options->run.data);
    if (options->film.wanted() && !arguments.given("--size")) options->size = film_size;
    return render_picture(*options);
  };
}

/// Mistakes are found before anything is computed.
void check_options(RenderOptions& options) {
  check_film(options);
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

/// All that a run will write, with the names that its pictures get.
std::vector<FileArgument> outputs_of(const RenderOptions& options) {
  std::vector<FileArgument> files{{"--write-state", options.write_state, FileRole::replaced},
                                  {"--checkpoint", options.run.checkpoint.file, FileRole::checkpoint},
                                  {"--series", options.run.series.folder, FileRole::filled}};
  for (const auto step : options.frames)
    if (!options.output.empty())
      files.push_back({"--frames", numbered(options.output, step, options.frames.back()), FileRole::written});
  return files;
}

/// Checks the files of a run. The dataset of a state or a checkpoint is read, too.
void check_files_of_run(const RenderOptions& options, const lab::DatasetRequest& dataset) {
  auto files = outputs_of(options);
  files.push_back({"the dataset", dataset.source, FileRole::read});
  for (const auto& other : dataset.with) files.push_back({"the dataset", other, FileRole::read});
  check_files(files);
}

/// Before anything is computed.
void check_views(const RenderOptions& options, const RenderJob& job) {
  if (is_light_file(options.output) && has_several_views(job.state.configuration))
    throw sim::UsageError("a file of light holds one view: add --views one, or write a .png");
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
    throw sim::UsageError("a series has no steps; say --snapshot-rate how fast it plays");
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

/// How long the film is, if there is one; its last step is the job's then.
FilmTiming settle_timing(const RenderOptions& options, RenderJob& job) {
  if (!options.film.wanted()) return {};
  const auto timing = film_timing(options.film, job);
  job.state.step = timing.last_step();
  return timing;
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

/// Without a film all else is complete: an interruption while the picture is drawn leaves it out. An
/// interruption that came before asked for the picture.
void take_last_picture(const RenderOptions& options, RenderJob& job, sim::Engine& engine,
                       const Studio& studio) {
  std::fflush(stdout);
  std::optional<sim::NothingToKeep> nothing;
  if (!sim::interrupted() && !studio.film) nothing.emplace();
  take_picture(options, job, engine, *studio.stage);
}

/// Writes the remaining outputs and messages. Returns the exit status.
int complete(const RenderOptions& options, RenderJob& job, sim::Engine& engine, const RunOutputs& keeping,
             const Studio& studio, const StepWork& work) {
  const auto steps = std::exchange(job.state.step, engine.status().steps);
  // Before anything is printed: who reads it may have ended with the same Ctrl+C.
  if (!options.write_state.empty()) write_state(options.write_state, job, engine);
  if (wants_picture(options)) publish(studio.stage.get(), job, engine);
  if (studio.stage && wants_picture(options)) {
    fit_camera(options, job, *studio.stage);
    take_last_picture(options, job, engine, studio);
  }
  if (studio.film && !sim::interrupted()) note_empty_picture(options, job, *studio.stage);
  if (studio.film) studio.film->finish();
  if (is_first_process()) report(options, job, engine.report(), work);
  keeping.series.report();
  keeping.checkpoints.report();
  const int status = interrupted_at(fmt::format("step {} of {}", job.state.step, steps));
  if (status != 0 || job.state.force_problem.empty()) return status;
  if (is_first_process())
    fmt::print(stderr, "forces were wrong beyond what was stated: {}\n", job.state.force_problem);
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
  const RunOutputs keeping{series, checkpoints, errors ? &*errors : nullptr};
  const auto engine = engine_for(job, std::move(series_played));
  load_engine(*engine, job.scene);
  checkpoints.restore(*engine);
  nothing_yet.reset();
  if (studio.context) studio.stage = std::make_unique<RenderStage>(job);
  if (studio.context && options.film.wanted())
    studio.film = std::make_unique<FilmShoot>(options, timing, job);
  const auto steps = job.state.step;
  const auto work = run_and_draw(options, job, *engine, keeping, studio, timing);
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

extern const Command render_command{.name = "render",
                                    .meaning = "Step without a window and write a picture",
                                    .declare = declare_render,
                                    .shares_work = true};

}  // namespace orrery::app
