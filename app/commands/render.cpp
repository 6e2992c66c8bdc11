#include "app/commands/render.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <memory>
#include <utility>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/interruption.h"
#include "app/commands/kernel_folder.h"
#include "app/commands/process_group.h"
#include "app/gui/gui.h"
#include "app/picture/display_options.h"
#include "app/picture/labels.h"
#include "app/picture/legend.h"
#include "app/picture/painter.h"
#include "app/session/interop.h"
#include "app/session/state.h"
#include "lab/bench/tuned.h"
#include "lab/setup/paths.h"
#include "lab/setup/progress_line.h"
#include "lab/setup/watched.h"
#include "render/gl.h"
#include "render/headless_context.h"
#include "render/target.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/options/physics_options.h"
#include "sim/ranks/world.h"
#include "sim/series/series_recorder.h"
#include "sim/simulation/finite_watch.h"
#include "sim/simulation/ranked_engine.h"
#include "sim/simulation/rescue.h"
#include "sim/snapshots/format.h"

namespace orrery::app {

namespace {

constexpr std::uint64_t default_steps = 200;
constexpr float reference_height = 720.0F;

using Clock = std::chrono::steady_clock;

/// What is to be drawn, put together from state file, dataset and command line, in rising precedence.
struct Job {
  sim::OptionTable table = all_options();
  ViewState state;
  sim::Scene scene;
  SceneSummary summary;
};

void use_tuned_results(Job& job, const std::vector<std::string>& assignments) {
  std::string problem;
  const auto results = lab::read_tuned(problem);
  if (!problem.empty()) fmt::print(stderr, "{}\n", problem);
  const auto line = lab::apply_tuned(job.table, job.state.configuration, results,
                                     lab::option_context(job.scene), assignments);
  if (!line.empty()) fmt::print(stderr, "{}\n", line);
}

Job prepare(const RenderOptions& options) {
  Job job;
  const bool from_state = !options.run.state.empty();
  if (from_state) {
    job.state = read_view_state(job.table, options.run.state);
    for (const auto& note : job.state.notes) fmt::print(stderr, "{}\n", note);
  }
  if (!from_state || !options.run.dataset.source.empty()) job.state.dataset = options.run.dataset;
  job.scene = lab::load_watched(job.state.dataset);
  lab::report_notes(job.state.dataset, job.scene);
  const auto hash = lab::dataset_hash(job.scene.bodies);
  if (from_state && !job.state.dataset_hash.empty() && job.state.dataset_hash != hash) {
    fmt::print(stderr, "the dataset is not the one that the state was made with; the picture will differ\n");
  }
  job.state.dataset_hash = hash;
  job.summary = summarize(job.scene.bodies);
  if (!from_state) {
    job.state.configuration = job.table.defaults();
    lab::apply_scene(job.state.configuration, job.scene);
    // What was found for one process says nothing of several.
    if (!options.run.untuned && sim::world().size() == 1) use_tuned_results(job, options.run.assignments);
    job.state.camera = fitted_camera(job.summary);
    job.state.step = default_steps;
  }
  lab::apply_assignments(job.table, job.state.configuration, options.run.assignments);
  job.table.check(job.state.configuration, lab::option_context(job.scene));
  if (options.steps) job.state.step = *options.steps;
  return job;
}

struct Rates {
  double kernel_ms = 0.0;  ///< of one force evaluation of each step, summed
  double seconds = 0.0;
  double interactions = 0.0;  ///< of those evaluations
};

/// What a series takes from a run, if one is asked for.
class Series {
 public:
  Series(const sim::SeriesRequest& request, const Job& job)
      : physics_(sim::physics_of(job.state.configuration)),
        label_(fmt::format("{}, {}", job.state.configuration.choice("engine"),
                           sim::computing_name(job.state.configuration))) {
    if (request.folder.empty()) return;
    if (sim::world().size() > 1)
      throw sim::UsageError("--series is for one process; leave it out or start orrery without mpirun");
    recorder_.emplace(request, std::make_shared<const sim::Scene>(job.scene));
    recorder_->try_first_file();
  }

