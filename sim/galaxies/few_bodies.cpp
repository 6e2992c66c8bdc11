#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "sim/galaxies/model.h"
#include "sim/galaxies/particles.h"

// Systems of two or three points.

namespace orrery::sim {

namespace {

// Two halves of a unit mass, semi-major axis 1, period 2 pi, started at apocentre.
Scene make_two_body(const ModelRequest& /*request*/) {
  constexpr double eccentricity = 0.5;
  const double r = 1.0 + eccentricity;
  const double v = std::sqrt((1.0 - eccentricity) / (1.0 + eccentricity));
  Particles particles;
  particles.add({-0.5 * r, 0, 0}, {0, -0.5 * v, 0}, 0.5, Component::star);
  particles.add({0.5 * r, 0, 0}, {0, 0.5 * v, 0}, 0.5, Component::star);
  Scene scene;
  scene.bodies = to_bodies(particles);
  scene.physics.softening = 1e-4;
  scene.period = 2.0 * std::numbers::pi;
  scene.physics.time_step = scene.period / 1000.0;
  scene.speed = scene.period / 6.0;
  scene.notes.emplace_back(
      "Kepler orbit, e = 0.5, a = 1, G = M = 1, period 2 pi: the ellipses must not turn");
  return scene;
}

// Moore 1993; Chenciner & Montgomery 2000 (Annals of Math. 152, 881), with Simo's initial conditions.
Scene make_figure_eight(const ModelRequest& /*request*/) {
  constexpr double period = 6.32591398;
  const DVec3 x{0.97000436, -0.24308753, 0.0};
  const DVec3 v{-0.93240737, -0.86473146, 0.0};
  Particles particles;
  particles.add(x, -0.5 * v, 1.0, Component::star);
  particles.add(-x, -0.5 * v, 1.0, Component::star);
  particles.add({}, v, 1.0, Component::star);
  Scene scene;
  scene.bodies = to_bodies(particles);
  scene.physics.softening = 1e-4;
  scene.period = period;
  scene.physics.time_step = period / 1200.0;
  scene.speed = period / 8.0;
  scene.notes.emplace_back(
      "G = m = 1, period 6.3259: after a third of it the three bodies have changed places");
  return scene;
}

// A periodic orbit of three equal masses in a plane (G = m = 1) from (-1, 0), (1, 0) and (0, 0): the outer
// two begin with (vx, vy), the inner one with -2 (vx, vy).
struct PeriodicStart {
  const char* number;  // in the classes of Suvakov and Dmitrasinovic
  double vx, vy;
  double period;
  int steps;  // to a period: bodies come as close as 0.005 to each other
};

// Suvakov & Dmitrasinovic 2013, Phys. Rev. Lett. 110, 114301; all digits: Suvakov & Dmitrasinovic 2014, Am.
// J. Phys. 82, 609, table I.
constexpr PeriodicStart butterfly_start{"I.A.1", 0.306892758965492, 0.125506782829762, 6.23564136316479,
                                        30'000};
constexpr PeriodicStart moth_start{"I.B.1", 0.464445237398184, 0.396059973403921, 14.8939113169584, 5'000};
constexpr PeriodicStart goggles_start{"I.B.5", 0.0833000564575194, 0.127889282226563, 10.4668176954385,
                                      25'000};
constexpr PeriodicStart dragonfly_start{"I.B.7", 0.080584285736084, 0.588836087036132, 21.2709751966648,
                                        100'000};
constexpr PeriodicStart yin_yang_start{"II.C.2a", 0.513938054919243, 0.304736003875733, 17.328369755004,
                                       50'000};

template <const PeriodicStart& start>
Scene make_periodic(const ModelRequest& /*request*/) {
  const DVec3 v{start.vx, start.vy, 0.0};
  Particles particles;
  particles.add({-1.0, 0.0, 0.0}, v, 1.0, Component::star);
  particles.add({1.0, 0.0, 0.0}, v, 1.0, Component::star);
  particles.add({}, -2.0 * v, 1.0, Component::star);
  Scene scene;
  scene.bodies = to_bodies(particles);
  scene.physics.softening = 1e-5;
  scene.physics.integrator = find_integrator("pefrl");
  scene.period = start.period;
  scene.physics.time_step = start.period / start.steps;
  scene.speed = start.period / 10.0;
  scene.wants_double = true;
  scene.notes.push_back(
      fmt::format("G = m = 1, orbit {} of Suvakov and Dmitrasinovic, period {:.4f} in {} steps", start.number,
                  start.period, start.steps));
  return scene;
}

// Burrau 1913 (Astron. Nachr. 195, 113); Szebehely & Peters 1967 (Astron. J. 72, 876).
Scene make_pythagorean(const ModelRequest& /*request*/) {
  Particles particles;
  particles.add({1.0, 3.0, 0.0}, {}, 3.0, Component::star);
  particles.add({-2.0, -1.0, 0.0}, {}, 4.0, Component::star);
  particles.add({1.0, -1.0, 0.0}, {}, 5.0, Component::star);
  Scene scene;
  scene.bodies = to_bodies(particles);
  scene.names = {"3", "4", "5"};
  scene.radii = {0.0, 0.0, 0.0};
  // At t = 15.83 bodies come within 4e-4 at a speed of 200: the softening keeps what fixed steps make of it
  // in bounds. Until then the path is the published one, within 0.1.
  scene.physics.integrator = find_integrator("forest-ruth");
  scene.physics.softening = 1e-3;
  scene.physics.time_step = 2e-5;
  scene.speed = 1.0;
  scene.notes.emplace_back(
      "G = 1, masses 3, 4 and 5 at rest: they fall together and fling each other about; fixed steps follow "
      "the "
      "published path until t = 15.8");
  return scene;
}

}  // namespace

extern const GalaxyModel two_body_model, figure_eight_model, butterfly_model, moth_model, goggles_model,
    dragonfly_model, yin_yang_model, pythagorean_model;
constinit const GalaxyModel two_body_model =
    fixed_model("two-body", "two equal bodies on an ellipse of eccentricity 0.5", 2, make_two_body);
constinit const GalaxyModel figure_eight_model =
    fixed_model("figure-eight", "three equal bodies chasing each other along an eight", 3, make_figure_eight);
constinit const GalaxyModel butterfly_model =
    fixed_model("butterfly", "three equal bodies on a periodic orbit like a butterfly", 3,
                make_periodic<butterfly_start>);
constinit const GalaxyModel moth_model =
    fixed_model("moth", "three equal bodies on a periodic orbit like a moth", 3, make_periodic<moth_start>);
constinit const GalaxyModel goggles_model =
    fixed_model("goggles", "three equal bodies on a periodic orbit like a pair of goggles", 3,
                make_periodic<goggles_start>);
constinit const GalaxyModel dragonfly_model =
    fixed_model("dragonfly", "three equal bodies on a periodic orbit like a dragonfly", 3,
                make_periodic<dragonfly_start>);
constinit const GalaxyModel yin_yang_model = fixed_model(
    "yin-yang", "three equal bodies on a periodic orbit like yin and yang", 3, make_periodic<yin_yang_start>);
constinit const GalaxyModel pythagorean_model = fixed_model(
    "pythagorean", "masses 3, 4 and 5, at rest at the corners of a 3-4-5 triangle", 3, make_pythagorean);

}  // namespace orrery::sim
