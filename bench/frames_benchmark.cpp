// Frames as the window draws them, without a window: a simulation steps, every frame takes the newest state
// and draws it. Prints one JSON object a number of bodies.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/commands/small_program.h"
#include "app/picture/display_options.h"
#include "app/picture/painter.h"
#include "app/session/run_options.h"
#include "app/session/session.h"
#include "lab/setup/starting_options.h"
#include "render/context/gl.h"
#include "render/context/headless_context.h"
#include "render/context/target.h"
#include "sim/core/error.h"
#include "sim/options/engine_option.h"
#include "sim/simulation/engine_registry.h"

namespace {

using namespace orrery;
using Clock = std::chrono::steady_clock;

struct Arguments {
  glm::ivec2 size{1920, 1080};
  double seconds = 3.0;
  std::string model = "plummer";
  bool drawing_only = false;
  bool rough = false;
  std::vector<std::string> assignments{"engine=cuda", "speed=0"};
  std::vector<std::size_t> bodies;
};

/// NAME=VALUE is an option, anything else a number of bodies.
void take_word(Arguments& arguments, const std::string& word) {
  if (word.find('=') != std::string::npos) {
    arguments.assignments.push_back(word);
    return;
  }
  std::size_t bodies = 0;
  const auto* const end = word.data() + word.size();
  const auto read = std::from_chars(word.data(), end, bodies);
  if (read.ec != std::errc() || read.ptr != end || bodies == 0)
    throw sim::UsageError("'" + word + "' is neither a number of bodies nor NAME=VALUE");
  arguments.bodies.push_back(bodies);
}

void declare(app::Arguments& program, Arguments& arguments) {
  program
      .text(
          "--size",
          [&](const std::string& text) {
            const auto size = app::parse_picture_size(text);
            arguments.size = {size.width, size.height};
          },
          "Size of the picture (default 1920x1080)")
      .shown_as("WxH");
  program.value("--seconds", arguments.seconds, "Seconds of each course (default 3)")
      .positive_number()
      .shown_as("S");
  program.value("--model", arguments.model, "Built-in galaxy (default plummer)").shown_as("NAME");
  program.flag("--drawing-only", arguments.drawing_only,
               "Only what a frame costs the CPU while nothing steps");
  program.flag("--rough", arguments.rough, "As what moves is drawn where OpenGL has no GPU");
  program
      .texts(
          "words",
          [&](const std::vector<std::string>& words) {
            for (const auto& word : words) take_word(arguments, word);
          },
          "Numbers of bodies (default 16384 131072 1048576), and options as --set takes them")
      .shown_as("N|NAME=VALUE");
}

double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0.0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

app::LoadedDataset load(const std::string& model, std::size_t bodies) {
  const lab::DatasetRequest request{.source = model, .bodies = bodies, .seed = 1};
  auto scene = std::make_shared<const sim::Scene>(lab::load_dataset(request));
  auto summary = app::summarize(scene->bodies);
  return {request, std::move(scene), std::move(summary), "", std::nullopt};
}

/// When a frame is drawn.
enum class Drawing {
  never,    ///< the simulation alone
  steps,    ///< one frame for every new state
  turning,  ///< 60 frames a second with the camera turning, as while a mouse drags
  unpaced,  ///< as many frames as can be drawn
};
constexpr double seldom_ms = 20.0;  ///< between states that are taken and not drawn
constexpr double turning_interval_ms = 1000.0 / 60.0;

/// The cost of some seconds of frames.
struct Course {
  std::vector<double> interval_ms;  ///< between the ends of frames
  std::vector<double> update_ms;    ///< taking a state: mapping and unmapping
  std::vector<double> draw_ms;      ///< until the GPU has drawn it
  std::vector<double> publish_ms, force_ms;
  double elapsed_ms = 0.0;
  double processor_ms = 0.0;  ///< CPU time of all threads of the program
  std::uint64_t steps = 0;
  double kernel_gips = 0.0;  ///< 1e9 interactions per second of the force evaluations that were measured
};

double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

double kernel_rate(const sim::StepTimings& before, const sim::StepTimings& after) {
  const double milliseconds = after.ms_since(before);
  return milliseconds > 0.0 ? 1e-6 * after.timed_since(before) / milliseconds : 0.0;
}

class Stage {
 public:
  Stage(app::Session& session, const Arguments& arguments)
      : session_(session), target_(arguments.size), rough_(arguments.rough) {}

