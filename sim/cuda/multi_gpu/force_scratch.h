#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "sim/cuda/driver/api.h"
#include "sim/cuda/driver/device.h"

namespace orrery::sim::cuda {

/// Memory that the kernels of forces write on their way, a place of it for each galaxy; the cells that trees
/// leave there may serve the next evaluations. Every function needs the GPU's context.
class ForceScratch {
 public:
  /// Sizes the memory without places, for batched kernels and for kernels that need none.
  void resize(std::size_t bytes) { memory_.resize(bytes); }
  /// A place for each galaxy in so many bytes. Throws Error: out of memory.
  void place(std::vector<std::size_t> places, std::size_t bytes) {
    if (places != places_ || bytes != memory_.size()) forget_cells(places.size());
    places_ = std::move(places);
    memory_.resize(bytes);
  }
  CUdeviceptr pointer() const { return memory_.pointer(); }
  CUdeviceptr of(std::size_t galaxy) const { return memory_.pointer() + places_[galaxy]; }
  std::size_t bytes() const { return memory_.size(); }

  /// Clears the memory before its first use: fused kernels count in it, and leave zeros.
  void clear_once(CUstream stream) {
    if (std::exchange(is_clear_, true) || memory_.size() == 0) return;
    check(driver()->cuMemsetD8Async(memory_.pointer(), 0, memory_.size(), stream), "clearing scratch memory");
  }
  void not_clear() { is_clear_ = false; }

  /// Forgets the cells of earlier evaluations: call after a change of bodies or kernel.
  void forget_cells(std::size_t galaxies) { has_cells_.assign(galaxies, false); }
  /// The evaluation that begins may use cells that are there; with `together` those of all galaxies or none.
  void keep_cells(bool may, bool together) {
    keeps_cells_ = may;
    const bool some_lack = std::ranges::find(has_cells_, false) != has_cells_.end();
    if (!keeps_cells_ || (together && some_lack)) forget_cells(has_cells_.size());
  }
  bool keeps_cells(std::size_t galaxy) const {
    return keeps_cells_ && galaxy < has_cells_.size() && has_cells_[galaxy];
  }
  void note_cells(std::size_t galaxy, bool has) { has_cells_[galaxy] = has; }
  void note_all_cells(std::size_t galaxies, bool has) { has_cells_.assign(galaxies, has); }

 private:
  DeviceMemory memory_;
  std::vector<std::size_t> places_;  ///< offset of each galaxy's; not for batched kernels
  std::vector<bool> has_cells_;      ///< of each galaxy's bodies
  bool keeps_cells_ = false;         ///< the evaluation under way may use them
  bool is_clear_ = false;
};

}  // namespace orrery::sim::cuda
