#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/bodies/partition.h"
#include "sim/core/pass_parts.h"
#include "sim/core/vec3.h"

namespace orrery::sim {

/// A key and the body that it belongs to.
struct KeyedIndex {
  std::uint64_t key = 0;
  std::uint32_t index = 0;
};

/// Bodies in the order of Hilbert's curve; those of one key in the order in which they came.
struct CurveBodies {
  std::vector<KeyedIndex> keys;      ///< the key at each place of the curve, and the body there
  std::vector<std::uint32_t> order;  ///< the body at each place
  std::vector<Vec3> position;
  std::vector<float> mass;
};

/// Brings bodies into the order of the curve. Their memory is passed over twice, however long the keys are: a
/// sample of the keys cuts the curve into buckets that fit into a core's cache, bodies go there with all
/// that is known of them, and each bucket is sorted by one thread. The order is the same for any cuts, and so
/// for any number of threads. The grid whose cells have the keys is a CurveGrid or an EvenGrid.
class CurveSort {
 public:
  template <typename Grid>
  void sort(std::span<const Vec3> position, std::span<const float> mass, const Grid& grid, int threads,
            CurveBodies& sorted);

 private:
  struct Item {
    std::uint64_t key = 0;
    std::uint32_t index = 0;
    float mass = 0.0F;
    Vec3 position;
  };

  template <typename Grid>
  void choose_cuts(std::span<const Vec3> position, const Grid& grid);
  void find_buckets(std::span<KeyedIndex> keys) const;
  template <typename Grid>
  void find_keys(std::span<const Vec3> position, const Grid& grid, std::span<KeyedIndex> keys);
  void counts_to_places();
  void fill_buckets(std::span<const Vec3> position, std::span<const float> mass,
                    std::span<const KeyedIndex> keys);
  void sort_buckets(CurveBodies& sorted);
  void sort_bucket(std::size_t bucket, std::vector<KeyedIndex>& scratch, CurveBodies& sorted) const;

  std::size_t bodies_ = 0, buckets_ = 1;
  PassParts parts_{0, 1, 1};
  std::vector<std::uint64_t> sample_, cuts_;  ///< the first key of each bucket but the first
  std::vector<std::uint32_t> places_;         ///< next position of each bucket, for each part
  std::vector<std::uint32_t> begins_;         ///< begin of each bucket, then the end of the last
  std::vector<Item> items_;
  std::vector<std::vector<KeyedIndex>> scratch_;  ///< scratch memory of each thread
};

/// The bodies in the order of the curve, by the same sort.
template <typename Grid>
std::vector<std::uint32_t> curve_order(std::span<const Vec3> position, const Grid& grid, int threads);

/// Cuts bodies in the order of a curve (curve_order) into stretches of work as the weights, of which there is
/// at least one, all positive. `work`: of each body of the dataset; empty: all the same. No stretch is empty
/// while there are bodies.
std::vector<BodyRange> cut_order(std::span<const std::uint32_t> order, std::span<const float> work,
                                 std::span<const double> weights);

/// Sorts by key, on one thread; items with one key keep their order. Fast where keys are spread evenly
/// between the least and the largest, and the items fit into the cache. `scratch` is at least as long.
void sort_run(std::span<KeyedIndex> items, std::span<KeyedIndex> scratch);

}  // namespace orrery::sim
