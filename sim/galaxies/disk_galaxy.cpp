#include "sim/galaxies/disk_galaxy.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "sim/core/random.h"
#include "sim/galaxies/draw_bodies.h"
#include "sim/galaxies/particles.h"
#include "sim/galaxies/spheroid.h"
#include "sim/galaxies/table.h"

namespace orrery::sim {

namespace {

constexpr double pi = std::numbers::pi;

/// The surface density of an exponential disk with scale length 1 that fades out: Sigma ~ exp(-R) T(R), where
/// T falls from 1 at `taper` to 0 at `edge` as half a cosine. Value and slope are continuous, so that no
/// radius shows as a rim and the velocities have no jump. With a hole it is multiplied by 1 - exp(-(R /
/// hole)^4): a ring.
class DiskProfile {
 public:
  /// 0 < taper < edge; hole 0: there is none.
  DiskProfile(double taper, double edge, double hole) : taper_(taper), edge_(edge), hole_(hole) {
    constexpr int points = 4096;
    fraction_ = {{0.0}, {0.0}};
    const double width = edge / points;
    for (int k = 0; k < points; ++k) {
      const double middle = (k + 0.5) * width;
      fraction_.x.push_back((k + 1) * width);
      fraction_.y.push_back(fraction_.y.back() + 2.0 * pi * middle * surface_density(middle) * width);
    }
    total_ = fraction_.y.back();
    for (double& each : fraction_.y) each /= total_;
  }

  /// Sigma(R) of a disk of mass 1.
  double surface_density(double r) const {
    return std::exp(-r) * taper_at(r) * share_outside_hole(r) / total_;
  }
  /// dSigma/dR of a disk of mass 1.
  double slope(double r) const {
    const double falling = 0.5 * pi / (edge_ - taper_) * std::sin(pi * place_in_taper(r));
    const double outer = -std::exp(-r) * (taper_at(r) + falling) / total_;
    if (!(hole_ > 0.0)) return outer;
    const double fourth = std::pow(r / hole_, 4);
    const double rising = 4.0 * std::pow(r, 3) / std::pow(hole_, 4) * std::exp(-fourth);
    return outer * share_outside_hole(r) + std::exp(-r) * taper_at(r) * rising / total_;
  }
  /// The share of the mass within R.
  double fraction_within(double r) const { return fraction_(r); }
  /// The radius within which that share of the mass lies.
  double radius(double fraction) const { return inverse(fraction_, fraction); }

 private:
  double place_in_taper(double r) const { return std::clamp((r - taper_) / (edge_ - taper_), 0.0, 1.0); }
  double taper_at(double r) const { return 0.5 * (1.0 + std::cos(pi * place_in_taper(r))); }
  double share_outside_hole(double r) const {
    return hole_ > 0.0 ? -std::expm1(-std::pow(r / hole_, 4)) : 1.0;
  }

