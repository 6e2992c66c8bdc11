#pragma once

#include <algorithm>
#include <cstddef>

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

}  // namespace orrery::sim
