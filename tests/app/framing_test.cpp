#include "app/picture/framing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "app/picture/camera_follower.h"
#include "app/picture/scene_summary.h"
#include "app/session/camera_file.h"
#include "lab/setup/dataset.h"
#include "sim/core/error.h"
#include "tests/app/framing_testing.h"

namespace orrery::app {
namespace {

sim::Vec3 turned(glm::dquat turn, const sim::Vec3& v) {
  const auto r = turn * glm::dvec3(v.x, v.y, v.z);
  return {static_cast<float>(r.x), static_cast<float>(r.y), static_cast<float>(r.z)};
}

sim::Bodies turned(sim::Bodies bodies, glm::dquat turn, glm::dvec3 shift) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.position[i] = turned(turn, bodies.position[i]);
    bodies.velocity[i] = turned(turn, bodies.velocity[i]);
    bodies.position[i].x += static_cast<float>(shift.x);
    bodies.position[i].y += static_cast<float>(shift.y);
    bodies.position[i].z += static_cast<float>(shift.z);
  }
  return bodies;
}

/// The part of the luminous bodies that a picture shows inside `part` of its width and height, by the
/// matrices that draw it.
double share_inside(const sim::Bodies& bodies, const render::Camera& camera, double aspect, double part) {
  const auto matrix = glm::dmat4(camera.projection(static_cast<float>(aspect)) * camera.view());
  double inside = 0.0;
  double all = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.component[i] == sim::Component::halo) continue;
    const auto& p = bodies.position[i];
    const auto clip = matrix * glm::dvec4(p.x, p.y, p.z, 1.0);
    all += 1.0;
    if (clip.w > 0.0 && std::abs(clip.x) <= part * clip.w && std::abs(clip.y) <= part * clip.w) inside += 1.0;
  }
  return inside / all;
}

TEST(Framing, NineTenthsOfTheLightFillTwoThirdsOfAnyModelFromAnywhere) {
  std::mt19937 random(5);
  for (const char* name : {"disk", "plummer", "collision", "square"}) {
    const auto bodies = model(name);
    const auto light = luminous_bodies(bodies);
    for (const double aspect : {16.0 / 9.0, 1.0, 0.5}) {
      for (int k = 0; k < 8; ++k) {
        render::Camera camera;
        camera.orientation = any_turn(random);
        const auto placed = framed(camera, light.places, aspect);
        EXPECT_EQ(placed.orientation, camera.orientation);
        // The ellipse holds 90 %, the box around it some more; nothing is wasted either.
        EXPECT_GE(share_inside(bodies, placed, aspect, usual_framing.part + 1e-3), 0.9)
            << name << ' ' << aspect;
        EXPECT_LE(share_inside(bodies, placed, aspect, 0.65 * usual_framing.part), 0.9)
            << name << ' ' << aspect;
      }
    }
  }
}

/// How high in the picture the luminous bodies are seen: -1 is the lower edge, 1 the upper one; sorted.
std::vector<double> heights(const sim::Bodies& bodies, const render::Camera& camera, double aspect) {
  const auto matrix = glm::dmat4(camera.projection(static_cast<float>(aspect)) * camera.view());
  std::vector<double> all;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.component[i] == sim::Component::halo) continue;
    const auto& p = bodies.position[i];
    const auto clip = matrix * glm::dvec4(p.x, p.y, p.z, 1.0);
    all.push_back(clip.y / clip.w);
  }
  std::ranges::sort(all);
  return all;
}

/// Bodies at rest, evenly in a thin disk of radius 1.
sim::Bodies flat_disk(std::size_t count) {
  sim::Bodies bodies;
  bodies.resize(count);
  std::fill(bodies.component.begin(), bodies.component.end(), sim::Component::disk);
  for (std::size_t i = 0; i < count; ++i) {
    const double radius = std::sqrt((static_cast<double>(i) + 0.5) / static_cast<double>(count));
    const double angle = 2.399963 * static_cast<double>(i);  // the golden angle
    bodies.position[i] = {static_cast<float>(radius * std::cos(angle)),
                          static_cast<float>(radius * std::sin(angle)), 0.0F};
  }
  return bodies;
}