  void before_step(sim::Engine& engine, std::uint64_t steps) {
    if (recorder_) recorder_->before_step(engine, steps, physics_);
  }
  /// Throws when a file could not be written: more steps would be in vain.
  void after_step(sim::Engine& engine, std::uint64_t steps) {
    if (!recorder_) return;
    if (const auto arrived = engine.collect(); arrived.forces) recorder_->take(*arrived.forces);
    recorder_->after_step(engine, steps, physics_, label_);
    if (const auto problem = recorder_->progress().problem; !problem.empty()) throw sim::Error(problem);
  }
  void finish() {
    if (!recorder_) return;
    lab::ProgressLine line("render");
    line.show("writing the last files of the series", 1.0);
    recorder_->flush();
  }
  void report() const {
    if (!recorder_) return;
    const auto progress = recorder_->progress();
    fmt::print("series: {} in {}, {}{}\n", sim::counted(progress.files, "state", "states"),
               recorder_->request().folder.string(), forces_text(progress),
               progress.slower ? "; steps waited for the disk" : "");
  }

 private:
  std::string forces_text(const sim::SeriesProgress& progress) const {
    std::vector<std::string> parts;
    if (progress.by_engine > 0) parts.push_back(fmt::format("{} by {}", progress.by_engine, label_));
    if (progress.by_processor > 0)
      parts.push_back(fmt::format("{} by the processor in double precision", progress.by_processor));
    if (parts.empty()) return "without forces";
    return fmt::format("forces: {}", fmt::join(parts, ", "));
  }

