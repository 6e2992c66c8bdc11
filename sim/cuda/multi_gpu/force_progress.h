#pragma once

#include <span>

#include "sim/cuda/families/family.h"

namespace orrery::sim::cuda {

/// Tracks how much of a force evaluation is queued: the galaxies before the present one, and of that the
/// bodies before `body()`; batched: the entries of the table before `item()`.
class ForceProgress {
 public:
  void begin(std::span<const ForceSlice> wanted) {
    galaxy_ = item_ = 0;
    body_ = wanted.front().begin;
    skip_idle(wanted);
  }
  /// The bodies of the present galaxy up to this one are queued. Where these are all, the next galaxy that
  /// has bodies to compute is the present one.
  void reach(std::size_t body, std::span<const ForceSlice> wanted) {
    body_ = body;
    skip_idle(wanted);
  }
  void reach_galaxy(std::size_t galaxy) { galaxy_ = galaxy; }
  void reach_item(std::size_t item) { item_ = item; }

  std::size_t galaxy() const { return galaxy_; }
  std::size_t body() const { return body_; }
  std::size_t item() const { return item_; }

 private:
  void skip_idle(std::span<const ForceSlice> wanted) {
    while (galaxy_ < wanted.size() && body_ == wanted[galaxy_].end) {
      if (++galaxy_ < wanted.size()) body_ = wanted[galaxy_].begin;
    }
  }

  std::size_t galaxy_ = 0, body_ = 0, item_ = 0;
};

}  // namespace orrery::sim::cuda