  double taper_, edge_, hole_;
  double total_ = 1.0;  // the integral of 2 pi R exp(-R) T
  Table fraction_;
};

DiskProfile profile_of(const DiskGalaxy& galaxy) {
  return {galaxy.disk_taper, galaxy.disk_edge, galaxy.disk_hole};
}

void place_disk(Particles& particles, const DiskGalaxy& galaxy, std::size_t count, Random& random) {
  const DiskProfile profile = profile_of(galaxy);
  SharedTicker ticker(particles.ticker);
  draw_in_blocks(count, random, ticker, [&](std::size_t k, Random& own) {
    // One body in each ring of equal mass: the profile is then the model's even with few bodies.
    const double fraction = (static_cast<double>(k) + own.uniform()) / static_cast<double>(count);
    const double r = profile.radius(fraction);
    const double angle = 2.0 * pi * own.uniform();
    const double z = galaxy.disk_height * std::atanh(own.uniform(-0.999, 0.999));
    particles.set(k, {r * std::cos(angle), r * std::sin(angle), z}, {},
                  galaxy.disk_mass / static_cast<double>(count), Component::disk);
  });
}

// Moves the disk's bodies along their circles, so that the density is 1 / (1 - s cos 2 (phi - phi_s)) of the
// mean. The crest phi_s(R) is a logarithmic spiral, or a straight line.
void add_pattern(Particles& disk, const DiskGalaxy& galaxy) {
  if (galaxy.pattern_strength == 0.0) return;
  const double winding = 1.0 / std::tan(galaxy.pattern_pitch * pi / 180.0);
#pragma omp parallel for schedule(static)
  for (DVec3& x : disk.position) {
    const double r = std::hypot(x.x, x.y), place = r / galaxy.pattern_end;
    const double strength = galaxy.pattern_strength * std::max(0.0, 1.0 - std::pow(place, 4));
    const double crest = -winding * std::log(r);
    double angle = std::atan2(x.y, x.x);
    angle -= 0.5 * strength * std::sin(2.0 * (angle - crest));
    x = {r * std::cos(angle), r * std::sin(angle), x.z};
  }
}

// A density wave of the disk: 1 + strength cos(arms (phi - winding ln R) - phase).
struct DensityWave {
  double arms, winding, phase;
};

std::vector<DensityWave> waves_of(std::uint64_t seed) {
  constexpr int fewest_arms = 2, most_arms = 8, waves_of_each = 4;
  constexpr double tightest = 6.0;  // cotangent of the pitch, trailing or leading
  Random random(seed ^ 0x61726d735eedU);
  std::vector<DensityWave> waves;
  for (int arms = fewest_arms; arms <= most_arms; ++arms) {
    for (int k = 0; k < waves_of_each; ++k) {
      const double winding = random.uniform(-tightest, tightest);
      waves.push_back({static_cast<double>(arms), winding, 2.0 * pi * random.uniform()});
    }
  }
  return waves;
}

// The noise of `noise_bodies` in the density, where there are more: a tenth, as 100 bodies have it, about
// what a square of half a scale length holds of 20 000 at two scale lengths. Swing amplification makes arms
// of it (Toomre 1981; D'Onghia, Vogelsberger & Hernquist 2013, ApJ 766, 34, begin with heavy bodies to the
// same end). Bodies are moved along their circles.
void add_noise(Particles& disk, const DiskGalaxy& galaxy, std::uint64_t seed) {
  const auto bodies = static_cast<double>(disk.size());
  if (galaxy.noise_bodies <= 0.0 || bodies <= galaxy.noise_bodies) return;
  constexpr double noise = 0.1;
  const auto waves = waves_of(seed);
  const double strength =
      noise * std::sqrt(2.0 / static_cast<double>(waves.size()) * (1.0 - galaxy.noise_bodies / bodies));
#pragma omp parallel for schedule(static)
  for (DVec3& x : disk.position) {
    const double r = std::hypot(x.x, x.y), log_radius = std::log(r);
    double angle = std::atan2(x.y, x.x), shift = 0.0;
    for (const auto& wave : waves)
      shift += std::sin(wave.arms * (angle - wave.winding * log_radius) - wave.phase) / wave.arms;
    angle -= strength * shift;
    x = {r * std::cos(angle), r * std::sin(angle), x.z};
  }
}

// The potential of all three components, the disk spread over spheres (Hernquist 1993).
Table spherical_potential(const DiskGalaxy& galaxy, const Spheroid& bulge, const Spheroid& halo) {
  const std::vector<double> radii = logarithmic_grid(0.002, galaxy.halo_edge, 300);
  const Table bulge_mass = enclosed_mass(bulge, bulge.mass, radii);
  const Table halo_mass = enclosed_mass(halo, halo.mass, radii);
  const DiskProfile profile = profile_of(galaxy);
  Table mass{radii, {}};
  for (std::size_t k = 0; k < radii.size(); ++k) {
    const double disk = profile.fraction_within(radii[k]);
    mass.y.push_back(bulge_mass.y[k] + halo_mass.y[k] + galaxy.disk_mass * disk);
  }
  return softened_potential(mass, galaxy.softening);
}

// What the velocities of the disk follow from, on a grid of cylindrical radii.
struct DiskField {
  Table circular_squared;  // v_c^2
  Table vertical_squared;  // sigma_z^2
};

// sigma_z^2 of the column at R: the vertical Jeans equation averaged over sech^2(z/z0) gives <z g_z>.
double column_dispersion_squared(const MeanField& field, double r, double height) {
  constexpr int layers = 6;
  double sum = 0.0;
  for (int k = 0; k < layers; ++k) {
    const double z = height * std::atanh((k + 0.5) / layers);
    sum += z * field.vertical(r, z);
  }
  return std::max(0.0, sum / layers);
}

DiskField measure_disk_field(const DiskGalaxy& galaxy, const MeanField& field) {
  constexpr int points = 40;
  DiskField result;
  for (Table* table : {&result.circular_squared, &result.vertical_squared}) {
    table->x.resize(points + 1);
    table->y.resize(points + 1);
  }
#pragma omp parallel for schedule(dynamic)
  for (int k = 0; k <= points; ++k) {
    const double r = galaxy.disk_edge * k / points;
    result.circular_squared.x[k] = r;
    result.circular_squared.y[k] = std::max(0.0, r * field.in_plane(r));
    result.vertical_squared.x[k] = r;
    result.vertical_squared.y[k] = column_dispersion_squared(field, r, galaxy.disk_height);
  }
  return result;
}

struct DiskMoments {
  double radial, azimuthal, vertical, streaming;
};

// kappa^2 = 2 v_c^2/R^2 + d(v_c^2)/dR / R, kept between Keplerian and solid-body rotation.
double epicycle_ratio(const Table& circular_squared, double r) {
  constexpr double step = 0.2;
  const double low = std::max(0.0, r - step), high = r + step;
  const double slope = (circular_squared(high) - circular_squared(low)) / (high - low);
  const double v2 = std::max(circular_squared(r), 1e-12);
  return std::sqrt(std::clamp(2.0 + slope * r / v2, 1.0, 4.0));
}

// sigma_R^2 / Sigma, the same at all radii: sigma_R = Q 3.36 Sigma / kappa at one of them (Toomre 1964).
double dispersion_ratio(const DiskGalaxy& galaxy, const DiskProfile& profile, const Table& circular_squared) {
  const double r = galaxy.q_radius;
  const double kappa = epicycle_ratio(circular_squared, r) * std::sqrt(circular_squared(r)) / r;
  const double surface_density = galaxy.disk_mass * profile.surface_density(r);
  const double dispersion = galaxy.toomre_q * 3.36 * surface_density / kappa;
  return dispersion * dispersion / profile.surface_density(r);
}

// The asymmetric drift: v_phi^2 = v_c^2 + sigma_R^2 (1 - kappa^2/4 Omega^2 + dln(Sigma sigma_R^2)/dlnR)
// (Binney & Tremaine 2008 eq. 4.228), where sigma_R^2 ~ Sigma. Without a taper the last term is -2R/Rd
// (Hernquist 1993 eq. 2.29).
DiskMoments moments_at(double r, const DiskField& field, const DiskProfile& profile,
                       double dispersion_ratio) {
  const double v2 = field.circular_squared(r);
  const double ratio = epicycle_ratio(field.circular_squared, r);  // kappa / Omega
  const double radial2 = std::min(dispersion_ratio * profile.surface_density(r), 0.36 * v2);
  const double steepness = 2.0 * r * dispersion_ratio * profile.slope(r);
  const double streaming2 = v2 + radial2 * (1.0 - 0.25 * ratio * ratio) + steepness;
  const double radial = std::sqrt(radial2);
  return {radial, 0.5 * ratio * radial, std::sqrt(field.vertical_squared(r)),
          std::sqrt(std::max(0.0, streaming2))};
}

// The disk's bodies are the first `count`.
void set_disk_velocities(Particles& particles, std::size_t count, const DiskGalaxy& galaxy,
                         const MeanField& mean, Random& random) {
  const DiskField field = measure_disk_field(galaxy, mean);
  const DiskProfile profile = profile_of(galaxy);
  const double dispersion = dispersion_ratio(galaxy, profile, field.circular_squared);
  SharedTicker ticker(particles.ticker, particles.size() - count);
  draw_in_blocks(count, random, ticker, [&](std::size_t i, Random& own) {
    const DVec3& x = particles.position[i];
    const double r = std::hypot(x.x, x.y);
    const DiskMoments moments = moments_at(r, field, profile, dispersion);
    const double vr = moments.radial * own.normal();
    const double vt = moments.streaming + moments.azimuthal * own.normal();
    const double c = x.x / r, s = x.y / r;
    particles.velocity[i] = {vr * c - vt * s, vr * s + vt * c, moments.vertical * own.normal()};
  });
}

}  // namespace

DiskGalaxy steady_disk() {
  return {.disk_mass = 0.3,
          .disk_height = 0.15,
          .toomre_q = 1.5,
          .bulge_mass = 0.7,
          .bulge_scale = 0.15,
          .halo_mass = 1.0,
          .halo_scale = 6.0,
          .disk_fraction = 0.5,
          .bulge_fraction = 0.25};
}

double disk_softening(std::size_t bodies) {
  return 0.1 * std::pow(4096.0 / static_cast<double>(bodies), 0.26);
}

double disk_time_step(const DiskGalaxy& galaxy) {
  const double r = galaxy.softening, outer = r + galaxy.bulge_scale;
  const double turning = std::sqrt(galaxy.bulge_mass / r) / outer;  // Hernquist's M(r) = M r^2 / (r + a)^2
  return std::max(0.3 * galaxy.softening, 0.2 / turning);
}

Particles make_disk_galaxy(const DiskGalaxy& galaxy, std::size_t bodies, std::uint64_t seed,
                           const Ticker& ticker) {
  Random random(seed);
  const Spheroid bulge{galaxy.bulge_mass, galaxy.bulge_scale, galaxy.bulge_edge, galaxy.softening,
                       Component::bulge};
  const Spheroid halo{galaxy.halo_mass, galaxy.halo_scale, galaxy.halo_edge, galaxy.softening,
                      Component::halo};
  const auto share = [&](double fraction) {
    return static_cast<std::size_t>(fraction * static_cast<double>(bodies));
  };
  const std::size_t disk_count = share(galaxy.disk_fraction), bulge_count = share(galaxy.bulge_fraction);
  const Table potential = spherical_potential(galaxy, bulge, halo);

  Particles particles{.ticker = ticker};
  particles.reserve(bodies);
  particles.resize(disk_count);
  place_disk(particles, galaxy, disk_count, random);
  add_pattern(particles, galaxy);
  add_noise(particles, galaxy, seed);
  center(particles);
  particles.resize(bodies);
  const std::size_t bulge_end = disk_count + bulge_count;
  place_spheroid(particles, disk_count, bulge, potential, bulge_count, random);
  place_spheroid(particles, bulge_end, halo, potential, bodies - bulge_end, random);
  set_disk_velocities(particles, disk_count, galaxy, MeanField(particles, galaxy.softening), random);
  center(particles);
  return particles;
}

}  // namespace orrery::sim