  sim::Physics physics_;
  std::string label_;
  std::optional<sim::SeriesRecorder> recorder_;
};

/// Ends early, after a complete step, when a person interrupts.
Rates run_steps(sim::Engine& engine, const sim::Bodies& bodies, std::uint64_t steps, Series& series) {
  Rates rates;
  sim::FiniteWatch watch(bodies);
  series.after_step(engine, 0);
  const auto start = Clock::now();
  lab::ProgressLine line("render");
  for (std::uint64_t step = 0; step < steps; ++step) {
    series.before_step(engine, step);
    if (!engine.advance({.interrupt = sim::interrupt_flag()}) && sim::interrupted()) break;
    engine.finish();
    const auto timings = engine.status().timings;
    rates.kernel_ms += timings.force_ms;
    rates.interactions += timings.interactions;
    watch.after_step(engine);
    series.after_step(engine, step + 1);
    if (line.due())
      line.show(fmt::format("step {} of {}", step + 1, steps),
                static_cast<double>(step + 1) / static_cast<double>(steps));
  }
  rates.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  watch.check(engine);
  return rates;
}

/// A GPU that fails ends the run, and the last complete state is kept.
Rates run_or_rescue(sim::Engine& engine, const Job& job, Series& series) {
  try {
    return run_steps(engine, job.scene.bodies, job.state.step, series);
  } catch (const sim::DeviceLost& error) {
    const auto physics = sim::physics_of(job.state.configuration);
    throw sim::Error(sim::rescue_state(engine, job.scene, physics, {}, error.what()));
  }
}

/// The vertex buffers that the engine publishes into: its own GPU's, or the host's.
struct VertexBuffers {
  std::unique_ptr<InteropBuffers> interop;
  std::unique_ptr<render::BodyBuffers> host;
  render::BodyBuffers& buffers() { return interop ? interop->buffers() : *host; }
};

std::unique_ptr<InteropBuffers> interop_of(const Job& job) {
  const auto& settings = job.state.configuration;
  std::string why_copied;
  auto interop = make_interop(settings, job.scene.bodies, render::BodyBuffers::Storage::device, why_copied);
  if (interop) {
    fmt::print(stderr, "interop used: CUDA device {} writes the vertex buffer that it draws, no host copy\n",
               settings.integer("device"));
  } else if (!why_copied.empty()) {
    fmt::print(stderr, "bodies are copied through main memory: {}\n", why_copied);
  }
  return interop;
}

VertexBuffers publish(const Job& job, sim::Engine& engine) {
  const auto& bodies = job.scene.bodies;
  VertexBuffers vertices;
  if (sim::world().size() == 1) vertices.interop = interop_of(job);
  if (vertices.interop) {
    engine.publish(vertices.interop->targets().front());
    engine.finish();
    vertices.interop->to_opengl(0);
  } else {
    vertices.host =
        std::make_unique<render::BodyBuffers>(bodies.size(), render::BodyBuffers::Storage::host_ring);
    engine.publish({.position = vertices.host->mapped_position(0),
                    .velocity = vertices.host->mapped_velocity(0),
                    .bodies = bodies.size()});
    set_static(*vertices.host, bodies);
  }
  return vertices;
}

/// Labels and legend over the picture.
void draw_texts(const Job& job, const PictureInput& picture, const LegendInfo& info,
                const render::PictureTarget& target) {
  const auto size = target.size();
  const ImVec2 extent{static_cast<float>(size.x), static_cast<float>(size.y)};
  const float scale = extent.y / reference_height;
  Gui gui(scale);
  gui.frame(glm::vec2(size), size, [&] {
    auto& list = *ImGui::GetBackgroundDrawList();
    draw_labels(list, extent, scale, picture);
    if (picture.configuration.boolean("legend"))
      draw_legend(list, {0, 0}, extent, scale, info, job.summary, picture.configuration);
  });
  gui.draw(target.framebuffer());
}

/// Draws what the engine published, with legend, and reads the picture.
render::Image draw(const Job& job, sim::Engine& engine, PictureSize size) {
  auto vertices = publish(job, engine);
  const glm::ivec2 pixels(size.width, size.height);
  const render::PictureTarget target(pixels);
  Painter painter;
  const PictureInput picture{
      vertices.buffers(), 0, job.state.camera, job.state.configuration, job.summary, 0.0, true};
  painter.draw(picture, target.framebuffer(), pixels);
  draw_texts(job, picture, {job.scene.title, engine.status().time, job.state.step}, target);
  return target.read();
}

void report(const RenderOptions& options, const Job& job, const Rates& rates,
            const std::filesystem::path& output) {
  const int ranks = sim::world().size();
  if (job.state.step > 0) {
    const auto evaluations = sim::physics_of(job.state.configuration).integrator->evaluations();
    fmt::print("{}, {} in {:.2f} s with {}{}: {:.4f} GInteractions/s in the kernel, {:.4f} overall\n",
               sim::counted(job.scene.bodies.size(), "body", "bodies"),
               sim::counted(job.state.step, "step", "steps"), rates.seconds,
               sim::computing_name(job.state.configuration),
               ranks > 1 ? fmt::format(" in {} processes", ranks) : std::string(),
               rates.interactions / rates.kernel_ms * 1e-6,
               rates.interactions * static_cast<double>(evaluations) / rates.seconds * 1e-9);
  }
  if (!output.empty()) fmt::print("picture: {}\n", output.string());
  if (!options.write_state.empty()) fmt::print("state: {}\n", options.write_state.string());
}

std::filesystem::path output_of(const RenderOptions& options, const Job& job) {
  if (!options.output.empty()) return options.output;
  const auto& folder = options.run.pictures;
  return free_picture_name(folder.empty() ? lab::pictures_folder() : folder, job.scene.title, job.state.step);
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

std::unique_ptr<render::HeadlessContext> open_context(PictureSize size) {
  auto context = std::make_unique<render::HeadlessContext>();
  render::load_gl(render::HeadlessContext::loader);
  render::check_framebuffer_size({size.width, size.height});
  fmt::print(stderr, "drawing with {} ({})\n", render::gl_info().renderer, context->description());
  return context;
}

/// The last step in the dataset's order, with what the run assumed, so that it can be gone on from.
void write_state(const std::filesystem::path& path, const Job& job, sim::Engine& engine) {
  const auto scene = sim::present_state(engine, job.scene, sim::physics_of(job.state.configuration));
  if (!is_first_process()) return;
  sim::write_snapshot(scene, path);
}

/// A series alone needs no picture, and no OpenGL.
bool wants_picture(const RenderOptions& options) {
  return options.run.series.folder.empty() || !options.output.empty();
}

/// Every process publishes; the first has a picture of it.
void draw_results(const RenderOptions& options, Job& job, sim::Engine& engine, const Rates& rates) {
  if (!is_first_process()) {
    engine.publish({.bodies = job.scene.bodies.size()});
    return;
  }
  if (!wants_picture(options)) return report(options, job, rates, {});
  job.state.time = engine.status().time;
  // Other programs may have taken a name that was free.
  const auto existing = options.output.empty() ? sim::Existing::number : sim::Existing::keep;
  const auto output =
      write_picture(output_of(options, job), draw(job, engine, options.size), job.state, existing);
  report(options, job, rates, output);
}

/// A picture or state file that was named as the data is what --state names.
RenderOptions with_state(RenderOptions options) {
  auto& run = options.run;
  if (!names_state(run.dataset)) return options;
  if (!run.state.empty())
    throw sim::UsageError(
        fmt::format("'{}' is a state, and --state names another; leave one out", run.dataset.source));
  require_plain_dataset(run.dataset);
  run.state = std::exchange(run.dataset, {}).source;
  return options;
}

Action declare(Arguments& arguments) {
  const auto options = std::make_shared<RenderOptions>();
  add_data(arguments, options->run,
           "File, picture or state made by orrery, or name of a built-in galaxy (default: disk)");
  add_dataset_and_series(arguments, options->run);
  add_computing(arguments, options->run);
  add_picture(arguments, options->run);
  arguments
      .text(
          "--size", [options](const std::string& text) { options->size = parse_picture_size(text); },
          "Size of the picture (default 1280x720)")
      .shown_as("WxH");
  arguments.value("--steps", options->steps, "Steps before the picture (default 200, or those of the state)")
      .whole_number(0);
  add_kernel_folder(arguments, options->run.kernel_folder);
  arguments.value("-o,--output", options->output,
                  "PNG to write; never overwrites (default: a free name among your pictures)");
  arguments
      .value("--write-state", options->write_state,
             "Also write the bodies after the last step; the extension chooses the format (as for convert)")
      .shown_as("FILE")
      .not_empty();
  arguments.footer(processes_help);
  return [options, arguments] {
    settle_format(options->run, arguments.given("--every"));
    return render_picture(*options);
  };
}

}  // namespace

int render_picture(const RenderOptions& wanted) {
  end_early_on_signals();
  const auto options = with_state(wanted);
  const bool first = is_first_process();
  if (first && !options.output.empty()) check_output(options.output);
  if (first && !options.write_state.empty()) sim::check_snapshot_name(options.write_state);
  if (!options.run.series.folder.empty()) sim::check_series(options.run.series);
  read_kernels_from(options.run.kernel_folder);
  auto job = prepare(options);
  const bool picture = wants_picture(options);
  if (first && picture && options.output.empty()) check_output(output_of(options, job));
  if (first && !options.write_state.empty()) sim::try_snapshot(job.scene, options.write_state);
  Series series(options.run.series, job);
  const auto context = first && picture ? open_context(options.size) : nullptr;
  auto& ranks = sim::world();
  if (ranks.size() == 1 && job.state.configuration.integer("device") < 0)
    job.state.configuration.set("device", std::int64_t{picture ? drawing_device() : 0});
  const auto engine = sim::make_ranked_engine(job.table, job.state.configuration, ranks);
  engine->load(job.scene.bodies, job.scene.time);
  const auto steps = job.state.step;
  const auto rates = run_or_rescue(*engine, job, series);
  series.finish();
  job.state.step = engine->status().steps;
  // Before anything is printed: who reads it may have ended with the same Ctrl+C.
  if (!options.write_state.empty()) write_state(options.write_state, job, *engine);
  draw_results(options, job, *engine, rates);
  series.report();
  return interrupted_at(fmt::format("step {} of {}", job.state.step, steps));
}

extern const Command render_command{.name = "render",
                                    .meaning = "Step without a window and write a picture",
                                    .declare = declare,
                                    .shares_work = true};

}  // namespace orrery::app