/// The near half of a tilted disk is seen larger than the far one.
TEST(Framing, AHardEdgeIsAsFarFromTheUpperAsFromTheLowerEdgeOfThePicture) {
  const auto bodies = flat_disk(3000);
  const auto summary = summarize(bodies);
  for (const double aspect : {16.0 / 9.0, 1.0, 0.5})
    for (const char* view : {"fit", "face-on", "edge-on", "three-quarter"}) {
      const auto at = heights(bodies, view_of(summary, view_from_name(view), aspect), aspect);
      EXPECT_NEAR(at.front() + at.back(), 0.0, 0.2) << view << ' ' << aspect;
      EXPECT_LT(at.back(), 0.8) << view << ' ' << aspect;
    }
}

TEST(Framing, LightIsInTheMiddleOfThePictureOfAnyModel) {
  for (const char* name : {"disk", "spiral", "ring", "collision", "mice"}) {
    const auto bodies = model(name);
    const auto at = heights(bodies, fitted_camera(summarize(bodies)), usual_aspect);
    const double low = at[at.size() / 20], high = at[at.size() - at.size() / 20];
    EXPECT_NEAR(low + high, 0.0, 0.05) << name;
  }
}

/// One of two galaxies, of which the first body belongs to one and the last body to the other.
sim::Bodies part_of(const sim::Bodies& bodies, bool second) {
  const auto at = [&](std::size_t i) {
    return glm::dvec3(bodies.position[i].x, bodies.position[i].y, bodies.position[i].z);
  };
  sim::Bodies part;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const bool nearer = glm::distance(at(i), at(bodies.size() - 1)) < glm::distance(at(i), at(0));
    if (nearer != second || bodies.component[i] == sim::Component::halo) continue;
    part.resize(part.size() + 1);
    part.position.back() = bodies.position[i];
    part.component.back() = bodies.component[i];
  }
  return part;
}

/// Of the shorter side of the picture, what the middle nine tenths take up along the longer way.
double size_of(const sim::Bodies& bodies, render::Camera camera, double aspect) {
  const auto roll = glm::angleAxis(-0.125 * 3.14159265, glm::dvec3(0.0, 0.0, 1.0));
  double largest = 0.0;
  for (int turn = 0; turn < 8; ++turn) {
    const auto at = heights(bodies, camera, aspect);
    largest = std::max(largest, 0.5 * (at[at.size() - at.size() / 20] - at[at.size() / 20]));
    camera.orientation = glm::normalize(camera.orientation * roll);
  }
  return largest / std::min(1.0, aspect);
}

TEST(Framing, TwoGalaxiesFarApartAreBothLargeAndWhollyInThePicture) {
  const auto bodies = model("milky-way-andromeda-today", 8000);
  const auto summary = summarize(bodies);
  ASSERT_TRUE(summary.luminous.pair);
  EXPECT_NEAR(summary.luminous.spin.z, -1.0, 0.01) << "of the Milky Way";
  EXPECT_LT(summary.half_radius, 20.0) << "exposure and glow are those of one galaxy";
  for (const double aspect : {16.0 / 9.0, 1.0, 0.5}) {
    const auto camera = view_of(summary, View::fit, aspect);
    for (const bool second : {false, true}) {
      const auto galaxy = part_of(bodies, second);
      EXPECT_GT(share_inside(galaxy, camera, aspect, 0.97), 0.97) << second << ' ' << aspect;
      // From the side they would take up a thirtieth.
      EXPECT_GT(size_of(galaxy, camera, aspect), second ? 0.15 : 0.3) << aspect;
    }
  }
  // The other views show how far they are apart.
  EXPECT_GT(view_of(summary, View::face_on).distance, 700.0);
}

