#include "render/picture/camera_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace orrery::render {
namespace {

/// How far apart two orientations are, in radians.
double angle_between(const glm::dquat& a, const glm::dquat& b) {
  return 2.0 * std::acos(std::min(1.0, std::abs(glm::dot(a, b))));
}

Camera random_camera(std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  Camera camera;
  camera.target = glm::dvec3(any(random), any(random), any(random));
  camera.orientation = glm::normalize(glm::dquat(any(random), any(random), any(random), any(random)));
  camera.distance = std::exp(5.0 * any(random));
  camera.field_of_view = static_cast<float>(std::exp(any(random) - 1.0));
  return camera;
}

CameraPath random_path(std::mt19937& random, Easing easing, Camera::Mode mode = Camera::Mode::orbit) {
  std::uniform_real_distribution<double> gap(0.2, 3.0);
  std::vector<CameraKey> keys;
  double time = 0.0;
  for (int i = 0; i < 6; ++i, time += gap(random)) {
    keys.push_back({time, random_camera(random), easing});
    keys.back().camera.mode = mode;
  }
  return CameraPath(keys);
}

TEST(CameraPath, PassesThroughItsKeys) {
  std::mt19937 random(1);
  for (const auto easing : {Easing::smooth, Easing::linear, Easing::rest, Easing::hold})
    for (const auto mode : {Camera::Mode::orbit, Camera::Mode::fly})
      for (int k = 0; k < 50; ++k) {
        const auto path = random_path(random, easing, mode);
        for (const auto& key : path.keys()) {
          const auto camera = path.at(key.time);
          EXPECT_LT(glm::length(camera.position() - key.camera.position()),
                    1e-9 * (1.0 + key.camera.distance));
          EXPECT_LT(angle_between(camera.orientation, key.camera.orientation), 1e-6);
          EXPECT_NEAR(camera.distance / key.camera.distance, 1.0, 1e-9);
          EXPECT_NEAR(camera.field_of_view, key.camera.field_of_view, 1e-6);
        }
      }
}

/// Just before a key the camera is where it is just after it, and goes as fast.
TEST(CameraPath, SmoothPathsHaveNoJumpsOfPlaceOrSpeed) {
  std::mt19937 random(2);
  constexpr double h = 1e-5;
  for (int k = 0; k < 50; ++k) {
    const auto path = random_path(random, Easing::smooth);
    for (const auto& key : path.keys().subspan(1, path.keys().size() - 2)) {
      const auto before = path.at(key.time - h), at = path.at(key.time), after = path.at(key.time + h);
      EXPECT_LT(glm::length(after.target - before.target), 1e-3);
      EXPECT_LT(angle_between(before.orientation, after.orientation), 1e-2);
      const auto change = (after.target - at.target) / h - (at.target - before.target) / h;
      EXPECT_LT(glm::length(change), 1e-2) << key.time;
      const double zooming = std::log(after.distance * before.distance / (at.distance * at.distance)) / h;
      EXPECT_LT(std::abs(zooming), 1e-2);
    }
  }
}

/// Between inner keys of a parabola, however uneven their times are, the path is that parabola.
TEST(CameraPath, KeysOfAParabolaGiveTheParabola) {
  const auto place = [](double t) { return glm::dvec3(t * t - t, 0.5 * t * t, 3.0 - t); };
  CameraPath path;
  for (const double time : {0.0, 0.5, 2.0, 2.3, 4.0}) {
    Camera camera;
    camera.target = place(time);
    path.set({time, camera, Easing::smooth});
  }
  for (double t = 0.5; t <= 2.3; t += 0.05) EXPECT_LT(glm::length(path.at(t).target - place(t)), 1e-12) << t;
}

TEST(CameraPath, RestStandsStillAtKeysAndHoldUntilTheNext) {
  std::mt19937 random(3);
  constexpr double h = 1e-4;
  const auto resting = random_path(random, Easing::rest);
  for (const auto& key : resting.keys()) {
    const auto near = resting.at(key.time + h);
    EXPECT_LT(glm::length(near.target - resting.at(key.time).target) / h, 1e-2);
  }
  const auto holding = random_path(random, Easing::hold);
  const auto keys = holding.keys();
  for (std::size_t i = 0; i + 1 < keys.size(); ++i)
    EXPECT_EQ(holding.at(keys[i + 1].time - h).target, keys[i].camera.target);
}

TEST(CameraPath, DistancesGoByTheirLogarithms) {
  CameraKey near, far;
  near.camera.distance = 1.0;
  far.camera.distance = 1e4;
  far.time = 2.0;
  const CameraPath path({near, far});
  EXPECT_NEAR(path.at(1.0).distance, 100.0, 1e-9);
}

/// The same orientation told by the negative quaternion changes nothing.
TEST(CameraPath, TurnsTheShortWay) {
  CameraKey a, b;
  b.time = 1.0;
  b.camera.orientation = -glm::angleAxis(0.4, glm::dvec3(0.0, 0.0, 1.0));
  const CameraPath path({a, b});
  EXPECT_NEAR(angle_between(path.at(0.5).orientation, a.camera.orientation), 0.2, 1e-9);
}

TEST(CameraPath, KeysAreSortedReplacedAndRemoved) {
  CameraPath path;
  for (const double time : {3.0, 1.0, 2.0}) path.set({time, Camera{}, Easing::smooth});
  auto key = path.keys()[1];
  EXPECT_EQ(key.time, 2.0);
  key.camera.distance = 7.0;
  path.set(key);
  ASSERT_EQ(path.keys().size(), 3U);
  EXPECT_NEAR(path.at(2.0).distance, 7.0, 1e-12);
  path.remove(1);
  EXPECT_EQ(path.keys().size(), 2U);
  EXPECT_EQ(path.duration(), 3.0);
}

TEST(CameraPath, OrbitGoesAroundEvenlyAndComesBack) {
  std::mt19937 random(4);
  const auto start = random_camera(random);
  const glm::dvec3 axis = glm::normalize(glm::dvec3(0.1, 0.2, 1.0));
  const auto path = orbit_path(start, axis, 10.0);
  for (double t = 0.0; t <= 10.0; t += 0.37) {
    const auto camera = path.at(t);
    const auto expected = glm::angleAxis(0.62831853071795865 * t, axis) * start.orientation;
    EXPECT_LT(angle_between(camera.orientation, expected), 1e-6) << t;
    EXPECT_NEAR(camera.distance / start.distance, 1.0, 1e-12);
  }
  EXPECT_LT(angle_between(path.at(10.0).orientation, start.orientation), 1e-6);
}

TEST(CameraPath, FlyThroughBeginsAtTheCameraAndComesNearTheMiddle) {
  Camera start;
  start.look(Camera::Preset::oblique);
  start.distance = 3.0;
  for (const double scale : {1e-3, 1.0, 1e6}) {
    auto camera = start;
    camera.distance *= scale;
    const auto path = fly_through_path(camera, glm::dvec3(0.0), scale, glm::dvec3(0.0, 0.0, 1.0), 12.0);
    EXPECT_EQ(path.at(0.0).position(), camera.position());
    double nearest = 1e30;
    for (double t = 0.0; t <= 12.0; t += 0.01) {
      const auto eye = path.at(t).position();
      EXPECT_TRUE(std::isfinite(eye.x + eye.y + eye.z));
      nearest = std::min(nearest, glm::length(eye) / scale);
    }
    EXPECT_LT(nearest, 0.5);
    EXPECT_GT(nearest, 0.05);
  }
}

}  // namespace
}  // namespace orrery::render
