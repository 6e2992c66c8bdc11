#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "sim/bodies/partition.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/families/family.h"
#include "sim/cuda/families/force_queue.h"
#include "sim/cuda/launch/launch.h"
#include "sim/cuda/memory/device_state.h"
#include "sim/physics/integrators/integrator.h"

namespace orrery::sim::cuda {

/// The bodies that a GPU holds, and of each of its galaxies the forces that it sums. Indices are local (0 is
/// the first body held) except where a name says global.
class WorkerShare {
 public:
  /// Sets the share of a dataset with these galaxies, of which these bodies exert forces (sources_of).
  void set(const Partition& share, std::span<const GalaxyRange> global_galaxies,
           std::span<const GalaxyRange> global_sources);
  /// Leaves trailing tracers out of the sources, for kernels that do so; approximate ones start with a guess
  /// of their interactions.
  void choose_sources(bool leaves_out, bool approximate);

  const Partition& partition() const { return partition_; }
  std::size_t bodies() const { return partition_.held.size(); }
  BodyRange targets() const {
    return {partition_.targets.first - partition_.held.first,
            partition_.targets.last - partition_.held.first};
  }
  std::size_t first_galaxy() const { return first_galaxy_; }
  /// The targets of each galaxy that has some.
  const std::vector<ForceSlice>& slices() const { return slices_; }
  std::size_t galaxies() const { return slices_.size(); }
  /// The targets of each galaxy with the sources that the present kernel sums.
  const std::vector<ForceSlice>& all() const { return all_; }
  /// The slices of the evaluation under way.
  const std::vector<ForceSlice>& wanted() const { return some_.empty() ? all_ : some_; }

  /// Block time steps: from now on forces are on these bodies only.
  void limit_to(std::vector<ForceSlice> some) { some_ = std::move(some); }
  void no_limit() { some_.clear(); }
  bool is_limited() const { return !some_.empty(); }

  /// Ordered pairs of a force evaluation; of approximate ones a guess, until it is known.
  double interactions() const { return interactions_; }
  void set_interactions(double interactions) { interactions_ = interactions; }

 private:
  Partition partition_;
  std::size_t first_galaxy_ = 0;  ///< global number of the first slice's galaxy
  std::vector<ForceSlice> slices_, all_, some_;
  std::vector<GalaxyRange> sources_;  ///< of each slice's galaxy, without trailing tracers
  double interactions_ = 0.0;
};

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

/// Counts of approximate families in a force evaluation, in the GPU's memory and, a step late, on the host.
/// Every function needs the GPU's context.
class ForceCounter {
 public:
  void allocate() {
    if (counts_.size() > 0) return;
    counts_.resize(sizeof(ForceCounts));
    on_host_.resize(sizeof(ForceCounts), true);
    std::memset(on_host_.data(), 0, sizeof(ForceCounts));
  }
  CUdeviceptr pointer() const { return counts_.pointer(); }
  void clear(CUstream stream) const {
    check(driver()->cuMemsetD8Async(counts_.pointer(), 0, counts_.size(), stream), "clearing a count");
  }
  void queue_reading(CUstream stream) const {
    check(driver()->cuMemcpyDtoHAsync(on_host_.data(), counts_.pointer(), counts_.size(), stream),
          "reading a count");
  }
  /// Interactions of the last evaluation that is done; 0: none is. The GPU may write the number meanwhile.
  std::uint64_t interactions() const {
    return counts_.size() == 0 ? 0 : *static_cast<const volatile std::uint64_t*>(on_host_.data());
  }
  ForceCounts counts() const {
    ForceCounts counts;
    if (counts_.size() > 0) std::memcpy(&counts, on_host_.data(), sizeof counts);
    return counts;
  }

 private:
  DeviceMemory counts_;
  HostMemory on_host_;
};

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

/// State of fused kernels, which sum the forces and move the bodies in one: the buffer that they write while
/// they read the other one, and what a launch does besides. Every function needs the GPU's context.
class FusedSteps {
 public:
  /// Makes room for so many bodies. Throws Error: out of memory.
  void allocate(const StateForm& form, std::size_t bodies) { next_.allocate(form, bodies); }
  /// Kernels write the bodies that move; masses of the others must be there too.
  void fill(const DeviceState& state, CUstream stream) {
    if (!std::exchange(is_filled_, true)) next_.copy_from(state, stream);
  }
  void set_filled(bool filled) { is_filled_ = filled; }
  /// True if the buffer has the bodies that these kernels do not move, if there are any.
  bool is_filled() const { return is_filled_; }
  DeviceState& next() { return next_; }
  const DeviceState& next() const { return next_; }

  /// `finishes`: the forces under way end a step (Integrator::fuses_ahead); vertices of the complete state go
  /// to these addresses of body 0, or nowhere (0).
  void set(bool finishes, CUdeviceptr vertex_position, CUdeviceptr vertex_velocity) {
    finishes_ = finishes;
    vertex_position_ = vertex_position;
    vertex_velocity_ = vertex_velocity;
  }
  void drop_vertices() { vertex_position_ = vertex_velocity_ = 0; }
  /// Families with many_steps: how many a launch makes from now on. An odd number ends in the other buffer.
  void set_steps(unsigned steps) { steps_ = steps; }
  bool finishes() const { return finishes_; }

  /// The update of the next launch, which reads `state` or, with `other_buffer`, the other one.
  FusedUpdate update(const Integrator& integrator, double time_step, const DeviceState& state,
                     bool other_buffer) const {
    const bool ahead = integrator.fuses_ahead();
    const auto update = ahead ? integrator.first_update() : integrator.last_update();
    return {.next = other_buffer ? &state : &next_,
            .finish = ahead && finishes_ ? integrator.last_update().kick * time_step : 0.0,
            .kick = update.kick * time_step,
            .drift = update.drift * time_step,
            .old_velocity = !update.kick_first,
            .vertex_position = vertex_position_,
            .vertex_velocity = vertex_velocity_,
            .steps = steps_};
  }

 private:
  DeviceState next_;
  bool is_filled_ = false;
  bool finishes_ = false;
  CUdeviceptr vertex_position_ = 0, vertex_velocity_ = 0;
  unsigned steps_ = 1;  ///< of a launch
};

}  // namespace orrery::sim::cuda
