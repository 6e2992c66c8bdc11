#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/bodies/partition.h"
#include "sim/core/vec3.h"
#include "sim/cuda/families/tree_domain_shapes.h"
#include "sim/cuda/families/tree_layout.h"
#include "sim/engines/engine_report.h"
#include "sim/engines/engine_state.h"
#include "sim/engines/packed_bodies.h"
#include "sim/tree/curve_grid.h"

namespace orrery::sim::cuda {

/// Behind the last key of the curve; a domain that begins there has no bodies.
inline constexpr std::uint64_t end_of_keys = std::uint64_t{1} << (3U * tree::key_bits);

/// The cost of a piece's bodies, in interactions: what they sum, and their places in the tree.
double cost_of(const tree::PieceCost& piece);
double cost_of(std::span<const tree::PieceCost> pieces);

/// Shares of domains in all costs over their weights, of which the mean is 1: the largest.
/// `pieces`: those of each domain; some may have no bodies.
double largest_share(std::span<const std::vector<tree::PieceCost>> pieces, std::span<const double> weights);

/// First keys of domains whose costs are nearer to being as their weights, given what the pieces of the
/// present ones cost. `begins`: the present first keys, that of the first domain 0; they are returned where
/// nothing is known.
std::vector<std::uint64_t> even_borders(std::span<const std::vector<tree::PieceCost>> pieces,
                                        std::span<const double> weights,
                                        std::span<const std::uint64_t> begins);

/// One galaxy on several GPUs, each with the bodies of a stretch of Hilbert's curve: where the curve is cut,
/// and by what. On the GPUs bodies are in the order of the curve; nobody else knows.
class GalaxyCut {
 public:
  /// Starts with other bodies, of which nothing is known.
  void start();
  /// The galaxy is not cut: the GPUs have its bodies in the dataset's order.
  void clear() { order_ = nullptr; }
  /// Cuts bodies at these positions as the weights of the GPUs ask, by what each has cost where that is
  /// known; or as `take` was told, once.
  void cut(std::span<const Vec3> position, std::span<const double> weights);
  /// The costs of the pieces of all domains along the present cut's curve, for the next cut.
  void note_costs(std::vector<tree::PieceCost> costs) { costs_ = std::move(costs); }
  /// First keys of the GPUs that have bodies, the first of them 0: from the next forces on. Bodies stay where
  /// they are; those outside of their GPU's stretch are computed by others.
  void move_borders(std::vector<std::uint64_t> begins) { begins_ = std::move(begins); }
  std::span<const std::uint64_t> borders() const { return begins_; }
  /// Counts a new cut during a run and notes how long it took.
  void note_new_cut(double milliseconds);

  const BodyOrder& order() const { return order_; }
  /// The places of each GPU's bodies in the order, some perhaps empty.
  std::span<const BodyRange> stretches() const { return stretches_; }
  /// The curve as the k-th of the GPUs with bodies knows it.
  tree::TreeCurve curve(std::size_t k) const;

  /// Adds order and cut to a state, without the borders.
  void save(EngineState& state) const;
  /// The next cut is that of the state; its borders come from DomainBalance. False if it has none for so many
  /// bodies and GPUs.
  bool take(const EngineState& state, std::size_t bodies, std::size_t gpus);
  void add_facts(EngineReport& report) const;

 private:
  BodyOrder order_;
  EvenGrid grid_;
  std::vector<std::uint64_t> begins_;  ///< first key of each GPU that has bodies
  std::vector<BodyRange> stretches_;
  std::vector<tree::PieceCost> costs_;
  bool is_given_ = false;
  double cut_ms_ = 0.0;
  std::uint64_t new_cuts_ = 0;
};

}  // namespace orrery::sim::cuda
