#include "render/picture/camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery::render {
namespace {

constexpr double scales[] = {1e-6, 1.0, 1e3, 1e9};

/// Normalized device coordinates of a point, by the float matrices that the shader gets.
glm::vec3 project(const Camera& camera, glm::dvec3 point, float aspect) {
  const glm::vec4 clip = camera.projection(aspect) * camera.view() * glm::vec4(glm::vec3(point), 1.0F);
  return glm::vec3(clip) / clip.w;
}

void expect_same(glm::dvec3 a, glm::dvec3 b, double tolerance) {
  EXPECT_LT(glm::length(a - b), tolerance)
      << a.x << " " << a.y << " " << a.z << " against " << b.x << " " << b.y << " " << b.z;
}

Camera tilted(double scale) {
  Camera camera;
  camera.look(Camera::Preset::oblique);
  camera.target = glm::dvec3(0.3, -0.2, 0.1) * scale;
  camera.distance = 2.0 * scale;
  return camera;
}

TEST(Camera, OrbitKeepsDistanceAndTarget) {
  for (const double scale : scales) {
    Camera camera = tilted(scale);
    const glm::dvec3 target = camera.target;
    for (int i = 0; i < 10000; ++i) camera.orbit(0.013, 0.007);
    expect_same(camera.target, target, 1e-12 * scale);
    EXPECT_NEAR(glm::length(camera.position() - target) / scale, 2.0, 1e-9);
    EXPECT_NEAR(glm::length(camera.orientation), 1.0, 1e-9);
  }
}

TEST(Camera, OrbitMovesTheSceneWithTheHand) {
  Camera camera = tilted(1.0);
  // A point on the near side of the target.
  const glm::dvec3 point = camera.target - 0.5 * camera.forward();
  const glm::vec3 before = project(camera, point, 1.0F);
  camera.orbit(0.05, 0.05);
  const glm::vec3 after = project(camera, point, 1.0F);
  EXPECT_GT(after.x, before.x);
  EXPECT_GT(after.y, before.y);
}

TEST(Camera, OrbitKeepsTheHorizonLevel) {
  Camera camera = tilted(1.0);
  for (int i = 0; i < 500; ++i) camera.orbit(0.02 * std::sin(i), 0.01 * std::cos(2.1 * i));
  EXPECT_NEAR(camera.right().z, 0.0, 1e-9);
}

TEST(Camera, FlyModeTurnsOnTheSpot) {
  Camera camera = tilted(1.0);
  camera.mode = Camera::Mode::fly;
  const glm::dvec3 eye = camera.position();
  camera.orbit(0.4, -0.3);
  expect_same(camera.position(), eye, 1e-12);
}

TEST(Camera, PanMovesTheTargetAcrossThePicture) {
  Camera camera = tilted(1.0);
  const glm::dvec3 old_target = camera.target;
  camera.pan(0.25, -0.5);
  const glm::vec3 at = project(camera, old_target, 1.0F);
  EXPECT_NEAR(at.x, 0.5, 1e-5);
  EXPECT_NEAR(at.y, -1.0, 1e-5);
}

TEST(Camera, ZoomToCursorKeepsThePointUnderTheCursor) {
  for (const double scale : scales) {
    Camera camera = tilted(scale);
    const glm::dvec2 cursor(0.6, -0.35);
    const double aspect = 16.0 / 9.0;
    const glm::dvec3 point = camera.point_under(cursor, aspect);
    for (const double factor : {1.5, 0.2, 8.0}) {
      camera.zoom(factor, cursor, aspect);
      expect_same(camera.point_under(cursor, aspect), point, 1e-9 * scale);
      const glm::vec3 at = project(camera, point, static_cast<float>(aspect));
      EXPECT_NEAR(at.x, cursor.x, 1e-4);
      EXPECT_NEAR(at.y, cursor.y, 1e-4);
    }
  }
}

TEST(Camera, NonsenseZoomChangesNothing) {
  Camera camera;
  for (const double factor : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    camera.zoom(factor);
    EXPECT_EQ(camera.distance, 1.0);
  }
  for (int i = 0; i < 10000; ++i) camera.zoom(10.0);
  EXPECT_GT(camera.distance, 0.0);
}

TEST(Camera, FitShowsTheWholeSphere) {
  for (const double aspect : {0.4, 1.0, 16.0 / 9.0}) {
    for (const double scale : scales) {
      Camera camera = tilted(1.0);
      const glm::dvec3 center = glm::dvec3(1.0, 2.0, -1.0) * scale;
      camera.fit(center, scale, aspect);
      double outermost = 0;
      for (int i = 0; i < 4000; ++i) {
        const double z = 1.0 - 2.0 * (i + 0.5) / 4000.0;
        const double angle = 2.399963229728653 * i;
        const double ring = std::sqrt(1.0 - z * z);
        const glm::dvec3 surface =
            center + scale * glm::dvec3(ring * std::cos(angle), ring * std::sin(angle), z);
        const glm::vec3 at = project(camera, surface, static_cast<float>(aspect));
        outermost =
            std::max({outermost, static_cast<double>(std::abs(at.x)), static_cast<double>(std::abs(at.y))});
      }
      EXPECT_LE(outermost, 1.001) << aspect << " " << scale;
      EXPECT_GE(outermost, 0.97) << aspect << " " << scale;
    }
  }
}

TEST(Camera, NothingInFrontIsClippedAtAnyScale) {
  for (const double scale : scales) {
    const Camera camera = tilted(scale);
    for (const double away : {0.01, 1.0, 1e3, 1e6}) {
      const glm::dvec3 point = camera.position() + camera.forward() * (camera.distance * away);
      const glm::vec4 clip = camera.projection(1.5F) * camera.view() * glm::vec4(glm::vec3(point), 1.0F);
      EXPECT_GT(clip.w, 0.0F);
      EXPECT_LE(std::abs(clip.z), clip.w) << scale << " " << away;
    }
    const glm::dvec3 behind = camera.position() - camera.forward() * camera.distance;
    EXPECT_LT((camera.projection(1.5F) * camera.view() * glm::vec4(glm::vec3(behind), 1.0F)).w, 0.0F);
    const glm::dvec3 too_near = camera.position() + camera.forward() * (0.5 * camera.near_plane());
    const glm::vec4 clip = camera.projection(1.5F) * camera.view() * glm::vec4(glm::vec3(too_near), 1.0F);
    EXPECT_LT(clip.z, -clip.w);
  }
}

TEST(Camera, PresetsLookAlongTheirAxes) {
  Camera camera;
  camera.look(Camera::Preset::face_on);
  expect_same(camera.forward(), {0, 0, -1}, 1e-12);
  expect_same(camera.right(), {1, 0, 0}, 1e-12);
  camera.look(Camera::Preset::edge_on);
  expect_same(camera.forward(), {-1, 0, 0}, 1e-12);
  expect_same(camera.up(), {0, 0, 1}, 1e-12);
  camera.look(Camera::Preset::oblique);
  EXPECT_LT(camera.forward().z, 0.0);
  EXPECT_NEAR(camera.right().z, 0.0, 1e-12);
}

TEST(Camera, FlyMovesInUnitsOfTheDistance) {
  Camera camera = tilted(1e3);
  const glm::dvec3 eye = camera.position();
  camera.fly(0.1, 0.2, -0.3);
  const glm::dvec3 moved = camera.position() - eye;
  EXPECT_NEAR(glm::dot(moved, camera.right()), 200.0, 1e-6);
  EXPECT_NEAR(glm::dot(moved, camera.up()), 400.0, 1e-6);
  EXPECT_NEAR(glm::dot(moved, camera.forward()), -600.0, 1e-6);
}

TEST(Camera, ZoomCompensationIsTwoStopsPerHalvedDistance) {
  Camera camera;
  camera.distance = 0.5;
  EXPECT_FLOAT_EQ(camera.zoom_compensation(1.0), 2.0F);
  EXPECT_FLOAT_EQ(camera.zoom_compensation(0.25), -2.0F);
}

}  // namespace
}  // namespace orrery::render
