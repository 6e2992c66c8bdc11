#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/core/large_array.h"

namespace orrery::sim {

/// A pass over many items, cut into even parts that follow each other: one for each thread that pays, at
/// least one.
class PassParts {
 public:
  /// `worth_a_thread`: that many items take longer than to start a thread.
  PassParts(std::size_t items, std::size_t worth_a_thread, int threads)
      : items_(items),
        count_(std::clamp<std::size_t>(items / worth_a_thread, 1,
                                       static_cast<std::size_t>(std::max(1, threads)))) {}

  std::size_t count() const { return count_; }
  /// The number of threads as an int.
  int threads() const { return static_cast<int>(count_); }
  /// The first item of a part; of part count() the number of items.
  std::size_t begin(std::size_t part) const { return items_ * part / count_; }

 private:
  std::size_t items_, count_;
};

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
