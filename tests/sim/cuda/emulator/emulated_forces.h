#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/random.h"
#include "sim/cuda/emulator/device_on_cpu.h"
#include "sim/cuda/families/family.h"
#include "sim/cuda/families/tree_layout.h"
#include "sim/cuda/options/kernel_configuration.h"
#include "sim/physics/laws/force_law.h"

namespace orrery::sim::cuda::emulator {

struct Float4 {
  float x, y, z, w;
};
struct Uint4 {
  std::uint32_t x, y, z, w;
};

/// A kernel of that name, to be run for each thread (emulator/tree_kernels.h).
using KernelNamed = std::function<std::function<void()>(const std::string& name, void** arguments)>;

/// The memory that launches of a family with a tree read and write, in main memory; runs kernels at once.
class Emulated final : public ForceQueue {
 public:
  Emulated(const Bodies& bodies, const TreeSettings& settings, float softening_squared, unsigned seed,
           KernelConfiguration kernel, KernelNamed kernels)
      : settings_(settings),
        seed_(seed),
        constants_{1.0F, softening_squared},
        kernel_(std::move(kernel)),
        kernels_(std::move(kernels)) {
    kernel_.tree_leaf = static_cast<int>(settings.leaf_size);
    kernel_.tree_group = static_cast<int>(settings.group_size);
    kernel_.tree_third = shape_of(settings).third_moments;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto& x = bodies.position[i];
      position_.push_back({x.x, x.y, x.z, bodies.mass[i]});
    }
    velocity_.resize(bodies.size());
    acceleration.assign(bodies.size(), Vec3{NAN, NAN, NAN});
    // What is not cleared must not matter.
    const auto bytes = kernel_.family->scratch.bytes(kernel_, bodies.size(), bodies.size());
    scratch_.assign(bytes + 256, std::byte{0xff});
  }

  const KernelConfiguration& kernel() const override { return kernel_; }
  int block() const override { return tree::walk_threads; }
  std::size_t multiprocessors() const override { return 2; }
  bool early() const override { return false; }
  DeviceAddress accelerations() const override { return address(acceleration.data()); }
  DeviceAddress scratch() const override { return (address(scratch_.data()) + 255) / 256 * 256; }
  DeviceAddress galaxy_starts() const override { return 0; }
  TreeSettings tree() const override { return settings_; }
  DeviceAddress force_counts() const override { return address(&counts); }
  ActiveBodies active() const override {
    return levels.empty() ? ActiveBodies{} : ActiveBodies{address(levels.data()), 3};
  }
  bool keeps_cells() const override { return keeps; }
  void add_constants(Arguments& arguments) const override { arguments.add(constants_); }
  void add_bodies(Arguments& arguments) const override {
    arguments.add(std::array{address(position_.data()), address(velocity_.data())});
  }
  void add_next(Arguments&) const override {}
  void add_update(Arguments&) const override {}
  void launch(const char* name, const LaunchShape& shape, Arguments& arguments) override {
    ++launches[name];
    emulator::run({shape.grid_x, shape.grid_y, 1}, {shape.block_x, shape.block_y, 1},
                  kernels_(name, arguments.pointers()), seed_++);
  }
  void clear(DeviceAddress begin, std::size_t bytes) override {
    std::memset(reinterpret_cast<void*>(begin), 0, bytes);  // NOLINT(performance-no-int-to-ptr)
  }
  void sum_rows(std::size_t, std::size_t, DeviceAddress) override {
    FAIL() << "the tree has no partial sums";
  }

  /// The bodies are elsewhere from now on.
  void move(const Bodies& bodies) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto& x = bodies.position[i];
      position_[i] = {x.x, x.y, x.z, bodies.mass[i]};
    }
  }
  /// Scratch memory of so many bytes instead.
  void use_scratch(std::size_t bytes) { scratch_.assign(bytes + 256, std::byte{0xff}); }
  tree::TreeMemory memory() const { return tree::memory(scratch(), position_.size(), shape_of(settings_)); }
  template <typename T>
  static const T* array(std::uint64_t address) {
    return reinterpret_cast<const T*>(address);  // NOLINT(performance-no-int-to-ptr)
  }

  std::vector<Vec3> acceleration;
  std::vector<std::uint8_t> levels;  ///< not empty: of bodies, of which those from 3 on are computed
  bool keeps = false;                ///< the next forces use the cells of those before
  ForceCounts counts;
  std::uint64_t& interactions = counts.interactions;
  std::map<std::string, int> launches;

 private:
  static DeviceAddress address(const void* pointer) { return reinterpret_cast<DeviceAddress>(pointer); }
  TreeSettings settings_;
  unsigned seed_;
  struct {
    float gravity, softening_squared;
  } constants_;
  KernelConfiguration kernel_;
  KernelNamed kernels_;
  std::vector<Float4> position_, velocity_;
  std::vector<std::byte> scratch_;
};

/// One evaluation of all galaxies.
struct EmulatedForces {
  Bodies bodies;
  float softening_squared;
  Emulated queue;

  EmulatedForces(Bodies all, const TreeSettings& settings, float eps2, unsigned seed,
                 const KernelConfiguration& kernel, KernelNamed kernels)
      : bodies(std::move(all)),
        softening_squared(eps2),
        queue(bodies, settings, eps2, seed, kernel, std::move(kernels)) {
    for (const auto& galaxy : bodies.galaxies())
      kernel.family->forces(queue, {galaxy, galaxy.first, galaxy.last});
  }

  /// Relative errors of every `stride`-th body, sorted; a body without any pull counts its acceleration.
  std::vector<double> errors(std::size_t stride = 7) const {
    const ForceState state{bodies.position, bodies.velocity, bodies.mass, bodies.charge};
    std::vector<double> found;
    for (const auto& galaxy : bodies.galaxies()) {
      for (std::size_t i = galaxy.first; i < galaxy.last; i += stride) {
        const auto exact =
            gravity_law.acceleration(state, {.softening_squared = softening_squared}, i, galaxy);
        const double size = norm(exact), error = norm(DVec3(queue.acceleration[i]) - exact);
        found.push_back(size > 0.0 ? error / size : error);
      }
    }
    std::ranges::sort(found, [](double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); });
    return found;
  }
  double median() const { return errors()[errors().size() / 2]; }
  double largest() const { return errors().back(); }
};

}  // namespace orrery::sim::cuda::emulator
