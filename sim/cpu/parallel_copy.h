#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace orrery::sim {

/// Makes `to` a copy of `from`, on several threads where that pays: one alone does not fill the memory's
/// lanes.
template <typename T>
void copy_to(std::vector<T>& to, const std::vector<T>& from, int threads) {
  constexpr std::size_t worth_a_thread = 20'000;
  const std::size_t count = from.size();
  const auto parts =
      std::clamp<std::size_t>(count / worth_a_thread, 1, static_cast<std::size_t>(std::max(1, threads)));
  to.resize(count);
#pragma omp parallel for schedule(static, 1) num_threads(static_cast <int>(parts)) if (parts > 1)
  for (std::size_t k = 0; k < parts; ++k)
    std::copy(from.data() + count * k / parts, from.data() + count * (k + 1) / parts,
              to.data() + count * k / parts);
}

}  // namespace orrery::sim
