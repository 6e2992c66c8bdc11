// Draws portraits of a synthetic galaxy into the current folder and times a frame:
//   render_portrait [bodies] [width] [height]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "render/bodies/body_renderer.h"
#include "render/color_maps/color_map.h"
#include "render/color_modes/color_mode.h"
#include "render/context/gl.h"
#include "render/context/headless_context.h"
#include "render/context/target.h"
#include "render/light/accumulation.h"
#include "render/light/tone_mapper.h"
#include "render/picture/camera.h"
#include "tests/render/synthetic_galaxy.h"

namespace orrery::render::test {
namespace {

double milliseconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  glFinish();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

struct Studio {
  explicit Studio(std::size_t count, glm::ivec2 size)
      : galaxy(count), buffers(count, BodyBuffers::Storage::device), target(size) {
    galaxy.upload_to(buffers);
    light.resize(size);
    camera.look(Camera::Preset::oblique);
    camera.fit({0, 0, 0}, 4.5, aspect());
  }

  double aspect() const { return static_cast<double>(target.size().x) / target.size().y; }

  void draw() {
    light.begin();
    bodies.draw(buffers, 0, {camera.view(), camera.projection(static_cast<float>(aspect())), target.size()},
                style);
    tones.draw(light, target, tone);
  }

  void shoot(const std::string& name) {
    draw();
    const std::string file = name + ".png";
    std::ofstream to(file, std::ios::binary);
    encode_png(target.read(), {}, [&](std::span<const std::byte> bytes) {
      to.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    });
    fmt::print("wrote {}\n", file);
  }

  void measure() {
    std::vector<double> body_pass;
    std::vector<double> tone_pass;
    constexpr int frames = 60;
    const std::clock_t start = std::clock();
    for (int i = 0; i < frames; ++i) {
      body_pass.push_back(milliseconds_of([&] {
        light.begin();
        bodies.draw(buffers, 0,
                    {camera.view(), camera.projection(static_cast<float>(aspect())), target.size()}, style);
      }));
      tone_pass.push_back(milliseconds_of([&] { tones.draw(light, target, tone); }));
    }
    const double processor = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / frames;
    fmt::print("median of {} frames: clear + bodies {:.2f} ms, tone map {:.2f} ms; CPU time {:.2f} ms\n",
               frames, median(body_pass), median(tone_pass), processor);
  }

  void set_range_by_percentiles() {
    const ColorMode& mode = *find_color_mode(style.color_mode);
    std::vector<float> scalars;
    for (std::size_t i = 0; i < galaxy.component.size(); ++i) {
      const float* p = &galaxy.position[4 * i];
      const float* v = &galaxy.velocity[4 * i];
      scalars.push_back(mode.scalar({.position = {p[0], p[1], p[2]},
                                     .mass = p[3],
                                     .velocity = {v[0], v[1], v[2]},
                                     .component = galaxy.component[i],
                                     .galaxy = galaxy.galaxy[i],
                                     .body = static_cast<std::uint32_t>(i),
                                     .line_of_sight = glm::vec3(camera.forward())}));
    }
    std::tie(style.range_min, style.range_max) = percentile_range(scalars);
  }

  SyntheticGalaxy galaxy;
  BodyBuffers buffers;
  Accumulation light;
  PictureTarget target;
  BodyRenderer bodies;
  ToneMapper tones;
  Camera camera;
  BodyStyle style;
  ToneStyle tone;
};

int run(std::size_t bodies, glm::ivec2 size) {
  HeadlessContext context;
  load_gl(HeadlessContext::loader);
  fmt::print("{}: {}\n", context.description(), gl_info().renderer);
  Studio studio(bodies, size);
  studio.shoot("portrait-oblique");
  studio.measure();
  studio.camera.look(Camera::Preset::face_on);
  studio.shoot("portrait-face-on");
  studio.camera.look(Camera::Preset::edge_on);
  studio.shoot("portrait-edge-on");
  studio.camera.look(Camera::Preset::oblique);
  for (const ColorMode* mode : color_modes()) {
    studio.style.color_mode = mode->name;
    studio.set_range_by_percentiles();
    studio.shoot("portrait-by-" + std::string(mode->name));
  }
  studio.style.color_mode = "component";
  for (std::size_t curve = 1; curve < tone_curve_count; ++curve) {
    studio.tone.curve = static_cast<ToneStyle::Curve>(curve);
    studio.shoot("portrait-" + std::string(tone_curve_name(studio.tone.curve)));
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace orrery::render::test

int main(int count, char** words) {
  const auto number = [&](int at, int otherwise) { return count > at ? std::atoi(words[at]) : otherwise; };
  try {
    return orrery::render::test::run(static_cast<std::size_t>(number(1, 20000)),
                                     {number(2, 1280), number(3, 720)});
  } catch (const std::exception& problem) {
    fmt::print(stderr, "render_portrait: {}\n", problem.what());
    return EXIT_FAILURE;
  }
}
