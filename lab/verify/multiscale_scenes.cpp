#include "lab/verify/multiscale_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sim/core/error.h"
#include "sim/core/random.h"
#include "sim/galaxies/disk_galaxy.h"
#include "sim/galaxies/particles.h"

namespace orrery::lab {

namespace {

using sim::DVec3;
using sim::Random;

constexpr double usual_softening = 0.02;

/// A part's name, its size and where it is.
struct Shape {
  const char* name;
  double scale;
  DVec3 center;
};

/// Collects bodies part by part. The total mass is 1, and all bodies have the same mass unless a part says
/// otherwise.
class Builder {
 public:
  Builder(const char* title, const SceneSize& size, double softening)
      : size_(size), random_(size.seed), softening_(softening) {
    result_.scene.title = title;
  }

  Random& random() { return random_; }
  std::size_t bodies() const { return size_.bodies; }
  std::size_t left() const { return size_.bodies - particles_.size(); }
  double body_mass() const { return 1.0 / static_cast<double>(size_.bodies); }
  /// A share of all bodies, at least `least`.
  std::size_t share(double part, std::size_t least = 1) const {
    return std::max(least, static_cast<std::size_t>(std::lround(part * static_cast<double>(size_.bodies))));
  }

  void add(const DVec3& x, const DVec3& v, double mass, sim::Component component = sim::Component::star) {
    particles_.add(x, v, mass, component);
  }
  void add(const DVec3& x) { add(x, {}, body_mass()); }
  /// The bodies since the last part are one. Gives it back, so that the caller can say what is special about
  /// it.
  ScenePart& end_part(std::string name) {
    const std::size_t first = result_.parts.empty() ? 0 : result_.parts.back().bodies.last;
    return result_.parts.emplace_back(ScenePart{std::move(name), {first, particles_.size()}});
  }

  /// A Plummer sphere, cut off at ten scale lengths, with the velocity dispersion of its own gravity.
  void add_sphere(std::size_t count, double scale, const DVec3& center) {
    const double mass = body_mass() * static_cast<double>(count);
    for (std::size_t k = 0; k < count; ++k) {
      const double within = random_.uniform(0.0, 0.985);
      const double r = scale / std::sqrt(std::pow(within, -2.0 / 3.0) - 1.0);
      const double sigma = std::sqrt(mass / (6.0 * std::hypot(r, scale)));
      const DVec3 v{sigma * random_.normal(), sigma * random_.normal(), sigma * random_.normal()};
      add(center + r * random_.direction(), v, body_mass());
    }
  }
  ScenePart& add_part(const Shape& sphere, std::size_t count) {
    add_sphere(count, sphere.scale, sphere.center);
    return end_part(sphere.name);
  }

  /// `step`: the time step, of which a few leave the scene as it is.
  PartedScene finish(double step) {
    auto& scene = result_.scene;
    scene.bodies = to_bodies(particles_);
    scene.physics.softening = softening_;
    scene.physics.time_step = step;
    scene.source = "multiscale scene";
    return std::move(result_);
  }

