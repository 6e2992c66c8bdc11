#include "app/commands/render_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "app/commands/picture_maker.h"
#include "app/commands/render_outputs.h"
#include "app/picture/trail_options.h"
#include "app/session/state.h"
#include "render/context/gl.h"
#include "render/context/target.h"
#include "render/picture/light_file.h"
#include "sim/core/file_writer.h"
#include "sim/core/plain_text.h"
#include "sim/core/time_account.h"

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

}  // namespace

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

}  // namespace orrery::app
