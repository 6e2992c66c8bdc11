// Point sprites against splatting by compute, timed by the GPU's own clock, without a window. Prints one JSON
// object a combination of bodies, sprite and method.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "app/commands/small_program.h"
#include "render/bodies/body_drawer.h"
#include "render/bodies/body_renderer.h"
#include "render/bodies/body_splatter.h"
#include "render/context/gl.h"
#include "render/context/gpu_timer.h"
#include "render/context/headless_context.h"
#include "render/context/target.h"
#include "render/error.h"
#include "render/light/accumulation.h"
#include "render/light/tone_mapper.h"
#include "render/picture/camera.h"
#include "render/trails/trail_drawer.h"
#include "render/trails/trails.h"
#include "sim/core/error.h"
#include "tests/render/synthetic_galaxy.h"
#include "tests/render/upload.h"

namespace {

using namespace orrery::render;
using Clock = std::chrono::steady_clock;

struct Arguments {
  glm::ivec2 size{1920, 1080};
  int samples = 20;
  double radius = 4.5;
  bool quick = false;  ///< only the team that is chosen by itself
  int places = 0;      ///< trail positions per body, drawn instead of bodies; 0: bodies
  std::vector<float> sprites{0.5F, 1.0F, 2.0F, 4.0F, 8.0F, 16.0F};
  std::vector<std::size_t> bodies;
};

glm::ivec2 parse_size(const std::string& text) {
  glm::ivec2 size{};
  int end = 0;
  const bool whole = std::sscanf(text.c_str(), "%5dx%5d%n", &size.x, &size.y, &end) == 2 &&
                     static_cast<std::size_t>(end) == text.size();
  if (!whole || size.x < 1 || size.y < 1)
    throw orrery::sim::UsageError("--size needs WIDTHxHEIGHT, not '" + text + "'");
  return size;
}

void declare(orrery::app::Arguments& program, Arguments& arguments) {
  program
      .text(
          "--size", [&](const std::string& text) { arguments.size = parse_size(text); },
          "Size of the picture (default 1920x1080)")
      .shown_as("WxH");
  program.value("--samples", arguments.samples, "Times that each is drawn (default 20)")
      .whole_number(1, 1'000'000)
      .shown_as("K");
  program
      .value("--radius", arguments.radius,
             "What the picture shows, in scale lengths of the disk; large ones crowd the bodies in few "
             "pixels (default 4.5)")
      .positive_number()
      .shown_as("R");
  program
      .texts(
          "--sprites",
          [&](const std::vector<std::string>& sizes) {
            arguments.sprites.clear();
            for (const auto& size : sizes) arguments.sprites.push_back(std::stof(size));
          },
          "Sizes of sprites in pixels of a picture 720 high, as the option `size` (default "
          "0.5,1,2,4,8,16)")
      .comma_separated()
      .positive_number()
      .shown_as("PX,PX...");
  program.flag("--quick", arguments.quick, "Only the team that is chosen by itself");
  program
      .value("--trails", arguments.places,
             "Trails of all bodies with so many places each, instead of the bodies: adding a place, drawing")
      .whole_number(2, 4096)
      .shown_as("PLACES");
  program.value("bodies", arguments.bodies, "Numbers of bodies (default 16384 131072 1048576)")
      .whole_number(1, std::numeric_limits<std::uint32_t>::max())
      .shown_as("N");
}

struct Measured {
  double median_ms = 0.0, least_ms = 0.0, most_ms = 0.0;
  std::size_t samples = 0;
};

/// Times `work` on the GPU after two rounds that do not count; fewer samples where one takes long.
Measured measure(int samples, const std::function<void()>& before, const std::function<void()>& work) {
  constexpr auto longest = std::chrono::seconds(3);
  constexpr int warm_up = 2;
  GpuTimer timer;
  std::vector<double> times;
  auto start = Clock::now();
  for (int i = 0; i < warm_up + samples; ++i) {
    before();
    glFinish();
    timer.begin(0);
    work();
    timer.end();
    glFinish();
    auto finished = timer.take();
    while (finished.empty()) finished = timer.take();
    if (i < warm_up)
      start = Clock::now();
    else
      times.push_back(finished.front().second);
    if (times.size() >= 3 && Clock::now() - start > longest) break;
  }
  std::ranges::sort(times);
  return {times[times.size() / 2], times.front(), times.back(), times.size()};
}

/// The difference of two pictures: in total light, and in the worst pixel relative to the brightest.
struct Difference {
  double light = 0.0;
  double worst = 0.0;
};

Difference compare(const std::vector<float>& a, const std::vector<float>& b) {
  double light_a = 0.0, light_b = 0.0, worst = 0.0, peak = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i], y = b[i];
    light_a += x;
    light_b += y;
    worst = std::max(worst, std::abs(x - y));
    peak = std::max(peak, std::abs(x));
  }
  return {light_b / light_a - 1.0, worst / peak};
}

