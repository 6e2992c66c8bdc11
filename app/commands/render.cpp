#include "app/commands/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/interruption.h"
#include "app/commands/kernel_folder.h"
#include "app/commands/process_group.h"
#include "app/commands/run_series.h"
#include "app/gui/gui.h"
#include "app/picture/display_options.h"
#include "app/picture/labels.h"
#include "app/picture/legend.h"
#include "app/picture/painter.h"
#include "app/picture/trail_options.h"
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

double aspect_of(PictureSize size) { return static_cast<double>(size.width) / size.height; }

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
    job.state.camera = view_of(job.summary, View::fit, aspect_of(options.size));
    job.state.step = default_steps;
  }
  job.state.camera =
      chosen_camera(options.run.camera, job.state.camera, job.summary, aspect_of(options.size));
  lab::apply_assignments(job.table, job.state.configuration, options.run.assignments);
  job.table.check(job.state.configuration, lab::option_context(job.scene));
  if (options.steps) job.state.step = *options.steps;
  if (!options.frames.empty()) job.state.step = options.frames.back();
  return job;
}

struct Rates {
  double kernel_ms = 0.0;     ///< of one force evaluation of each step, summed
  double seconds = 0.0;       ///< without pictures
  double interactions = 0.0;  ///< of those evaluations
};

/// What is done with a state on the way, after so many steps.
using AtStep = std::function<void(std::uint64_t step)>;

/// Ends early, after a complete step, when a person interrupts.
Rates run_steps(sim::Engine& engine, const sim::Bodies& bodies, std::uint64_t steps, RunSeries& series,
                const AtStep& at_step) {
  Rates rates;
  sim::FiniteWatch watch(bodies);
  Clock::duration aside{};
  const auto look = [&](std::uint64_t step) {
    const auto start = Clock::now();
    series.after_step(engine, step);
    at_step(step);
    aside += Clock::now() - start;
  };
  const auto start = Clock::now();
  lab::ProgressLine line("render");
  look(0);
  for (std::uint64_t step = 0; step < steps; ++step) {
    series.before_step(engine, step);
    if (!engine.advance({.interrupt = sim::interrupt_flag()}) && sim::interrupted()) break;
    engine.finish();
    const auto timings = engine.status().timings;
    rates.kernel_ms += timings.force_ms;
    rates.interactions += timings.interactions;
    watch.after_step(engine);
    look(step + 1);
    if (line.due())
      line.show(fmt::format("step {} of {}", step + 1, steps),
                static_cast<double>(step + 1) / static_cast<double>(steps));
  }
  rates.seconds = std::chrono::duration<double>(Clock::now() - start - aside).count();
  watch.check(engine);
  return rates;
}

/// A GPU that fails ends the run, and the last complete state is kept.
Rates run_or_rescue(sim::Engine& engine, const Job& job, RunSeries& series, const AtStep& at_step) {
  try {
    return run_steps(engine, job.scene.bodies, job.state.step, series, at_step);
  } catch (const sim::DeviceLost& error) {
    const auto physics = sim::physics_of(job.state.configuration);
    throw sim::Error(sim::rescue_state(engine, job.scene, physics, {}, error.what()));
  }
}

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

/// The vertex buffers that the engine publishes into, its own GPU's or the host's, and the ways of the bodies
/// that are drawn from them. Made by the first process alone.
class Stage {
 public:
  explicit Stage(const Job& job) : job_(job) {
    if (sim::world().size() == 1) interop_ = interop_of(job);
    if (!interop_) {
      host_ = std::make_unique<render::BodyBuffers>(job.scene.bodies.size(),
                                                    render::BodyBuffers::Storage::host_ring);
      set_static(*host_, job.scene.bodies);
    }
    orbits_.open(job.scene);
  }

  /// Takes the engine's state, which then can be drawn, and is part of the trails.
  void publish(sim::Engine& engine) {
    if (interop_)
      publish_in_place(engine);
    else
      publish_by_copy(engine);
    const auto status = engine.status();
    orbits_.take(job_.state.configuration, buffers(), slot_, {status.time, status.steps, 0});
    buffers().mark_drawn(slot_);
    counted_ = engine.map();
  }

