#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/bodies/partition.h"
#include "sim/core/vec3.h"
#include "sim/engines/engine.h"

namespace orrery::sim {

/// One worker's part of the tree forces: groups that follow each other on the curve,
/// through one galaxy after the other. The cut gives all workers the same work, by what the groups summed in
/// the evaluation before. It changes who computes a group, never what comes out: the forces have the bits of
/// one worker.
///
/// A place is an index into the bodies of all galaxies, each in the order of its curve.
class CurveShare {
 public:
  CurveShare(std::size_t worker, std::size_t workers) : worker_(worker), bounds_(workers + 1) {}

  /// Cuts the groups of these galaxies before an evaluation, `group_size` bodies each (the last one of a
  /// galaxy has what is left).
  void begin(std::span<const GalaxyRange> galaxies, std::size_t group_size);
  /// Call before anything that may not be a tree: what an interrupted evaluation left is no result.
  void forget() { begun_ = false; }
  /// True after `begin`, until `bring_together` or `forget`.
  bool begun() const { return begun_; }

  /// This worker's groups of one of the galaxies, counted from the galaxy's first; perhaps none.
  BodyRange groups_in(const GalaxyRange& galaxy) const;
  /// Records the cost of the forces on a group of the galaxy, in any unit, as far as it depends on the bodies
  /// alone.
  void note_work(const GalaxyRange& galaxy, std::size_t group, double work);
  /// Notes the order of bodies on the galaxy's curve, as indices relative to its first body.
  void note_order(const GalaxyRange& galaxy, std::span<const std::uint32_t> order);
  /// Results of this worker's groups, by place.
  std::span<Vec3> acceleration() { return acceleration_; }

  /// Shares results after an evaluation that all have done: fills `acceleration` of those `targets` whose
  /// galaxies' order is known here from what all computed, and tells everyone the work of all groups.
  void bring_together(StateExchange& exchange, BodyRange targets, std::span<Vec3> acceleration);

 private:
  BodyRange all_groups(const GalaxyRange& galaxy) const;
  std::size_t place_of(std::size_t group) const;
  void cut();

  std::size_t worker_;
  std::size_t group_size_ = 0;
  bool begun_ = false;
  std::vector<GalaxyRange> galaxies_;
  std::vector<std::size_t> first_group_;  ///< first group of each galaxy, followed by the number of groups
  std::vector<std::size_t> bounds_;       ///< the workers' groups
  std::vector<Vec3> work_;  ///< work of each group in the x component: the form in which workers exchange it
  /// Work measured by the evaluation under way; adopted as a whole when it completes.
  std::vector<Vec3> new_work_;
  std::vector<Vec3> acceleration_;    ///< accelerations, ordered by position on the curve
  std::vector<std::uint32_t> order_;  ///< the body at each place, where it is known
};

}  // namespace orrery::sim
