#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::sim {

/// A body's place on the curve through one galaxy after the other. No two bodies have the same.
struct CurvePlace {
  std::uint32_t galaxy = 0;
  std::uint32_t index = 0;  ///< index in the dataset: breaks ties between bodies with the same key
  std::uint64_t key = 0;

  friend std::strong_ordering operator<=>(const CurvePlace& a, const CurvePlace& b) {
    if (const auto order = a.galaxy <=> b.galaxy; std::is_neq(order)) return order;
    if (const auto order = a.key <=> b.key; std::is_neq(order)) return order;
    return a.index <=> b.index;
  }
  friend bool operator==(const CurvePlace&, const CurvePlace&) = default;
};

/// A piece of the curve: where it begins, and what the forces on its bodies cost.
struct CurvePiece {
  CurvePlace begin;
  double work = 0.0;
};

/// The first positions of the domains of all workers but the first, so that all have the same work as far as
/// pieces
/// allow. Each gets at least one piece; there are as many pieces as workers, or more. What comes out depends
/// on the pieces alone, not on their order.
std::vector<CurvePlace> cut_curve(std::vector<CurvePiece> pieces, std::size_t workers);

}  // namespace orrery::sim