  PictureInput picture() {
    const auto& settings = job_.state.configuration;
    PictureInput input{buffers(), slot_, job_.state.camera, settings, job_.summary, 0.0, true, &orbits_};
    if (maps() != nullptr)
      input.map = {.buffers = maps(),
                   .place = map_place(counted_, job_.summary),
                   .over = settings.choice("map-view") == "over"};
    return input;
  }
  /// nullptr: no activity map.
  render::MapBuffers* maps() { return interop_ ? interop_->maps() : host_map_.get(); }

 private:
  render::BodyBuffers& buffers() { return interop_ ? interop_->buffers() : *host_; }

  void publish_in_place(sim::Engine& engine) {
    if (shown_) interop_->to_cuda(0);
    engine.publish(interop_->targets().front());
    engine.finish();
    interop_->to_opengl(0);
    shown_ = true;
  }

  void publish_by_copy(sim::Engine& engine) {
    slot_ = (slot_ + 1) % host_->slots();
    while (!host_->is_idle(slot_)) render::wait_until_drawn(std::chrono::seconds(1));
    sim::Target target{.position = host_->mapped_position(slot_),
                       .velocity = host_->mapped_velocity(slot_),
                       .bodies = job_.scene.bodies.size()};
    publish_with_map(engine, target);
    engine.finish();
  }

  /// Through main memory, with the activity map if the engine counts one.
  void publish_with_map(sim::Engine& engine, sim::Target target) {
    const auto size = engine.map().size;
    std::vector<float> map;
    if (size > 0) {
      if (host_map_ == nullptr || host_map_->size() != size)
        host_map_ = std::make_unique<render::MapBuffers>(size, 1);
      map.resize(host_map_->floats());
      target.map = map.data();
      target.map_size = size;
    }
    engine.publish(target);
    if (size > 0) host_map_->upload(0, map);
  }

  const Job& job_;
  std::unique_ptr<InteropBuffers> interop_;
  std::unique_ptr<render::BodyBuffers> host_;
  std::unique_ptr<render::MapBuffers> host_map_;
  sim::MapSpec counted_;
  OrbitTracks orbits_;
  int slot_ = 0;
  bool shown_ = false;
};

/// Every process publishes; the first one has the stage.
void publish(Stage* stage, const Job& job, sim::Engine& engine) {
  if (stage != nullptr) return stage->publish(engine);
  engine.publish({.bodies = job.scene.bodies.size()});
  // All processes make the same calls.
  engine.finish();
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
    draw_names(list, extent, scale, picture);
    if (picture.configuration.boolean("legend"))
      draw_legend(list, {0, 0}, extent, scale, info, job.summary, picture.configuration);
  });
  gui.draw(target.framebuffer());
}

/// Of a map that CUDA wrote, OpenGL has to be asked.
std::optional<float> largest_of(render::MapBuffers& maps) {
  if (!maps.largest()) maps.ask_largest(0);
  render::wait_until_drawn(std::chrono::seconds(10));
  return maps.largest();
}

/// Draws what the engine published, with legend, and reads the picture.
render::Image draw(const Job& job, Stage& stage, PictureSize size) {
  const glm::ivec2 pixels(size.width, size.height);
  const render::PictureTarget target(pixels);
  Painter painter;
  const auto picture = stage.picture();
  painter.draw(picture, target.framebuffer(), pixels);
  LegendInfo info{job.scene.title, job.state.time, job.state.step};
  if (picture.map.buffers != nullptr) info.map_largest = largest_of(*stage.maps());
  draw_texts(job, picture, info, target);
  return target.read();
}

