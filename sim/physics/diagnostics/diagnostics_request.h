#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sim/bodies/bodies.h"
#include "sim/core/progress.h"
#include "sim/core/vec3.h"
#include "sim/physics/physics.h"

namespace orrery::sim {

/// Read-only view of the state that the sums need. All spans have one length; the galaxies cover it.
struct StateView {
  std::span<const Vec3> position;
  std::span<const Vec3> velocity;
  std::span<const float> mass;
  std::span<const GalaxyRange> galaxies;
  std::span<const float> charge = {};  ///< charges, for laws that use them
  DVec3 origin = {};                   ///< from which positions count: external fields stand elsewhere
};
/// A view of `bodies`; `galaxies` must be bodies.galaxies() and outlive the view.
StateView view_of(const Bodies& bodies, std::span<const GalaxyRange> galaxies);
/// The weights that couple pairs under the law of `physics`: the masses of `state`, or its charges.
std::span<const float> weights_of(const StateView& state, const Physics& physics);

/// Summation of W: all pairs, a tree of far cells, or the bodies of a sample with all others.
enum class PotentialMethod { pairs, tree, sample };
/// "pairs", "tree", "sample".
std::string_view name_of(PotentialMethod method);

/// Parameters of the sum of the potential, the only O(N^2) part.
struct DiagnosticsRequest {
  Physics physics = {.softening = 0.0};
  /// Up to this many bodies all pairs are summed.
  std::size_t exact_limit = 200'000;
  /// Method for more bodies than that under gravity: a tree with its error, which is also cheaper, or
  /// `sample` bodies drawn with `seed`. Other laws are always sampled, because charges in a cell may cancel.
  PotentialMethod above_limit = PotentialMethod::tree;
  std::size_t sample = 2'000;
  /// Bodies that are ranked before a sample is drawn from them; further ones are represented by these, chosen
  /// evenly.
  std::size_t ranked = std::size_t{1} << 21;
  double tree_theta = 0.6;  ///< the opening of the tree: 0.6 is right to about 1e-5 of W, 1 to some 1e-4
  std::uint64_t seed = 1;
  int threads = 1;                               ///< the result does not depend on it
  const std::atomic<bool>* interrupt = nullptr;  ///< set by another thread: give up and throw Cancelled
  Progress* progress = nullptr;  ///< progress of the potential, and a second way to cancel; may be null
};

}  // namespace orrery::sim
