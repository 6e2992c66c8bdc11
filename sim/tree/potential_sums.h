#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace orrery::sim {

/// Bodies and cells that act on a group: an array a coordinate, and after its end places for a whole vector.
/// All lengths are below about 1, all masses at most about 1: no square leaves single precision.
class PotentialSources {
 public:
  enum Column : std::size_t { x, y, z, mass, xx, xy, xz, yy, yz, zz };
  using Body = std::array<float, 4>;   ///< x, y, z, mass
  using Cell = std::array<float, 10>;  ///< and second moments: xx, xy, xz, yy, yz, zz

  /// Forgets all, and keeps the memory.
  void clear();
  /// One more source.
  void add(const Body& body) { bodies_.add(body); }
  void add(const Cell& cell) { cells_.add(cell); }
  std::size_t body_count() const { return bodies_.count; }
  std::size_t cell_count() const { return cells_.count; }
  const float* bodies(Column column) const { return bodies_.column[column].data(); }
  const float* cells(Column column) const { return cells_.column[column].data(); }
  float& body_mass(std::size_t k) { return bodies_.column[mass][k]; }

  /// Massless ones after the last fill a vector.
  void pad();

 private:
  template <std::size_t columns>
  struct Table {
    std::array<std::vector<float>, columns> column;
    std::size_t count = 0;

    void add(const std::array<float, columns>& row);
    void pad();
  };
  Table<4> bodies_;
  Table<10> cells_;
};

/// sum m / s of the bodies, and M / s + (3 d S d / s^5 - tr S / s^3) / 2 of the cells, at a place; s^2 = d^2
/// + eps^2. What has a squared distance below 1e-37 is left out. Sources are padded. In single precision,
/// with sums of parts in double.
double potential_sum(const PotentialSources& sources, const std::array<float, 3>& at,
                     float softening_squared);

}  // namespace orrery::sim
