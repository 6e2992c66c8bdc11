// Frames as the window draws them, without a window: a simulation steps, every frame takes the newest state
// and draws it. Prints one JSON object a size. Usage: bench_frames [--size WxH] [--seconds S] [NAME=VALUE...]
// N...
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "app/display_options.h"
#include "app/log.h"
#include "app/painter.h"
#include "app/run_options.h"
#include "app/session.h"
#include "render/gl.h"
#include "render/headless_context.h"
#include "render/target.h"
#include "sim/error.h"

namespace {

using namespace orrery;
using Clock = std::chrono::steady_clock;

struct Arguments {
  glm::ivec2 size{1920, 1080};
  double seconds = 3.0;
  std::vector<std::string> assignments{"engine=cuda"};
  std::vector<std::size_t> bodies;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int k = 1; k < argc; ++k) {
    const std::string text = argv[k];
    const bool more = k + 1 < argc;
    if (text == "--size" && more) {
      const auto size = app::parse_picture_size(argv[++k]);
      arguments.size = {size.width, size.height};
    } else if (text == "--seconds" && more) {
      arguments.seconds = std::stod(argv[++k]);
    } else if (text.find('=') != std::string::npos) {
      arguments.assignments.push_back(text);
    } else {
      arguments.bodies.push_back(std::stoul(text));
    }
  }
  if (arguments.bodies.empty()) arguments.bodies = {16384, 131072, 1048576};
  return arguments;
}

double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0.0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

app::LoadedDataset load(std::size_t bodies) {
  const app::DatasetRequest request{.source = "plummer", .bodies = bodies, .seed = 1};
  auto scene = std::make_shared<const sim::Scene>(app::load_dataset(request));
  auto summary = app::summarize(scene->bodies);
  return {request, std::move(scene), std::move(summary), "", std::nullopt};
}

/// Frames for some seconds, each waited for as a swap would, with the camera turning.
class Course {
 public:
  Course(app::Session& session, const Arguments& arguments)
      : session_(session), arguments_(arguments), target_(arguments.size) {}

  void run(double seconds) {
    frame_ms.clear();
    update_ms.clear();
    draw_ms.clear();
    publish_ms.clear();
    const auto start = Clock::now();
    const auto first = session_.frame();
    while (milliseconds(Clock::now() - start) < 1000.0 * seconds) frame();
    elapsed_ms = milliseconds(Clock::now() - start);
    steps = session_.frame().steps - first.steps;
    evaluations = session_.frame().timings.evaluations - first.timings.evaluations;
  }

  std::string drawn_by() const { return painter_.drawn_by(); }

  std::vector<double> frame_ms, update_ms, draw_ms, publish_ms;
  double elapsed_ms = 0.0;
  std::uint64_t steps = 0, evaluations = 0;

 private:
  void frame() {
    const auto start = Clock::now();
    if (session_.update()) publish_ms.push_back(session_.frame().timings.publish_ms);
    const auto updated = Clock::now();
    session_.camera.orbit(0.01F, 0.0F);
    painter_.draw(session_.picture(), target_.framebuffer(), target_.size());
    session_.mark_drawn();
    glFinish();
    const auto end = Clock::now();
    update_ms.push_back(milliseconds(updated - start));
    draw_ms.push_back(milliseconds(end - updated));
    frame_ms.push_back(milliseconds(end - start));
  }

  app::Session& session_;
  const Arguments& arguments_;
  render::PictureTarget target_;
  app::Painter painter_;
};

void report(std::size_t bodies, const app::Session& session, const Course& course) {
  const auto& frame = session.frame();
  const double steps = static_cast<double>(course.steps);
  const double force_ms = frame.timings.force_ms;
  fmt::print(
      "{{\"bodies\": {}, \"in_place\": {}, \"renderer\": \"{}\", \"drawn_by\": \"{}\", \"kernel\": \"{}\", "
      "\"frames\": {}, "
      "\"frames_per_second\": {:.1f}, "
      "\"frame_ms\": {{\"median\": {:.3f}, \"p99\": {:.3f}, \"max\": {:.3f}}}, \"update_ms_median\": {:.3f}, "
      "\"update_ms_p99\": {:.3f}, \"draw_ms_median\": {:.3f}, \"steps_per_second\": {:.2f}, \"step_ms\": "
      "{:.3f}, "
      "\"force_ms\": {:.3f}, \"step_minus_force_ms\": {:.3f}, \"publish_ms\": {:.4f}, \"gips_kernel\": "
      "{:.1f}, "
      "\"gips_frame\": {:.1f}, \"copied_bytes\": {}}}\n",
      bodies, frame.on_device, render::gl_info().renderer, course.drawn_by(),
      sim::computing_name(session.configuration), course.frame_ms.size(),
      1000.0 * static_cast<double>(course.frame_ms.size()) / course.elapsed_ms,
      quantile(course.frame_ms, 0.5), quantile(course.frame_ms, 0.99), quantile(course.frame_ms, 1.0),
      quantile(course.update_ms, 0.5), quantile(course.update_ms, 0.99), quantile(course.draw_ms, 0.5),
      1000.0 * steps / course.elapsed_ms, steps > 0.0 ? course.elapsed_ms / steps : 0.0, force_ms,
      steps > 0.0 ? course.elapsed_ms / steps - force_ms : 0.0, quantile(course.publish_ms, 0.5),
      frame.timings.interactions / force_ms * 1e-6,
      frame.timings.interactions * steps / course.elapsed_ms * 1e-6,
      frame.kernel ? frame.kernel->copied_bytes : 0);
  std::fflush(stdout);
}

void measure(const Arguments& arguments, const sim::OptionTable& table, std::size_t bodies) {
  app::Session session(table, arguments.assignments);
  session.open(load(bodies));
  Course course(session, arguments);
  course.run(2.0);  // compiles and warms up
  course.run(arguments.seconds);
  report(bodies, session, course);
}

}  // namespace

int main(int argc, char** argv) try {
  const auto arguments = parse(argc, argv);
  const render::HeadlessContext context;
  render::load_gl(render::HeadlessContext::loader);
  const auto table = app::all_options();
  for (const auto bodies : arguments.bodies) measure(arguments, table, bodies);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_frames: {}\n", error.what());
  return 1;
}
