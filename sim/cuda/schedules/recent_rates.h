#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace orrery::sim::cuda {

/// Interactions per millisecond of the last few evaluations. The best one counts: in the others the GPU drew
/// meanwhile.
class RecentRates {
 public:
  void add(double rate) {
    rates_[next_] = rate;
    next_ = (next_ + 1) % rates_.size();
  }
  void forget() { rates_ = {}; }
  /// 0: none is known.
  double best() const { return *std::ranges::max_element(rates_); }

 private:
  std::array<double, 4> rates_{};
  std::size_t next_ = 0;
};

}  // namespace orrery::sim::cuda