class Studio {
 public:
  Studio(std::size_t bodies, const Arguments& arguments)
      : arguments_(arguments), buffers_(bodies, BodyBuffers::Storage::device), target_(arguments.size) {
    orrery::render::test::SyntheticGalaxy(bodies).upload_to(buffers_);
    light_.resize(arguments.size);
    aspect_ = static_cast<float>(arguments.size.x) / static_cast<float>(arguments.size.y);
    camera_.look(Camera::Preset::oblique);
    camera_.fit({0, 0, 0}, arguments.radius, static_cast<double>(aspect_));
    style_.brightness = balanced_brightness(bodies);
    style_.pixel_scale = static_cast<float>(arguments.size.y) / 720.0F;
  }

  void run() {
    if (arguments_.places > 0) return run_trails();
    for (const float sprite : arguments_.sprites) {
      style_.size_px = sprite;
      report("raster", [this] { draw_sprites(); }, {});
      draw_once([this] { draw_sprites(); });
      expected_ = light_.read();
      report_compute("compute", 0, splatter_);
      report_drawer("levels", sprite, 0.0F);
      report_drawer("adaptive", sprite, 0.75F);
      report_drawer("adaptive-raster", sprite, 0.75F, Splatting::raster);
      if (arguments_.quick) continue;
      for (const int team : {4, 8, 16, 32}) report_compute(fmt::format("compute-{}", team), team, splatter_);
      report_compute("compute-swap", 0, swapper_);
    }
    report("clear", [this] { light_.begin(); }, {});
    report_tone("tone", tones_);
    report_tone("tone-compute", computed_tones_);
  }

 private:
  /// The bodies go around, the inner ones faster: about 200 pixels of trail each.
  void follow() {
    TrailPlan plan{.rows = static_cast<std::size_t>(arguments_.places)};
    for (std::size_t i = 0; i < buffers_.bodies(); ++i) plan.bodies.push_back(static_cast<std::uint32_t>(i));
    trails_.follow(plan);
    const auto start = buffers_.read_position(0);
    auto now = start;
    for (int row = 0; row < arguments_.places; ++row) {
      for (std::size_t i = 0; i < start.size(); i += 4) {
        const float radius = std::hypot(start[i], start[i + 1]);
        const float angle =
            0.6F * static_cast<float>(row) / static_cast<float>(arguments_.places) / (0.2F + radius);
        now[i] = start[i] * std::cos(angle) - start[i + 1] * std::sin(angle);
        now[i + 1] = start[i] * std::sin(angle) + start[i + 1] * std::cos(angle);
      }
      upload_position(buffers_, 0, now);
      trails_.append(buffers_, 0, row);
    }
  }

  void draw_trails(DrawMethod method) {
    trail_drawer_.draw(trails_, buffers_, 0, camera_.view(), projection(), light_, style_,
                       {.width_px = 1.3F, .light = 0.03F, .fading = 3.0F}, method);
  }

  void run_trails() {
    follow();
    style_.size_px = 1.3F;
    report("trail-append", [this] { trails_.append(buffers_, 0, 1.0); }, {});
    follow();
    report("trails-raster", [this] { draw_trails(DrawMethod::sprites); }, {});
    draw_once([this] { draw_trails(DrawMethod::sprites); });
    expected_ = light_.read();
    draw_once([this] { draw_trails(DrawMethod::compute); });
    const auto difference = compare(expected_, light_.read());
    report(
        "trails-compute", [this] { draw_trails(DrawMethod::compute); }, difference);
  }

