#pragma once

#include <span>
#include <string_view>

#include "sim/galaxies/particles.h"
#include "sim/scene/scene.h"

/// Units of the scenes of real bodies. Lengths in AU, masses in solar masses, times in years / 2 pi, so
/// that G = 1.
namespace orrery::sim {

/// The days of a unit of time: 1 / k, Gauss's constant.
inline constexpr double days_of_time_unit = 1.0 / 0.01720209895;
/// Kilometres of an astronomical unit (IAU 2012, resolution B2).
inline constexpr double km_of_au = 149'597'870.7;
/// The Sun's nominal radius in km (IAU 2015, resolution B3).
inline constexpr double sun_radius_km = 695'700.0;

/// A body that has a name, a size and a colour.
struct NamedBody {
  std::string_view name;
  double radius_km;  ///< the mean one
  Color color;       ///< as the eye sees its sunlit side, but brighter and with a little more colour
};

/// Mean radii: Archinal et al. 2018 (Celest. Mech. Dyn. Astr. 130, 22), IAU working group.
inline constexpr NamedBody sun{"Sun", sun_radius_km, 0xfff1d6};
inline constexpr NamedBody mercury{"Mercury", 2'439.4, 0xb9aca0};
inline constexpr NamedBody venus{"Venus", 6'051.8, 0xf0dcae};
inline constexpr NamedBody earth{"Earth", 6'371.0084, 0x7db4f0};
inline constexpr NamedBody moon{"Moon", 1'737.4, 0xcfccc6};
inline constexpr NamedBody mars{"Mars", 3'389.50, 0xe27a4b};
inline constexpr NamedBody jupiter{"Jupiter", 69'911.0, 0xdcb48a};
inline constexpr NamedBody saturn{"Saturn", 58'232.0, 0xead7a2};
inline constexpr NamedBody uranus{"Uranus", 25'362.0, 0xa6e0e6};
inline constexpr NamedBody neptune{"Neptune", 24'622.0, 0x5f86ee};
inline constexpr NamedBody pluto{"Pluto", 1'188.3, 0xd0b59c};

/// A state as an ephemeris prints it.
struct EphemerisState {
  DVec3 position;  ///< AU
  DVec3 velocity;  ///< AU a day
};
/// The state of the Earth from the Sun, and of the Moon from the Earth, on 1 January 2000, 12:00 TDB
/// (Julian date 2451545.0), ecliptic and equinox of J2000, without aberration: JPL Horizons, DE441.
extern const EphemerisState earth_at_j2000;
extern const EphemerisState moon_at_j2000;

/// Masses in solar masses: IAU 2009 system of constants (Luzum et al. 2011, Celest. Mech. Dyn. Astr. 110,
/// 293).
inline constexpr double earth_mass = 1.0 / 332'946.0487;
inline constexpr double moon_mass = 1.230'003'71e-2 * earth_mass;

/// Adds a body with a state that is counted from that of body `origin`, in units of the scene.
void add_from(Particles& particles, std::size_t origin, const EphemerisState& state, double mass,
              Component component);
/// The scene of these bodies, centred, with names and radii.
Scene named_scene(Particles particles, std::span<const NamedBody> bodies);

}  // namespace orrery::sim
