#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/core/large_array.h"
#include "sim/core/pass_parts.h"

namespace orrery::sim {

/// Makes `to` a copy of `from`, on several threads where that pays: one alone does not fill the memory's
/// lanes.
template <typename T>
void copy_to(std::vector<T>& to, const std::vector<T>& from, int threads) {
  const PassParts parts(from.size(), 20'000, threads);
  reserve_large(to, from.size());
  to.resize(from.size());
#pragma omp parallel for schedule(static, 1) num_threads(parts.threads()) if (parts.count() > 1)
  for (std::size_t k = 0; k < parts.count(); ++k)
    std::copy(from.data() + parts.begin(k), from.data() + parts.begin(k + 1), to.data() + parts.begin(k));
}

}  // namespace orrery::sim