  glm::mat4 projection() const { return camera_.projection(aspect_); }

  void draw_sprites() { sprites_.draw(buffers_, 0, {camera_.view(), projection(), arguments_.size}, style_); }

  void draw_once(const std::function<void()>& draw) {
    light_.begin();
    draw();
  }

  void report_compute(const std::string& method, int team, BodySplatter& splatter) {
    splatter.set_team(team);
    const auto draw = [&] {
      splatter.draw(buffers_, 0, {camera_.view(), projection(), light_.size()}, light_, style_);
    };
    draw_once(draw);
    report(method, draw, compare(expected_, light_.read()));
  }

  /// As the viewer draws: wide images by nested levels, of adaptive sizes or not.
  void report_drawer(const std::string& method, float sprite, float spread,
                     Splatting by = Splatting::compute) {
    style_.spread_share = spread;
    style_.spread_neighbours = 100.0F;
    const auto draw = [&] {
      drawer_.draw(buffers_, 0, {camera_.view(), projection(), light_.size()}, light_, style_, by);
    };
    draw_once(draw);
    // Light that is spread differently has no pixels to compare.
    auto difference = compare(expected_, light_.read());
    if (spread > 0.0F || sprite > 3.0F) difference.worst = 0.0;
    report(method, draw, difference);
    style_.spread_share = 0.0F;
  }

  void report_tone(const std::string& method, ToneMapper& tones) {
    report(method, [&] { tones.draw(light_, target_, {}); }, {});
    ToneStyle style;
    style.glow = 0.0F;
    report(method + "-no-glow", [&] { tones.draw(light_, target_, style); }, {});
  }

  void report(const std::string& method, const std::function<void()>& draw, Difference difference) {
    const auto took = measure(
        arguments_.samples, [this] { light_.begin(); }, draw);
    fmt::print(
        "{{\"bodies\": {}, \"width\": {}, \"height\": {}, \"radius\": {}, \"size\": {}, \"method\": \"{}\", "
        "\"median_ms\": {:.4f}, \"min_ms\": {:.4f}, \"max_ms\": {:.4f}, \"samples\": {}, "
        "\"light_difference\": {:.2e}, \"pixel_difference\": {:.2e}, \"float_atomics\": {}, \"renderer\": "
        "\"{}\"}}\n",
        buffers_.bodies(), arguments_.size.x, arguments_.size.y, arguments_.radius, style_.size_px, method,
        took.median_ms, took.least_ms, took.most_ms, took.samples, difference.light, difference.worst,
        splatter_.has_float_atomics(), gl_info().renderer);
    std::fflush(stdout);
  }

  const Arguments& arguments_;
  BodyBuffers buffers_;
  PictureTarget target_;
  Accumulation light_;
  BodyRenderer sprites_;
  BodySplatter splatter_;
  BodyDrawer drawer_;
  BodySplatter swapper_{BodySplatter::Atomics::compare_and_swap};
  ToneMapper tones_{PixelStage::fragment};
  ToneMapper computed_tones_{PixelStage::compute};
  Camera camera_;
  BodyStyle style_;
  Trails trails_;
  TrailDrawer trail_drawer_;
  float aspect_ = 1.0F;
  std::vector<float> expected_;
};

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  const auto work = [&] {
    if (arguments.bodies.empty()) arguments.bodies = {16384, 131072, 1048576};
    const HeadlessContext context;
    load_gl(HeadlessContext::loader);
    fmt::print(stderr, "{}: {}, OpenGL {}\n", context.description(), gl_info().renderer, gl_info().version);
    for (const auto bodies : arguments.bodies) Studio(bodies, arguments).run();
    check_gl("the benchmark");
  };
  return orrery::app::run(
      {.name = "bench_drawing",
       .meaning =
           "Times point sprites against splatting by compute, by the GPU's own clock, without a window. "
           "Prints one JSON object a combination of bodies, sprite and method.",
       .declare = [&](orrery::app::Arguments& program) { declare(program, arguments); },
       .work = work},
      argc, argv);
}
