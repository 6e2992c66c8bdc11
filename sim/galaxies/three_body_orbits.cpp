#include <fmt/format.h>

#include "sim/galaxies/model.h"
#include "sim/galaxies/particles.h"

namespace orrery::sim {

namespace {

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

Scene scene_of(const PeriodicStart& start) {
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

Scene make_butterfly(const ModelRequest& /*request*/) { return scene_of(butterfly_start); }
Scene make_moth(const ModelRequest& /*request*/) { return scene_of(moth_start); }
Scene make_goggles(const ModelRequest& /*request*/) { return scene_of(goggles_start); }
Scene make_dragonfly(const ModelRequest& /*request*/) { return scene_of(dragonfly_start); }
Scene make_yin_yang(const ModelRequest& /*request*/) { return scene_of(yin_yang_start); }

}  // namespace

extern const GalaxyModel butterfly_model, moth_model, goggles_model, dragonfly_model, yin_yang_model;
constinit const GalaxyModel butterfly_model{
    .name = "butterfly",
    .meaning = "three equal bodies on a periodic orbit like a butterfly",
    .default_bodies = 3,
    .minimum_bodies = 3,
    .maximum_bodies = 3,
    .make = make_butterfly,
};
constinit const GalaxyModel moth_model{
    .name = "moth",
    .meaning = "three equal bodies on a periodic orbit like a moth",
    .default_bodies = 3,
    .minimum_bodies = 3,
    .maximum_bodies = 3,
    .make = make_moth,
};
constinit const GalaxyModel goggles_model{
    .name = "goggles",
    .meaning = "three equal bodies on a periodic orbit like a pair of goggles",
    .default_bodies = 3,
    .minimum_bodies = 3,
    .maximum_bodies = 3,
    .make = make_goggles,
};
constinit const GalaxyModel dragonfly_model{
    .name = "dragonfly",
    .meaning = "three equal bodies on a periodic orbit like a dragonfly",
    .default_bodies = 3,
    .minimum_bodies = 3,
    .maximum_bodies = 3,
    .make = make_dragonfly,
};
constinit const GalaxyModel yin_yang_model{
    .name = "yin-yang",
    .meaning = "three equal bodies on a periodic orbit like yin and yang",
    .default_bodies = 3,
    .minimum_bodies = 3,
    .maximum_bodies = 3,
    .make = make_yin_yang,
};

}  // namespace orrery::sim
