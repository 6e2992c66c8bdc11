#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "app/picture/framing.h"
#include "app/picture/scene_summary.h"
#include "tests/app/framing_testing.h"

// Cameras that keep bodies in a free part of a picture, and the few bodies by which they do.
namespace orrery::app {
namespace {

/// The part of the positions that is seen in a box, by the matrices that draw it.
double share_in(const std::vector<glm::dvec3>& places, const render::Camera& camera, const PictureBox& box) {
  const auto matrix = glm::dmat4(camera.projection(1.0F) * camera.view());
  const auto inside = std::ranges::count_if(places, [&](const glm::dvec3& place) {
    const auto clip = matrix * glm::dvec4(place, 1.0);
    const glm::dvec2 at(clip.x / clip.w, clip.y / clip.w);
    return clip.w > 0.0 && at.x >= box.low.x && at.x <= box.high.x && at.y >= box.low.y && at.y <= box.high.y;
  });
  return static_cast<double>(inside) / static_cast<double>(places.size());
}

/// A tidal tail that comes near the camera, and a galaxy at its other end.
std::vector<glm::dvec3> long_tail() {
  std::vector<glm::dvec3> places;
  for (int k = 0; k < 600; ++k) {
    const double along = k / 600.0, angle = 3.0 * along;
    places.push_back(10.0 * along * glm::dvec3(std::cos(angle), std::sin(angle), 0.3 * along));
  }
  for (int k = 0; k < 1400; ++k)
    places.emplace_back(std::sqrt(k / 1400.0) * glm::dvec3(std::cos(2.4 * k), std::sin(2.4 * k), 0.0));
  return places;
}

/// Beside a chart and above a caption, in front of both, and where there is hardly any room.
TEST(FramingInABox, ItHoldsItsShareAsLargeAsFitsFromAnywhere) {
  std::mt19937 random(6);
  const std::vector<PictureBox> boxes{{},
                                      {{-0.7, -0.5}, {1.2, 0.6}},
                                      {{0.1, -0.9}, {1.1, 0.9}},
                                      {{-1.5, -0.2}, {1.5, 0.9}},
                                      {{0.2, 0.3}, {0.5, 0.4}}};
  std::vector<std::vector<glm::dvec3>> subjects;
  subjects.push_back(long_tail());
  for (const char* name : {"disk", "collision", "milky-way-andromeda"})
    subjects.push_back(luminous_bodies(model(name)).places);
  for (const auto& places : subjects) {
    for (const auto& box : boxes) {
      for (const double share : {0.9, 0.97}) {
        for (int k = 0; k < 12; ++k) {
          render::Camera camera;
          camera.orientation = any_turn(random);
          auto placed = framed_in(camera, places, box, share);
          EXPECT_EQ(placed.orientation, camera.orientation);
          const glm::dvec2 more = 0.01 * (box.high - box.low);
          EXPECT_GE(share_in(places, placed, {box.low - more, box.high + more}), share - 0.002) << box.low.x;
          const glm::dvec2 less = 0.05 * (box.high - box.low);
          EXPECT_LT(share_in(places, placed, {box.low + less, box.high - less}), share)
              << "room is wasted, " << box.low.x;
        }
      }
    }
  }
}

/// As a step of a demonstration turns the view, frame by frame: never another picture than a new search
/// finds, and no jump.
TEST(FramingInABox, ATurningViewIsFramedFromTheOneBefore) {
  const PictureBox box{{-0.7, -0.5}, {1.2, 0.6}};
  for (const auto& places : {long_tail(), luminous_bodies(model("collision")).places}) {
    render::Camera camera;
    camera.look(render::Camera::Preset::oblique);
    auto placed = framed_in(camera, places, box, 0.97);
    for (int frame = 0; frame < 200; ++frame) {
      const auto before = placed;
      camera.orbit(0.01, 0.003);
      placed = reframed_in(camera, before, places, box, 0.97);
      const auto anew = framed_in(camera, places, box, 0.97);
      EXPECT_EQ(placed.orientation, camera.orientation);
      EXPECT_NEAR(placed.distance / anew.distance, 1.0, 0.01) << frame;
      EXPECT_LT(glm::distance(placed.position(), anew.position()), 0.01 * anew.distance) << frame;
      EXPECT_NEAR(placed.distance / before.distance, 1.0, 0.05) << frame;
    }
  }
}

/// A picture of one point has no size; the chart beside it hid it.
TEST(FramingInABox, PositionsAtOnePointAreInTheMiddleOfTheBox) {
  const PictureBox box{{-0.7, -0.5}, {1.2, 0.6}};
  const glm::dvec3 point{3.0, -2.0, 5.0};
  for (const std::size_t count : {1, 2, 50}) {
    const std::vector<glm::dvec3> places(count, point);
    render::Camera camera;
    camera.look(render::Camera::Preset::oblique);
    for (int frame = 0; frame < 3; ++frame) {
      camera =
          frame == 0 ? framed_in(camera, places, box, 0.98) : reframed_in(camera, camera, places, box, 0.98);
      const auto clip = glm::dmat4(camera.projection(1.0F) * camera.view()) * glm::dvec4(point, 1.0);
      EXPECT_NEAR(clip.x / clip.w, box.middle().x, 1e-3) << count;
      EXPECT_NEAR(clip.y / clip.w, box.middle().y, 1e-3) << count;
      EXPECT_DOUBLE_EQ(camera.distance, 1.0);
    }
  }
}

std::size_t luminous_in(const std::vector<BodyRun>& runs, const sim::Bodies& bodies, const Luminous& light) {
  std::size_t count = 0;
  for (const auto& run : runs)
    for (std::size_t i = run.first; i < run.first + run.count; ++i)
      count += gives_light(bodies, light, i) ? 1 : 0;
  return count;
}

void expect_few_apart(const std::vector<BodyRun>& runs, const sim::Bodies& bodies) {
  EXPECT_LE(runs.size(), 64U);
  std::size_t read = 0, end = 0;
  for (const auto& run : runs) {
    EXPECT_GT(run.count, 0U);
    EXPECT_GE(run.first, end) << "no body is read twice";
    end = run.first + run.count;
    read += run.count;
  }
  EXPECT_LE(end, bodies.size());
  EXPECT_LE(read, 64U * 1024U);
}

/// So many small copies take no time beside a frame.
TEST(LuminousRuns, AFewStandForAllThatGiveLight) {
  for (const std::size_t bodies : {2048, 5000, 100'000}) {
    const auto all = model("milky-way-andromeda", bodies);
    const auto light = luminous_bodies(all);
    const auto runs = luminous_runs(all, light);
    expect_few_apart(runs, all);
    const auto count = luminous_in(runs, all, light);
    EXPECT_LE(count, 1024U);
    EXPECT_GE(count, std::min<std::size_t>(light.indices.size(), 800)) << bodies;
  }
}

/// One read for each of a thousand stars took longer than a frame.
TEST(LuminousRuns, StarsAmongAHaloAreReadTogether) {
  for (const std::size_t apart : {2, 20, 100, 3000}) {
    for (const std::size_t stars : {1, 100, 1000, 1024, 3000}) {
      sim::Bodies bodies;
      bodies.resize(stars * apart);
      std::ranges::fill(bodies.component, sim::Component::halo);
      for (std::size_t k = 0; k < stars; ++k) bodies.component[k * apart + apart / 2] = sim::Component::disk;
      const auto light = luminous_bodies(bodies);
      const auto runs = luminous_runs(bodies, light);
      expect_few_apart(runs, bodies);
      const auto count = luminous_in(runs, bodies, light);
      EXPECT_LE(count, 1024U);
      EXPECT_GE(count, std::min<std::size_t>(stars, apart <= 20 ? 800 : 64)) << stars << ' ' << apart;
    }
  }
}

}  // namespace
}  // namespace orrery::app
