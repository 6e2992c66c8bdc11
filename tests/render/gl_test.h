#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "render/bodies/body_renderer.h"
#include "render/context/gl.h"
#include "render/context/headless_context.h"
#include "render/error.h"
#include "render/light/accumulation.h"
#include "render/picture/camera.h"
#include "tests/render/debug_messages.h"
#include "tests/render/upload.h"

namespace orrery::render::test {

/// A debug context without a window, one per program; every test must leave no OpenGL message behind.
class GlTest : public testing::Test {
 protected:
  void SetUp() override {
    if (context() == nullptr) GTEST_SKIP() << "no headless OpenGL: " << reason();
    take_debug_messages();
  }
  void TearDown() override {
    if (context() == nullptr) return;
    EXPECT_NO_THROW(check_gl("the test"));
    for (const std::string& message : take_debug_messages()) {
      if (!is_chatter(message)) ADD_FAILURE() << "OpenGL says " << message;
    }
  }

  /// NVIDIA's driver says of every buffer that is read back that it moves.
  static bool is_chatter(const std::string& message) {
    return message.starts_with("performance") && gl_info().vendor.starts_with("NVIDIA");
  }

  static HeadlessContext* context() {
    static const std::unique_ptr<HeadlessContext> made = make_context();
    return made.get();
  }

 private:
  static std::string& reason() {
    static std::string words;
    return words;
  }
  static std::unique_ptr<HeadlessContext> make_context() {
    std::unique_ptr<HeadlessContext> made;
    try {
      made = std::make_unique<HeadlessContext>(true);
    } catch (const Error& error) {
      reason() = error.what();
      return nullptr;
    }
    load_gl(HeadlessContext::loader);
    enable_debug_output();
    return made;
  }
};

/// A handful of bodies to draw.
struct BodyList {
  std::vector<float> position;
  std::vector<float> velocity;
  std::vector<std::uint8_t> component;
  std::vector<std::uint32_t> galaxy;
  std::vector<float> quantity;  ///< of colour modes that take one; empty: 0

  BodyList& add(glm::vec3 at, std::uint8_t part = 4, glm::vec3 v = glm::vec3(0.0F), float mass = 1.0F,
                std::uint32_t system = 0) {
    position.insert(position.end(), {at.x, at.y, at.z, mass});
    velocity.insert(velocity.end(), {v.x, v.y, v.z, 0.0F});
    component.push_back(part);
    galaxy.push_back(system);
    return *this;
  }

  /// Into slot 0.
  void upload_to(BodyBuffers& buffers) const {
    upload_position(buffers, 0, position);
    upload_velocity(buffers, 0, velocity);
    buffers.set_static(component, galaxy);
    if (!quantity.empty()) buffers.set_quantity(quantity);
  }
};

/// The picture of a camera in front of the bodies.
struct Photograph {
  glm::ivec2 size{0, 0};
  std::vector<float> pixels;

  glm::dvec4 total() const {
    glm::dvec4 sum(0.0);
    for (std::size_t i = 0; i < pixels.size(); i += 4)
      sum += glm::dvec4(pixels[i], pixels[i + 1], pixels[i + 2], pixels[i + 3]);
    return sum;
  }
  double light() const { return total().a; }
  glm::vec4 at(int x, int y) const {
    const float* p = &pixels[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(size.x) +
                                  static_cast<std::size_t>(x))];
    return {p[0], p[1], p[2], p[3]};
  }
  /// The mean place of the light in pixels from the lower left corner.
  glm::dvec2 center() const {
    glm::dvec2 sum(0.0);
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) sum += static_cast<double>(at(x, y).a) * glm::dvec2(x + 0.5, y + 0.5);
    return sum / light();
  }
};

inline Photograph photograph(const BodyList& list, const Camera& camera, const BodyStyle& style,
                             glm::ivec2 size = {128, 128}) {
  BodyBuffers buffers(list.component.size(), BodyBuffers::Storage::device);
  list.upload_to(buffers);
  Accumulation light;
  light.resize(size);
  light.begin();
  BodyRenderer renderer;
  const float aspect = static_cast<float>(size.x) / static_cast<float>(size.y);
  renderer.draw(buffers, 0, {camera.view(), camera.projection(aspect), size}, style);
  return {size, light.read()};
}

/// Three bodies apart from each other, of the galaxies 0, 1 and 2 of a row.
inline BodyList row_of_galaxies() {
  BodyList bodies;
  for (std::uint32_t galaxy = 0; galaxy < 3; ++galaxy)
    bodies.add({0, 0, 0}, 4, glm::vec3(0.0F), 1.0F, galaxy);
  return bodies;
}

/// The light of each of them, 0.2 apart, in a picture of 128 x 96 taken from distance 1: left, middle, right.
inline std::array<glm::dvec4, 3> lights_of_row(const Photograph& picture) {
  std::array<glm::dvec4, 3> sums{glm::dvec4(0.0), glm::dvec4(0.0), glm::dvec4(0.0)};
  for (int y = 0; y < picture.size.y; ++y) {
    for (int x = 0; x < picture.size.x; ++x) {
      // Galaxy 0 is drawn at the picture's middle, the next ones 0.2 lengths to the right.
      const double length = (x + 0.5 - picture.size.x / 2.0) / (picture.size.y / 2.0) * 0.41421356;
      const auto galaxy = static_cast<std::size_t>(std::clamp(std::lround(length / 0.2), 0L, 2L));
      sums.at(galaxy) += glm::dvec4(picture.at(x, y));
    }
  }
  return sums;
}

/// White bodies of light 1 in every component.
inline BodyStyle plain_style() {
  BodyStyle style;
  style.palette.fill(glm::vec3(1.0F));
  style.brightness = 1.0F;
  return style;
}

}  // namespace orrery::render::test