  Course run(Drawing drawing, double seconds) {
    Course course;
    const auto start = Clock::now();
    const auto first = session_.frame().steps;
    const auto before = session_.frame().timings;
    const double processors = processor_ms();
    last_ = start;
    while (milliseconds(Clock::now() - start) < 1000.0 * seconds) frame(drawing, course);
    course.elapsed_ms = milliseconds(Clock::now() - start);
    course.processor_ms = processor_ms() - processors;
    course.steps = session_.frame().steps - first;
    course.kernel_gips = kernel_rate(before, session_.frame().timings);
    return course;
  }

  std::string drawn_by() const { return painter_.drawn_by(); }

 private:
  void frame(Drawing drawing, Course& course) {
    const auto start = Clock::now();
    // Taking a state has OpenGL and CUDA wait for each other, which is not free either.
    const bool due = drawing != Drawing::never || milliseconds(start - last_) > seldom_ms;
    const bool news = due && session_.update();
    if (news) {
      course.update_ms.push_back(milliseconds(Clock::now() - start));
      course.publish_ms.push_back(session_.frame().timings.publish_ms);
      course.force_ms.push_back(session_.frame().timings.force_ms);
    }
    const bool draws =
        drawing == Drawing::turning || drawing == Drawing::unpaced || (drawing == Drawing::steps && news);
    if (!draws) {
      if (news) last_ = start;
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      return;
    }
    draw(course);
    if (drawing == Drawing::turning) {
      const double left = turning_interval_ms - milliseconds(Clock::now() - start);
      std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(std::max(left, 0.0)));
    }
    const auto end = Clock::now();
    course.interval_ms.push_back(milliseconds(end - std::exchange(last_, end)));
  }

  void draw(Course& course) {
    const auto start = Clock::now();
    session_.begin_drawing();
    session_.camera.orbit(0.01, 0.0);
    auto picture = session_.picture();
    picture.rough = rough_;
    painter_.draw(picture, target_);
    session_.mark_drawn();
    session_.end_drawing();
    glFinish();
    course.draw_ms.push_back(milliseconds(Clock::now() - start));
  }

  app::Session& session_;
  render::PictureTarget target_;
  bool rough_;
  app::Painter painter_;
  Clock::time_point last_;
};

double median(const std::vector<double>& values) { return quantile(values, 0.5); }

nlohmann::json course_json(const Course& course, double force_alone_ms) {
  const auto steps = static_cast<double>(course.steps);
  nlohmann::json json{{"steps_per_second", 1000.0 * steps / course.elapsed_ms},
                      {"force_ms", median(course.force_ms)},
                      {"publish_ms", median(course.publish_ms)},
                      {"update_ms", median(course.update_ms)},
                      {"update_ms_p99", quantile(course.update_ms, 0.99)}};
  if (course.draw_ms.empty()) return json;
  json["frames_per_second"] = 1000.0 * static_cast<double>(course.interval_ms.size()) / course.elapsed_ms;
  json["frame_ms"] = median(course.interval_ms);
  json["frame_ms_p99"] = quantile(course.interval_ms, 0.99);
  json["frame_ms_max"] = quantile(course.interval_ms, 1.0);
  json["draw_ms"] = median(course.draw_ms);
  json["frame_minus_force_ms"] = median(course.interval_ms) - force_alone_ms;
  return json;
}

/// Frames while nothing steps. Their CPU time is, of OpenGL on the CPU, all that is drawn, however much else
/// the machine does.
Course run_paused(app::Session& session, Stage& stage, double seconds) {
  session.paused = true;
  stage.run(Drawing::turning, 0.5);
  auto course = stage.run(Drawing::unpaced, seconds);
  session.paused = false;
  return course;
}

double frame_processor_ms(const Course& course) {
  const auto frames = static_cast<double>(course.draw_ms.size());
  return frames > 0.0 ? course.processor_ms / frames : 0.0;
}