 private:
  SceneSize size_;
  Random random_;
  double softening_;
  sim::Particles particles_;
  PartedScene result_;
};

/// Crosses a softening length in ten steps at the speed that a sphere of that mass and scale has.
double short_step(double softening, double mass, double scale) {
  return 0.1 * softening * std::sqrt(scale / mass);
}

PartedScene two_spheres(const char* title, double apart, const SceneSize& size) {
  Builder builder(title, size, usual_softening);
  builder.add_part({"near", 1.0, {}}, builder.share(0.5));
  // The centres of its cells are single precision numbers, too: each is off by up to half of their distance
  // there.
  builder.add_part({"far", 1.0, {0.8 * apart, -0.6 * apart, 0.1}}, builder.left()).rounding = 5e-9 * apart;
  return builder.finish(short_step(usual_softening, 0.5, 1.0));
}

/// A satellite: its share of the bodies, scale and place.
struct Satellite {
  const char* title;
  double share, scale;
  DVec3 center;
};

PartedScene with_satellite(const Satellite& satellite, const SceneSize& size) {
  const double softening = std::min(usual_softening, 0.2 * satellite.scale);
  Builder builder(satellite.title, size, softening);
  const std::size_t few = builder.share(satellite.share, 4);
  builder.add_part({"host", 1.0, {}}, size.bodies - few);
  builder.add_part({"satellite", satellite.scale, satellite.center}, few);
  return builder.finish(short_step(softening, std::max(satellite.share, 0.01), satellite.scale));
}

/// Each sphere is a tenth as large as the one around it, and beside its middle. The innermost one is at the
/// origin, where single precision has the most digits.
PartedScene nested(const char* title, int decades, const SceneSize& size) {
  // Not far below 1: engines take bodies within 1e-6 for coincident.
  constexpr double smallest = 1e-3, softening = 0.02 * smallest;
  Builder builder(title, size, softening);
  std::vector<DVec3> centers(static_cast<std::size_t>(decades) + 1);
  const auto scale_of = [&](std::size_t k) {
    return smallest * std::pow(10.0, decades - static_cast<int>(k));
  };
  for (std::size_t k = centers.size() - 1; k-- > 0;)
    centers[k] = centers[k + 1] + 0.5 * scale_of(k) * builder.random().direction();
  for (std::size_t k = 0; k < centers.size(); ++k) {
    const bool last = k + 1 == centers.size();
    const std::size_t count = last ? builder.left() : size.bodies / centers.size();
    builder.add_sphere(count, scale_of(k), centers[k]);
    builder.end_part(fmt::format("scale {:g}", scale_of(k)));
  }
  return builder.finish(short_step(softening, 1.0 / static_cast<double>(centers.size()), smallest));
}

/// A thin disk with circular velocities of its own mass, as a point, in a plane that chance decides.
void add_disk(Builder& builder, const Shape& disk, std::size_t count) {
  auto& random = builder.random();
  const DVec3 axis = random.direction(), other = random.direction();
  const DVec3 along = cross(axis, other) * (1.0 / norm(cross(axis, other))), across = cross(axis, along);
  const double mass = builder.body_mass() * static_cast<double>(count);
  for (std::size_t k = 0; k < count; ++k) {
    // Exponential surface density: the sum of two exponential deviates.
    const double r = -disk.scale * std::log(random.uniform() * random.uniform());
    const double angle = random.uniform(0.0, 2.0 * std::numbers::pi),
                 speed = std::sqrt(mass / (r + disk.scale));
    const DVec3 outward = std::cos(angle) * along + std::sin(angle) * across;
    const DVec3 forward = std::cos(angle) * across - std::sin(angle) * along;
    builder.add(disk.center + r * outward + 0.05 * disk.scale * random.normal() * axis, speed * forward,
                builder.body_mass(), sim::Component::disk);
  }
  builder.end_part(disk.name);
}

PartedScene galaxy_group(const SceneSize& size) {
  Builder builder("galaxy group", size, usual_softening);
  add_disk(builder, {"large disk", 3.0, {}}, builder.share(0.45));
  add_disk(builder, {"small disk", 1.5, {60.0, -20.0, 10.0}}, builder.share(0.25));
  builder.add_part({"elliptical", 1.0, {-40.0, 35.0, 90.0}}, builder.share(0.15));
  builder.add_part({"compact dwarf", 0.05, {18.0, 12.0, -9.0}}, builder.share(0.05));
  builder.add_part({"distant dwarf", 0.3, {-250.0, -300.0, 150.0}}, builder.left());
  return builder.finish(short_step(usual_softening, 1.0, 1.0));
}

PartedScene cluster_binary(const SceneSize& size) {
  constexpr double softening = 2e-4;
  Builder builder("binary of clusters", size, softening);
  builder.add_part({"first cluster", 0.01, {1.2, 1.0, -1.0}}, builder.share(0.3));
  builder.add_part({"second cluster", 0.01, {-1.2, -1.0, 1.0}}, builder.share(0.3));
  builder.add_part({"field", 3.0, {}}, builder.left());
  return builder.finish(short_step(softening, 0.3, 0.01));
}

/// Single bodies and close pairs far outside of a sphere.
PartedScene escapers(const SceneSize& size) {
  constexpr std::size_t singles = 8, pairs = 4;
  Builder builder("escapers", size, usual_softening);
  builder.add_part({"sphere", 1.0, {}}, size.bodies - singles - 2 * pairs);
  auto& random = builder.random();
  for (std::size_t k = 0; k < singles; ++k)
    builder.add(std::pow(10.0, 2.0 + 0.5 * static_cast<double>(k)) * random.direction());
  builder.end_part("single escapers");
  for (std::size_t k = 0; k < pairs; ++k) {
    const DVec3 x = std::pow(10.0, 1.5 + 0.5 * static_cast<double>(k)) * random.direction();
    builder.add(x);
    builder.add(x + 0.1 * random.direction());
  }
  // The places of a group's bodies count from one of them, which may be a thousand away.
  builder.end_part("escaping pairs").rounding = 2e-3;
  return builder.finish(short_step(usual_softening, 1.0, 1.0));
}

DVec3 in_cube(Random& random) {
  return {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
}

PartedScene void_with_group(const SceneSize& size) {
  constexpr double softening = 2e-3;
  const DVec3 inside{0.3, -0.2, 0.25};
  Builder builder("void", size, softening);
  builder.add_part({"group in the void", 0.01, inside}, builder.share(0.01));
  while (builder.left() > 0) {
    const DVec3 x = in_cube(builder.random());
    if (norm(x) > 0.8) builder.add(x);
  }
  builder.end_part("around the void");
  return builder.finish(0.1 * softening);
}

/// Bodies in a plane (width 1) or on a line (width 0), a twentieth of them in a clump.
PartedScene flat(const char* title, double width, const SceneSize& size) {
  constexpr double length = 100.0, clump = 0.5;
  // On a line the pulls of both sides cancel everywhere, in a plane they nearly do.
  const double kept_of_pulls = width > 0.0 ? 0.5 : 1.0;
  Builder builder(title, size, usual_softening);
  const std::size_t clumped = builder.share(0.05);
  const auto add = [&](double middle, double half) {
    const double x = middle + half * builder.random().uniform(-1.0, 1.0);
    builder.add({x, width * half * builder.random().uniform(-1.0, 1.0), 0.0});
  };
  while (builder.left() > clumped) add(0.0, 0.5 * length);
  builder.end_part("spread out").kept_of_pulls = kept_of_pulls;
  while (builder.left() > 0) add(0.2 * length, clump);
  builder.end_part("clump").kept_of_pulls = kept_of_pulls;
  return builder.finish(0.1 * usual_softening);
}

sim::Particles disk_bulge_and_halo(const SceneSize& size) {
  const sim::DiskGalaxy shape{.disk_mass = 1.0,
                              .bulge_mass = 0.3,
                              .halo_mass = 20.0,
                              .halo_scale = 8.0,
                              .halo_edge = 60.0,
                              .disk_fraction = 0.5,
                              .bulge_fraction = 0.1,
                              .softening = usual_softening};
  return make_disk_galaxy(shape, size.bodies - 1, size.seed, {nullptr, size.bodies});
}

/// Masses of halo, disk and bulge as 20 : 1 : 0.3, with bodies of different masses, and a black hole of 1 %
/// of all.
PartedScene black_hole(const SceneSize& size) {
  Builder builder("galaxy with a black hole", size, usual_softening);
  const auto galaxy = disk_bulge_and_halo(size);
  for (const auto component : {sim::Component::disk, sim::Component::bulge, sim::Component::halo}) {
    for (std::size_t i = 0; i < galaxy.size(); ++i)
      if (galaxy.component[i] == component)
        builder.add(galaxy.position[i], galaxy.velocity[i], galaxy.mass[i], component);
    builder.end_part(std::string(sim::component_name(component)));
  }
  builder.add({}, {}, 0.213, sim::Component::other);
  // In the middle all pulls cancel.
  builder.end_part("black hole").kept_of_pulls = 1.0;
  return builder.finish(0.1 * usual_softening);
}

constexpr std::array scenes{
    MultiscaleScene{"two-spheres-10", "two equal spheres, 10 scale lengths apart",
                    [](const SceneSize& size) { return two_spheres("two spheres, 10 apart", 10.0, size); }},
    MultiscaleScene{"two-spheres-100", "two equal spheres, 100 apart",
                    [](const SceneSize& size) { return two_spheres("two spheres, 100 apart", 100.0, size); }},
    MultiscaleScene{"two-spheres-1e4", "two equal spheres, 10 000 apart",
                    [](const SceneSize& size) { return two_spheres("two spheres, 1e4 apart", 1e4, size); }},
    MultiscaleScene{"two-spheres-1e6", "two equal spheres, a million apart",
                    [](const SceneSize& size) { return two_spheres("two spheres, 1e6 apart", 1e6, size); }},
    MultiscaleScene{"satellite", "a sphere and a compact satellite with 1 % of the bodies, 30 away",
                    [](const SceneSize& size) {
                      return with_satellite({"satellite", 0.01, 0.1, {20.0, 10.0, -20.0}}, size);
                    }},
    MultiscaleScene{"dwarf", "a sphere and a satellite with 0.01 % of the bodies, at least four",
                    [](const SceneSize& size) {
                      return with_satellite({"dwarf", 1e-4, 0.05, {20.0, 10.0, -20.0}}, size);
                    }},
    MultiscaleScene{"distant-cluster", "a sphere and a dense cluster with 10 % of the bodies, 60 away",
                    [](const SceneSize& size) {
                      return with_satellite({"distant cluster", 0.1, 0.02, {40.0, 20.0, -40.0}}, size);
                    }},
    MultiscaleScene{"nested-spheres", "spheres in spheres over three decades of scale",
                    [](const SceneSize& size) { return nested("nested spheres", 3, size); }},
    MultiscaleScene{"deep-spheres", "spheres in spheres over six decades of scale",
                    [](const SceneSize& size) { return nested("deeply nested spheres", 6, size); }},
    MultiscaleScene{"galaxy-group", "two disks, a sphere, a compact dwarf and a distant one", galaxy_group},
    MultiscaleScene{"cluster-binary", "two compact clusters in a thin field of bodies", cluster_binary},
    MultiscaleScene{"escapers", "single bodies and close pairs far outside of a sphere", escapers},
    MultiscaleScene{"void", "a cube with a spherical hole, and a compact group in it", void_with_group},
    MultiscaleScene{"sheet", "bodies in a plane with a clump",
                    [](const SceneSize& size) { return flat("sheet", 1.0, size); }},
    MultiscaleScene{"line", "bodies on a line with a clump",
                    [](const SceneSize& size) { return flat("line", 0.0, size); }},
    MultiscaleScene{"black-hole", "halo, disk and bulge of very different masses, and a black hole",
                    black_hole},
};

}  // namespace

std::span<const MultiscaleScene> multiscale_scenes() { return scenes; }

PartedScene make_multiscale_scene(std::string_view name, const SceneSize& size) {
  const auto found = std::ranges::find(scenes, name, &MultiscaleScene::name);
  if (found == scenes.end()) throw sim::UsageError(fmt::format("there is no multiscale scene '{}'", name));
  if (size.bodies < least_multiscale_bodies)
    throw sim::UsageError(fmt::format("the scene '{}' needs {} bodies, not {}; ask for more", name,
                                      least_multiscale_bodies, size.bodies));
  return found->make(size);
}

}  // namespace orrery::lab
