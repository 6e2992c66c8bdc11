#include "sim/galaxies/solar_bodies.h"

#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string_view>

#include "sim/galaxies/model.h"
#include "sim/galaxies/particles.h"

namespace orrery::sim {

namespace {

/// Kilometres of an astronomical unit (IAU 2012, resolution B2).
constexpr double km_of_au = 149'597'870.7;
/// The Sun's nominal radius in km (IAU 2015, resolution B3).
constexpr double sun_radius_km = 695'700.0;

/// A body that has a name, a size and a colour.
struct NamedBody {
  std::string_view name;
  double radius_km;  ///< the mean one
  Color color;       ///< as the eye sees its sunlit side, but brighter and with a little more colour
};

/// Mean radii: Archinal et al. 2018 (Celest. Mech. Dyn. Astr. 130, 22), IAU working group.
constexpr NamedBody sun{"Sun", sun_radius_km, 0xfff1d6};
constexpr NamedBody mercury{"Mercury", 2'439.4, 0xb9aca0};
constexpr NamedBody venus{"Venus", 6'051.8, 0xf0dcae};
constexpr NamedBody earth{"Earth", 6'371.0084, 0x7db4f0};
constexpr NamedBody moon{"Moon", 1'737.4, 0xcfccc6};
constexpr NamedBody mars{"Mars", 3'389.50, 0xe27a4b};
constexpr NamedBody jupiter{"Jupiter", 69'911.0, 0xdcb48a};
constexpr NamedBody saturn{"Saturn", 58'232.0, 0xead7a2};
constexpr NamedBody uranus{"Uranus", 25'362.0, 0xa6e0e6};
constexpr NamedBody neptune{"Neptune", 24'622.0, 0x5f86ee};
constexpr NamedBody pluto{"Pluto", 1'188.3, 0xd0b59c};

/// A state as an ephemeris prints it.
struct EphemerisState {
  DVec3 position;  ///< AU
  DVec3 velocity;  ///< AU a day
};
/// The state of the Earth from the Sun, and of the Moon from the Earth, on 1 January 2000, 12:00 TDB
/// (Julian date 2451545.0), ecliptic and equinox of J2000, without aberration: JPL Horizons, DE441.
constexpr EphemerisState earth_at_j2000{
    {-1.771350992727098e-01, 9.672416867665306e-01, -4.085281582511366e-06},
    {-1.720762506872895e-02, -3.158782144324866e-03, 1.049888594613343e-07}};
constexpr EphemerisState moon_at_j2000{
    {-1.949281649686695e-03, -1.838126040073046e-03, 2.424579738820632e-04},
    {3.716704773167968e-04, -4.221785765308054e-04, -6.645539463989926e-06}};

/// Masses in solar masses: IAU 2009 system of constants (Luzum et al. 2011, Celest. Mech. Dyn. Astr. 110,
/// 293).
constexpr double earth_mass = 1.0 / 332'946.0487;
constexpr double moon_mass = 1.230'003'71e-2 * earth_mass;

/// Adds a body with a state that is counted from that of body `origin`, in units of the scene.
void add_from(Particles& particles, std::size_t origin, const EphemerisState& state, double mass,
              Component component) {
  particles.add(particles.position[origin] + state.position,
                particles.velocity[origin] + days_of_time_unit * state.velocity, mass, component);
}

/// The scene of these bodies, centred, with names and radii.
Scene named_scene(Particles particles, std::span<const NamedBody> bodies) {
  center(particles);
  Scene scene;
  scene.bodies = to_bodies(particles);
  for (const NamedBody& body : bodies) {
    scene.names.emplace_back(body.name);
    scene.radii.push_back(body.radius_km / km_of_au);
    scene.bodies.color.push_back(body.color);
  }
  scene.physics.softening = 1e-4;
  scene.units = {.length = meters_of_au, .time = days_of_time_unit * 86400.0, .mass = kilograms_of_sun};
  scene.notes.emplace_back(
      "lengths in AU, masses in solar masses, time in years / 2 pi = 58.13 days, so that G = 1");
  return scene;
}

// Alpha Centauri: orbit, parallax, masses and radii from Akeson et al. 2021 (Astron. J. 162, 14).
constexpr double a = 17.4930 / 0.75081;  // AU: arc seconds, and the parallax in arc seconds
constexpr double e = 0.51947;
constexpr double mass_a = 1.0788, mass_b = 0.9092;
constexpr NamedBody alpha_centauri_a{"Alpha Centauri A", 1.2175 * sun_radius_km, 0xfff3dc};
constexpr NamedBody alpha_centauri_b{"Alpha Centauri B", 0.8591 * sun_radius_km, 0xffd7a4};

// In the plane of the orbit, from apocentre.
Scene make_double_star(const ModelRequest& /*request*/) {
  constexpr double mass = mass_a + mass_b;
  const double speed = std::sqrt(mass / a * (1.0 - e) / (1.0 + e));
  Particles particles;
  particles.add({}, {}, mass_a, Component::star);
  particles.add({a * (1.0 + e), 0.0, 0.0}, {0.0, speed, 0.0}, mass_b, Component::star);
  auto scene = named_scene(std::move(particles), std::array{alpha_centauri_a, alpha_centauri_b});
  const double period = 2.0 * std::numbers::pi * std::sqrt(a * a * a / mass);
  scene.period = period;
  scene.physics.time_step = period / 2000.0;
  scene.speed = period / 10.0;
  scene.notes.emplace_back("Alpha Centauri A and B (Akeson et al. 2021), period 79.8 years, from apocentre");
  return scene;
}

Scene make_sun_earth(const ModelRequest& /*request*/) {
  Particles particles;
  particles.add({}, {}, 1.0, Component::star);
  add_from(particles, 0, earth_at_j2000, earth_mass, Component::other);
  auto scene = named_scene(std::move(particles), std::array{sun, earth});
  scene.physics.time_step = 0.01;  // 628 steps a year
  scene.speed = 1.0;               // a year in six seconds
  scene.notes.emplace_back("the Earth on 1 January 2000, 12:00 TDB, from JPL Horizons");
  return scene;
}

Scene make_sun_earth_moon(const ModelRequest& /*request*/) {
  Particles particles;
  particles.add({}, {}, 1.0, Component::star);
  add_from(particles, 0, earth_at_j2000, earth_mass, Component::other);
  add_from(particles, 1, moon_at_j2000, moon_mass, Component::other);
  auto scene = named_scene(std::move(particles), std::array{sun, earth, moon});
  scene.physics.softening = 1e-6;   // 150 km: the Moon is 400 000 km away
  scene.physics.time_step = 0.002;  // 235 steps a month
  scene.speed = 0.5;                // a month in a second
  scene.notes.emplace_back("Earth and Moon on 1 January 2000, 12:00 TDB, from JPL Horizons");
  return scene;
}

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

extern const GalaxyModel double_star_model, sun_earth_model, sun_earth_moon_model, solar_system_model;
constinit const GalaxyModel double_star_model = fixed_model(
    "double-star", "the two bright stars of Alpha Centauri around their centre of mass", 2, make_double_star);
constinit const GalaxyModel sun_earth_model =
    fixed_model("sun-earth", "the Sun and the Earth on 1 January 2000", 2, make_sun_earth);
constinit const GalaxyModel sun_earth_moon_model = fixed_model(
    "sun-earth-moon", "the Sun, the Earth and the Moon on 1 January 2000", 3, make_sun_earth_moon);
constinit const GalaxyModel solar_system_model = fixed_model(
    "solar-system", "the Sun, the eight planets and Pluto on 1 January 2000", 10, make_solar_system);

}  // namespace orrery::sim