TEST(Framing, GalaxiesThatAreNearAreFramedTogether) {
  for (const char* name : {"disk", "plummer", "collision", "mice", "satellite", "square"})
    EXPECT_FALSE(luminous_bodies(model(name)).pair) << name;
  auto bodies = model("milky-way-andromeda-today", 8000);
  for (auto& place : bodies.position)
    if (place.y > 0.0F) place = {place.x + 340.0F, place.y - 560.0F, place.z + 250.0F};
  EXPECT_FALSE(luminous_bodies(bodies).pair) << "once they meet";
  // A few bodies far away are no galaxy.
  auto disk = model("disk");
  for (std::size_t i = 0; i < disk.size(); i += 20) disk.position[i].x += 500.0F;
  EXPECT_FALSE(luminous_bodies(disk).pair);
}

TEST(Framing, TheStartIsTheSameHoweverTheGalaxyLies) {
  std::mt19937 random(6);
  const auto bodies = model("disk");
  const auto straight = summarize(bodies);
  for (int k = 0; k < 8; ++k) {
    const auto summary = summarize(turned(bodies, any_turn(random), {30.0, -7.0, 12.0}));
    const auto& camera = fitted_camera(summary);
    EXPECT_NEAR(camera.distance / fitted_camera(straight).distance, 1.0, 0.15);
    const double tilt = glm::dot(-camera.forward(), summary.luminous.spin);
    EXPECT_NEAR(tilt, std::cos(52.0 * 3.14159265 / 180.0), 1e-6);
    EXPECT_GE(share_inside(turned(bodies, {1, 0, 0, 0}, {}), fitted_camera(straight), usual_aspect,
                           usual_framing.part),
              0.9);
  }
}

/// Points of a flat round disk of radius 1, evenly spread.
std::vector<glm::dvec3> flat_disk(glm::dvec3 center, glm::dvec3 normal, std::mt19937& random) {
  std::uniform_real_distribution<double> unit;
  const auto x = glm::normalize(glm::cross(normal, glm::dvec3(0.3, 0.5, 0.1))), y = glm::cross(normal, x);
  std::vector<glm::dvec3> places;
  for (int k = 0; k < 1500; ++k) {
    const double radius = std::sqrt(unit(random)), angle = 6.283185307 * unit(random);
    places.push_back(center + radius * (std::cos(angle) * x + std::sin(angle) * y));
  }
  return places;
}

TEST(Framing, DisksAcrossTheirOrbitAreSeenFromTheirOpenSides) {
  std::mt19937 random(8);
  const glm::dvec3 orbit{0.0, 0.0, 1.0};
  for (int k = 0; k < 12; ++k) {
    const double azimuth = glm::radians(30.0 * k), lean = glm::radians(70.0);
    const glm::dvec3 normal{std::sin(lean) * std::cos(azimuth), std::sin(lean) * std::sin(azimuth),
                            std::cos(lean)};
    auto places = flat_disk({2.0, 0.0, 0.0}, normal, random);
    const auto other = flat_disk({-2.0, 0.0, 0.0}, orbit, random);
    places.insert(places.end(), other.begin(), other.end());
    const auto camera = towards(View::fit, orbit, open_turn(places, {}, orbit, 1.5));
    EXPECT_GT(std::abs(glm::dot(camera.forward(), normal)), 0.35) << k;
  }
}