/// The median time to switch an engine to options that it had before: `assignment` and back.
double switch_ms(const app::LoadedDataset& dataset, const sim::OptionTable& table, const Arguments& arguments,
                 const char* assignment) {
  auto first = table.defaults();
  lab::apply_scene(first, *dataset.scene, arguments.assignments);
  lab::apply_assignments(table, first, arguments.assignments);
  auto second = first;
  table.assign(second, assignment);
  const auto engine = sim::make_engine(table, first);
  engine->load(dataset.scene->bodies, 0.0);
  std::vector<double> times;
  for (int turn = 0; turn < 22; ++turn) {
    engine->advance({});
    engine->finish();
    const auto start = Clock::now();
    engine->configure(turn % 2 == 0 ? second : first);
    engine->advance({.time = std::chrono::milliseconds(1)});
    if (turn >= 2) times.push_back(milliseconds(Clock::now() - start));
  }
  return median(times);
}

nlohmann::json measure_drawing(const Arguments& arguments, const sim::OptionTable& table,
                               std::size_t bodies) {
  app::Session session(table, arguments.assignments);
  session.open(load(arguments.model, bodies));
  Stage stage(session, arguments);
  stage.run(Drawing::steps, 1.0);
  const auto paused = run_paused(session, stage, arguments.seconds);
  return {{"model", arguments.model},
          {"bodies", bodies},
          {"width", arguments.size.x},
          {"height", arguments.size.y},
          {"renderer", render::gl_info().renderer},
          {"frame_processor_ms", frame_processor_ms(paused)},
          {"draw_ms", median(paused.draw_ms)},
          {"drawn_by", stage.drawn_by()}};
}

nlohmann::json measure(const Arguments& arguments, const sim::OptionTable& table, std::size_t bodies) {
  if (arguments.drawing_only) return measure_drawing(arguments, table, bodies);
  const auto dataset = load(arguments.model, bodies);
  const double other_kernel_ms = switch_ms(dataset, table, arguments, "unroll=8");
  const double other_layout_ms = switch_ms(dataset, table, arguments, "layout=soa");
  app::Session session(table, arguments.assignments);
  session.open(dataset);
  Stage stage(session, arguments);
  // Compiles, warms up, and finds the faster way to draw.
  stage.run(Drawing::steps, 1.0);
  stage.run(Drawing::turning, 1.5);
  const auto paused = run_paused(session, stage, arguments.seconds);
  const auto alone = stage.run(Drawing::never, arguments.seconds);
  const double force_ms = median(alone.force_ms);
  nlohmann::json json{{"model", arguments.model},
                      {"bodies", bodies},
                      {"width", arguments.size.x},
                      {"height", arguments.size.y},
                      {"renderer", render::gl_info().renderer},
                      {"kernel", sim::computing_name(session.configuration)},
                      {"alone", course_json(alone, force_ms)}};
  json["frame_a_step"] = course_json(stage.run(Drawing::steps, arguments.seconds), force_ms);
  json["turning"] = course_json(stage.run(Drawing::turning, arguments.seconds), force_ms);
  json["unpaced"] = course_json(stage.run(Drawing::unpaced, arguments.seconds), force_ms);
  const auto& frame = session.frame();
  json["frame_processor_ms"] = frame_processor_ms(paused);
  json["draw_paused_ms"] = median(paused.draw_ms);
  json["switch_kernel_ms"] = other_kernel_ms;
  json["switch_layout_ms"] = other_layout_ms;
  json["drawn_by"] = stage.drawn_by();
  json["in_place"] = frame.on_device;
  json["gips_kernel"] = alone.kernel_gips;
  json["copied_bytes"] = static_cast<std::uint64_t>(frame.report.number("copied_bytes"));
  return json;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  const auto work = [&] {
    if (arguments.bodies.empty()) arguments.bodies = {16384, 131072, 1048576};
    const render::HeadlessContext context;
    render::load_gl(render::HeadlessContext::loader);
    const auto table = app::all_options();
    for (const auto bodies : arguments.bodies) {
      fmt::print("{}\n", measure(arguments, table, bodies).dump());
      std::fflush(stdout);
    }
  };
  return app::run(
      {.name = "bench_frames",
       .meaning = "Times frames as the window draws them, while a simulation steps, without a window.",
       .declare = [&](app::Arguments& program) { declare(program, arguments); },
       .work = work},
      argc, argv);
}
