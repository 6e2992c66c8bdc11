#include <array>

#include "sim/galaxies/model.h"
#include "sim/galaxies/solar_bodies.h"

namespace orrery::sim {

namespace {

// From the Sun, 1 January 2000, 12:00 TDB, ecliptic and equinox of J2000 (obliquity 84381.448").
struct Planet {
  double mass;  // solar masses
  EphemerisState state;
};

// JPL's ephemeris DE421 (Folkner, Williams & Boggs 2009, "The Planetary and Lunar Ephemeris DE 421", IPN
// Progress Report 42-178): states and mass ratios. The third is the Earth-Moon barycentre with the mass of
// both.
constexpr std::array<Planet, 9> planets{{
    {1.6601375118e-07,
     {{-1.3009360605008e-01, -4.4728761665060e-01, -2.4598322459542e-02},
      {2.1366395645687e-02, -6.4479896640896e-03, -2.4878640425865e-03}}},
    {2.4478382878e-06,
     {{-7.1830229641531e-01, -3.2654307969680e-02, 4.1014180943760e-02},
      {7.9811750967282e-04, -2.0295218702744e-02, -3.2345151210413e-04}}},
    {3.0404326541e-06,
     {{-1.7715878386698e-01, 9.6721935253042e-01, -1.1396732210289e-06},
      {-1.7203109056126e-02, -3.1639118552357e-03, 2.4219145328644e-08}}},
    {3.2271560376e-07,
     {{1.3907159218182e+00, -1.3416318580606e-02, -3.4467660804701e-02},
      {6.7149952522694e-04, 1.5187248090994e-02, 3.0165176173336e-04}}},
    {9.5479191522e-04,
     {{4.0011771685285e+00, 2.9385760815747e+00, -1.0178568179495e-01},
      {-4.5683134938469e-03, 6.4432060378301e-03, 7.5579232385428e-05}}},
    {2.8588567272e-04,
     {{6.4064088635724e+00, 6.5699896126475e+00, -3.6907646475872e-01},
      {-4.2923518723379e-03, 3.8903157005846e-03, 1.0294783957118e-04}}},
    {4.3662437359e-05,
     {{1.4431857252399e+01, -1.3734320548738e+01, -2.3813920702515e-01},
      {2.6781050584378e-03, 2.6726960888356e-03, -2.4772813208786e-05}}},
    {5.1513897250e-05,
     {{1.6812048710682e+01, -2.4991764048053e+01, 1.2722562460593e-01},
      {2.5792747297844e-03, 1.7769004674094e-03, -9.5909427746257e-05}}},
    {7.3617816061e-09,
     {{-9.8753532836656e+00, -2.7958801909429e+01, 5.8504460382573e+00},
      {3.0287505721861e-03, -1.5377865159818e-03, -7.1220418543954e-04}}},
}};

Scene make_solar_system(const ModelRequest& /*request*/) {
  Particles particles;
  particles.add({}, {}, 1.0, Component::star);
  for (const Planet& planet : planets) add_from(particles, 0, planet.state, planet.mass, Component::other);
  auto scene = named_scene(std::move(particles), std::array{sun, mercury, venus, earth, mars, jupiter, saturn,
                                                            uranus, neptune, pluto});
  scene.physics.integrator = find_integrator("pefrl");
  scene.physics.time_step = 0.01;  // 151 steps for an orbit of Mercury, which is within 6" after ten years
  scene.wants_double = true;
  scene.speed = 1.0;  // a year in six seconds
  scene.notes.emplace_back("Sun, Mercury to Neptune and Pluto at J2000 from JPL's ephemeris DE421");
  return scene;
}

}  // namespace

extern const GalaxyModel solar_system_model;
constinit const GalaxyModel solar_system_model{
    .name = "solar-system",
    .meaning = "the Sun, the eight planets and Pluto on 1 January 2000",
    .default_bodies = 10,
    .minimum_bodies = 10,
    .maximum_bodies = 10,
    .make = make_solar_system,
};

}  // namespace orrery::sim