TEST(Framing, TheLargeDiskOfTheWhirlpoolIsNotSeenFromItsEdge) {
  const auto light = luminous_bodies(model("m51", 20'000));
  EXPECT_NE(open_turn(light.places, light.center, light.spin, light.half_radius), 0.0);
}

TEST(Framing, PlacesThatAreNoNumbersTurnNothing) {
  auto light = luminous_bodies(model("disk"));
  for (std::size_t k = 0; k < light.places.size(); k += 3)
    light.places[k].x =
        k % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  EXPECT_EQ(open_turn(light.places, light.center, light.spin, light.half_radius), 0.0);
}

TEST(Framing, OneGalaxyIsNotTurned) {
  for (const char* name : {"disk", "spiral", "steady-disk", "barred", "plummer", "hernquist"}) {
    const auto light = luminous_bodies(model(name));
    EXPECT_EQ(open_turn(light.places, light.center, light.spin, light.half_radius), 0.0) << name;
  }
  EXPECT_EQ(open_turn({}, {}, {0.0, 0.0, 1.0}, 0.0), 0.0);
}

TEST(Framing, SpinIsThatOfTheLuminousBodies) {
  std::mt19937 random(7);
  auto bodies = model("disk");
  // A halo that turns the other way, faster: it is not seen.
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.component[i] == sim::Component::halo)
      bodies.velocity[i] = {bodies.position[i].y * 9.0F, -bodies.position[i].x * 9.0F, 0.0F};
  for (int k = 0; k < 6; ++k) {
    const auto turn = any_turn(random);
    const auto light = luminous_bodies(turned(bodies, turn, {0.0, 0.0, 0.0}));
    EXPECT_GT(glm::dot(light.spin, turn * glm::dvec3(0, 0, 1)), 0.99);
    const auto face = towards(View::face_on, light.spin);
    const auto edge = towards(View::edge_on, light.spin);
    EXPECT_NEAR(glm::dot(face.forward(), light.spin), -1.0, 1e-9);
    EXPECT_NEAR(glm::dot(edge.forward(), light.spin), 0.0, 1e-9);
    EXPECT_NEAR(glm::dot(edge.up(), light.spin), 1.0, 1e-9);
  }
}

TEST(Framing, AFlatSystemAtRestIsSeenAcrossItsFlatSide) {
  std::mt19937 random(8);
  auto bodies = model("disk");
  std::fill(bodies.velocity.begin(), bodies.velocity.end(), sim::Vec3{0, 0, 0});
  std::fill(bodies.component.begin(), bodies.component.end(), sim::Component::disk);
  for (auto& place : bodies.position) place.z *= 0.1F;
  const auto turn = any_turn(random);
  const auto light = luminous_bodies(turned(bodies, turn, {1.0, 2.0, 3.0}));
  EXPECT_GT(std::abs(glm::dot(light.spin, turn * glm::dvec3(0, 0, 1))), 0.99);
}

TEST(Framing, RoundSystemsFewBodiesAndHalosHaveAView) {
  auto halo = model("plummer");
  std::fill(halo.component.begin(), halo.component.end(), sim::Component::halo);
  EXPECT_EQ(luminous_bodies(halo).count, halo.size()) << "all there is";
  auto still = model("plummer");
  std::fill(still.velocity.begin(), still.velocity.end(), sim::Vec3{0, 0, 0});
  EXPECT_EQ(luminous_bodies(still).spin, glm::dvec3(0, 0, 1));
  sim::Bodies one;
  one.resize(200);  // all in one place
  EXPECT_GT(fitted_camera(summarize(one)).distance, 0.0);
  EXPECT_GT(fitted_camera(summarize(sim::Bodies())).distance, 0.0);
}

TEST(Framing, AllPlanetsAreInThePicture) {
  for (const char* name : {"solar-system", "sun-earth-moon", "figure-eight"}) {
    const auto bodies = lab::load_dataset({.source = name}).bodies;
    const auto summary = summarize(bodies);
    for (const char* view : {"fit", "face-on", "edge-on", "three-quarter"}) {
      const auto camera = view_of(summary, view_from_name(view), 1.5);
      EXPECT_EQ(share_inside(bodies, camera, 1.5, 1.0), 1.0) << name << ' ' << view;
    }
  }
}

TEST(Framing, ViewsAreKnownByName) {
  EXPECT_EQ(view_from_name("fit"), View::fit);
  EXPECT_EQ(view_from_name("face-on"), View::face_on);
  EXPECT_EQ(view_from_name("edge-on"), View::edge_on);
  EXPECT_EQ(view_from_name("three-quarter"), View::three_quarter);
  EXPECT_THROW(view_from_name("above"), sim::UsageError);
}

class CameraFile : public testing::Test {
 protected:
  std::filesystem::path written(const std::string& text) {
    const auto path =
        std::filesystem::temp_directory_path() / ("orrery-camera-" + std::to_string(::getpid()));
    std::ofstream(path) << text;
    return path;
  }
};

TEST_F(CameraFile, RoundTripsThroughTheFormOfStates) {
  render::Camera camera;
  camera.target = {1.0, -2.0, 3.0};
  camera.orientation = glm::normalize(glm::dquat(0.5, 0.1, -0.7, 0.2));
  camera.distance = 17.0;
  camera.field_of_view = 0.6F;
  EXPECT_EQ(read_camera(written(to_json(camera).dump())), camera);
  EXPECT_EQ(read_camera(written(nlohmann::json{{"camera", to_json(camera)}}.dump())), camera) << "a state";
}

TEST_F(CameraFile, APositionTellsTheRest) {
  const auto at = read_camera(written(R"({"position": [0, -5, 0], "target": [0, 0, 0]})"));
  EXPECT_NEAR(at.distance, 5.0, 1e-12);
  EXPECT_NEAR(glm::distance(at.position(), glm::dvec3(0, -5, 0)), 0.0, 1e-12);
  EXPECT_NEAR(at.up().z, 1.0, 1e-12);
  const auto oriented =
      read_camera(written(R"({"position": [1, 2, 8], "orientation_wxyz": [1, 0, 0, 0], "distance": 8})"));
  EXPECT_NEAR(glm::distance(oriented.target, glm::dvec3(1, 2, 0)), 0.0, 1e-12);
}

TEST_F(CameraFile, BadOnesAreRefusedWithOneLine) {
  for (const char* text :
       {"", "[]", "{}", "camera", R"({"camera": 3})",
        R"({"target": [0, 0], "orientation_wxyz": [1,0,0,0], "distance": 1})",
        R"({"target": [0, 0, 0], "orientation_wxyz": [0,0,0,0], "distance": 1})",
        R"({"target": [0, 0, 0], "orientation_wxyz": [1,0,0,0], "distance": 0})",
        R"({"target": [0, 0, 0], "orientation_wxyz": [1,0,0,0], "distance": 1, "field_of_view": 4})",
        R"({"target": [0, 0, 0], "orientation_wxyz": "up", "distance": 1})",
        R"({"position": [0, 0, 5], "target": [0, 0, 0]})",
        R"({"position": [1, 1, 1], "target": [1, 1, 1]})"}) {
    try {
      read_camera(written(text));
      ADD_FAILURE() << text;
    } catch (const sim::Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("cannot use the camera '")) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
  EXPECT_THROW(read_camera("/nowhere/camera.json"), sim::UsageError);
}

TEST(Framing, FollowsWhatHasMoved) {
  const auto start = model("disk");
  const auto summary = summarize(start);
  auto later = start;
  for (auto& place : later.position) place = {3.0F * place.x + 40.0F, 3.0F * place.y, 3.0F * place.z};
  const auto now = moved_summary(summary, later);
  const auto camera = view_of(now, View::fit), before = view_of(summary, View::fit);
  EXPECT_NEAR(camera.distance / before.distance, 3.0, 1e-4);
  EXPECT_NEAR(camera.target.x, 3.0 * before.target.x + 40.0, 1e-3);
  // Exposure and glow stay those of the dataset.
  EXPECT_EQ(now.half_radius, summary.half_radius);
}

/// A pair that is near for a moment is on wide orbits.
TEST(Framing, FewBodiesKeepRoomForTheirOrbits) {
  const auto start = model("two-body", 2);
  const auto summary = summarize(start);
  auto near = start, far = start;
  for (auto& place : near.position) place = {0.1F * place.x, 0.1F * place.y, 0.1F * place.z};
  for (auto& place : far.position) place = {5.0F * place.x, 5.0F * place.y, 5.0F * place.z};
  EXPECT_EQ(moved_summary(summary, near).radius, summary.radius);
  EXPECT_NEAR(moved_summary(summary, far).radius, 5.0 * summary.radius, 1e-4 * summary.radius);
}

TEST(Framing, DisksAreSeenFromTheirSidesWhateverTheirPlane) {
  const glm::dvec3 spin = glm::normalize(glm::dvec3(1.0, 2.0, -0.5));
  const auto above = towards(View::face_on, spin);
  const auto side = towards(View::edge_on, spin), other = towards(View::edge_on, spin, 90.0);
  EXPECT_NEAR(glm::dot(above.forward(), spin), -1.0, 1e-9);
  EXPECT_NEAR(glm::dot(side.up(), spin), 1.0, 1e-9);
  EXPECT_NEAR(glm::dot(other.up(), spin), 1.0, 1e-9);
  EXPECT_NEAR(glm::dot(side.forward(), other.forward()), 0.0, 1e-9);
}

TEST_F(CameraFile, ChoicesOfTheCommandLine) {
  const auto summary = summarize(model("disk", 500));
  const auto start = fitted_camera(summary);
  EXPECT_EQ(chosen_camera({}, start, summary, usual_aspect), start);
  const auto near = chosen_camera({.zoom = 4.0}, start, summary, usual_aspect);
  EXPECT_NEAR(near.distance, start.distance / 4.0, 1e-12);
  const auto edge = chosen_camera({.view = View::edge_on}, start, summary, usual_aspect);
  EXPECT_EQ(edge, view_of(summary, View::edge_on, usual_aspect));
  EXPECT_EQ(parse_zoom("2.5"), 2.5);
  for (const char* text : {"", "0", "-1", "nan", "inf", "1e9", "2x"})
    EXPECT_THROW(parse_zoom(text), sim::UsageError) << text;
}

/// Two clouds that move apart and aside: all the time in the picture, and nearly as they would be framed.
TEST(CameraFollower, KeepsBodiesInThePicture) {
  const auto clouds = [](double apart) {
    std::vector<glm::dvec3> places;
    for (int k = 0; k < 400; ++k) {
      const double angle = 0.7 * k, radius = 0.01 * (k % 50);
      const glm::dvec3 in_cloud{radius * std::cos(angle), radius * std::sin(angle),
                                0.1 * std::sin(3.0 * angle)};
      places.push_back(in_cloud + glm::dvec3((k % 2 == 0 ? 0.5 : -0.5) * apart + 0.2 * apart, 0.0, 0.0));
    }
    return places;
  };
  constexpr double aspect = 16.0 / 9.0;
  auto camera = framed(towards(View::fit, {0.0, 0.0, 1.0}), clouds(1.0), aspect);
  const auto start = camera;
  CameraFollower follower;
  double apart = 1.0;
  for (int frame = 0; frame < 600; ++frame, apart += 0.02) {
    if (frame % 15 == 0) follower.look(clouds(apart), camera, aspect);
    follower.advance(1.0 / 60.0, camera);
    EXPECT_GT(share_in_picture(camera, clouds(apart), aspect), 0.97) << frame;
  }
  EXPECT_LT(share_in_picture(start, clouds(apart), aspect), 0.5) << "the camera of the start loses them";
  EXPECT_EQ(camera.orientation, start.orientation);
  const auto right = framed(camera, clouds(apart), aspect, CameraFollower::framing);
  EXPECT_NEAR(camera.distance / right.distance, 1.0, 0.1);
}

/// A film begins where it would go: near two galaxies, and not far away from them.
TEST(CameraFollower, JumpsToWhereItFramesThem) {
  const std::vector<glm::dvec3> places{{-1.0, 0.0, 0.0}, {-0.9, 0.1, 0.0}, {0.9, 0.0, 0.1}, {1.0, 0.0, 0.0}};
  auto camera = towards(View::fit, {0.0, 0.0, 1.0});
  CameraFollower follower;
  follower.look(places, camera, 2.0);
  const auto right = framed(camera, places, 2.0, CameraFollower::framing);
  follower.jump(camera);
  EXPECT_EQ(camera.distance, right.distance);
  EXPECT_EQ(camera.target, right.target);
  CameraFollower near(2.0);
  near.look(places, camera, 2.0);
  near.jump(camera);
  EXPECT_EQ(camera.distance, 0.5 * right.distance);
}

TEST(CameraFollower, RestsWithoutBodies) {
  auto camera = towards(View::fit, {0.0, 0.0, 1.0});
  const auto before = camera;
  CameraFollower follower;
  follower.look({}, camera, 1.0);
  follower.advance(1.0, camera);
  EXPECT_EQ(camera.target, before.target);
  EXPECT_EQ(camera.distance, before.distance);
}

}  // namespace
}  // namespace orrery::app
