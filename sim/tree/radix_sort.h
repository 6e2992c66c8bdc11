#pragma once

#include <cstdint>
#include <vector>

namespace orrery::sim {

/// A key and what it belongs to.
struct KeyedIndex {
  std::uint64_t key = 0;
  std::uint32_t index = 0;
};

/// Sorts by key; items with one key keep their order, so that the result does not depend on the number of
/// threads. A radix sort, linear in the number of items. `scratch` is resized, and what it holds afterwards
/// means nothing.
void sort_by_key(std::vector<KeyedIndex>& items, std::vector<KeyedIndex>& scratch, int threads);

}  // namespace orrery::sim