void report(const RenderOptions& options, const Job& job, const Rates& rates) {
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
std::filesystem::path output_of(const RenderOptions& options, const Job& job) {
  if (!options.frames.empty() && !options.output.empty())
    return numbered(options.output, job.state.step, options.frames.back());
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

/// What is drawn on the way to the last step, and what for.
struct Itinerary {
  std::uint64_t steps = 0;
  std::uint64_t trail_start = 0;  ///< trails have a place of this step and every `stride` after it
  std::uint64_t stride = 0;       ///< 0: there are none
  std::vector<std::uint64_t> frames;

  bool is_place(std::uint64_t step) const {
    return stride != 0 && step >= trail_start && (step - trail_start) % stride == 0;
  }
  bool is_picture(std::uint64_t step) const { return std::ranges::binary_search(frames, step); }
};

Itinerary itinerary_of(const RenderOptions& options, const Job& job) {
  const auto& settings = job.state.configuration;
  Itinerary way{.steps = job.state.step, .frames = options.frames};
  const auto plan = trail_plan(settings, job.scene.bodies.size());
  if (plan.bodies.empty()) return way;
  way.stride = steps_between_places(settings);
  // The last place is that of the last step; for one picture older ones than the ring holds are left out.
  const auto all = way.steps / way.stride;
  const auto kept = options.frames.empty() ? std::min<std::uint64_t>(all, plan.rows - 1) : all;
  way.trail_start = way.steps - kept * way.stride;
  return way;
}

/// Draws and writes the picture of the present state, which has been published. First process only.
void take_picture(const RenderOptions& options, Job& job, sim::Engine& engine, Stage& stage) {
  const auto status = engine.status();
  job.state.time = status.time;
  job.state.step = status.steps;
  // Other programs may have taken a name that was free.
  const auto existing = options.output.empty() ? sim::Existing::number : sim::Existing::keep;
  const auto output =
      write_picture(output_of(options, job), draw(job, stage, options.size), job.state, existing);
  fmt::print("picture: {}\n", output.string());
}

/// A series alone needs no picture, and no OpenGL.
bool wants_picture(const RenderOptions& options) {
  return options.run.series.folder.empty() || !options.output.empty() || !options.frames.empty();
}

/// The steps with what is drawn on the way; the last picture is left to the caller.
Rates run_and_draw(const RenderOptions& options, Job& job, sim::Engine& engine, RunSeries& series,
                   Stage* stage) {
  const auto way = wants_picture(options) ? itinerary_of(options, job) : Itinerary{.steps = job.state.step};
  return run_or_rescue(engine, job, series, [&](std::uint64_t step) {
    const bool picture = way.is_picture(step) && step != way.steps;
    if (!picture && !way.is_place(step)) return;
    publish(stage, job, engine);
    if (picture && stage != nullptr) take_picture(options, job, engine, *stage);
  });
}

/// Before anything is computed.
void check_outputs(const RenderOptions& options, Job& job) {
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
  arguments
      .text(
          "--frames", [options](const std::string& text) { options->frames = parse_frames(text); },
          "A picture after each of these numbers of steps, e.g. 0,100,200, with the number in its name")
      .shown_as("LIST");
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
  if (options.steps && !options.frames.empty())
    throw sim::UsageError("--frames says after which steps pictures are taken; leave --steps out");
  const bool first = is_first_process();
  if (first && options.frames.empty() && !options.output.empty()) check_output(options.output);
  if (first && !options.write_state.empty()) sim::check_snapshot_name(options.write_state);
  if (!options.run.series.folder.empty()) sim::check_series(options.run.series);
  read_kernels_from(options.run.kernel_folder);
  auto job = prepare(options);
  const bool picture = wants_picture(options);
  if (first && picture) check_outputs(options, job);
  if (first && !options.write_state.empty()) sim::try_snapshot(job.scene, options.write_state);
  RunSeries series(options.run.series, job.scene, job.state.configuration);
  const auto context = first && picture ? open_context(options.size) : nullptr;
  auto& ranks = sim::world();
  if (ranks.size() == 1 && job.state.configuration.integer("device") < 0)
    job.state.configuration.set("device", std::int64_t{picture ? drawing_device() : 0});
  const auto engine = sim::make_ranked_engine(job.table, job.state.configuration, ranks);
  engine->load(job.scene.bodies, job.scene.time);
  const auto stage = first && picture ? std::make_unique<Stage>(job) : nullptr;
  const auto steps = job.state.step;
  const auto rates = run_and_draw(options, job, *engine, series, stage.get());
  series.finish();
  job.state.step = engine->status().steps;
  // Before anything is printed: who reads it may have ended with the same Ctrl+C.
  if (!options.write_state.empty()) write_state(options.write_state, job, *engine);
  if (picture) publish(stage.get(), job, *engine);
  if (stage) take_picture(options, job, *engine, *stage);
  if (first) report(options, job, rates);
  series.report();
  return interrupted_at(fmt::format("step {} of {}", job.state.step, steps));
}

extern const Command render_command{.name = "render",
                                    .meaning = "Step without a window and write a picture",
                                    .declare = declare,
                                    .shares_work = true};

}  // namespace orrery::app
