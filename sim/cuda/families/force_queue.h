#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/bodies/bodies.h"
#include "sim/tree/tree_settings.h"

// What a family needs to queue its kernels. Nothing of CUDA, so that families are described, and their
// launches tested, on machines without it.
namespace orrery::sim::cuda {

struct KernelConfiguration;

/// Arguments of a kernel launch. Values are copied in; `pointers` is what cuLaunchKernel takes.
class Arguments {
 public:
  static constexpr std::size_t most = 32;

  Arguments() = default;
  Arguments(const Arguments& other) { *this = other; }
  Arguments& operator=(const Arguments& other);
  ~Arguments() = default;

  template <typename T>
  Arguments& add(T value) {
    static_assert(sizeof(T) <= sizeof(Slot));
    auto& slot = slots_.at(count_);
    __builtin_memcpy(&slot, &value, sizeof value);
    pointers_.at(count_++) = &slot;
    return *this;
  }
  /// An argument kept by the caller until the launch: a struct of any size.
  Arguments& add_struct(const void* value) {
    pointers_.at(count_++) = const_cast<void*>(value);
    return *this;
  }
  void** pointers() { return pointers_.data(); }
  std::size_t size() const { return count_; }

 private:
  struct alignas(16) Slot {
    std::array<unsigned char, 64> bytes;
  };
  std::array<Slot, most> slots_{};
  std::array<void*, most> pointers_{};
  std::size_t count_ = 0;
};

/// Pointers to copied values are to the copies.
inline Arguments& Arguments::operator=(const Arguments& other) {
  slots_ = other.slots_;
  pointers_ = other.pointers_;
  count_ = other.count_;
  for (std::size_t k = 0; k < count_; ++k) {
    if (other.pointers_[k] == &other.slots_[k]) pointers_[k] = &slots_[k];
  }
  return *this;
}

/// An address in the memory of a device (CUdeviceptr).
using DeviceAddress = std::uint64_t;

/// Hands out arrays of device memory one after the other, each at a multiple of 256 bytes from the begin. Who
/// begins at 0 learns how much is needed.
class ScratchArena {
 public:
  explicit ScratchArena(DeviceAddress begin) : begin_(begin) {}
  DeviceAddress take(std::size_t bytes) {
    const auto place = begin_ + used_;
    used_ += (bytes + 255) / 256 * 256;
    return place;
  }
  /// Bytes so far.
  std::size_t used() const { return used_; }

 private:
  DeviceAddress begin_;
  std::size_t used_ = 0;
};

/// Bodies [begin, end) of a galaxy: a slice of a force evaluation.
struct ForceSlice {
  GalaxyRange galaxy;     ///< the sources
  std::size_t begin = 0;  ///< the targets
  std::size_t end = 0;
  std::size_t targets() const { return end - begin; }
  double interactions() const {
    return static_cast<double>(end - begin) * static_cast<double>(galaxy.size());
  }
};

/// The bodies that are to be computed, where not all are: those of at least this level.
struct ActiveBodies {
  DeviceAddress levels = 0;  ///< a byte per body; 0: all bodies
  unsigned least = 0;
};

/// Grid and block of a launch.
struct LaunchShape {
  unsigned grid_x = 1, grid_y = 1, block_x = 1, block_y = 1;
  /// Launched before the kernel before it in the stream has ended. Only for kernels that begin with
  /// after_previous() (device/common.cuh), where ForceQueue::early says that it can be.
  bool early = false;
};

/// 64-bit counters of approximate families, which a device adds to during one force evaluation.
struct ForceCounts {
  std::uint64_t interactions = 0;        ///< particle-particle and particle-cell, of all bodies
  std::uint64_t crowded_groups = 0;      ///< divided because of the bodies in their box
  std::uint64_t over_budget_groups = 0;  ///< divided because they met too many bodies and cells
  std::uint64_t divided_parts = 0;       ///< parts of divided groups whose bodies were computed one by one
  std::uint64_t in_parts = 0;            ///< interactions of bodies of divided groups

  /// Sums over several devices.
  ForceCounts& operator+=(const ForceCounts& other) {
    interactions += other.interactions, crowded_groups += other.crowded_groups;
    over_budget_groups += other.over_budget_groups, divided_parts += other.divided_parts;
    in_parts += other.in_parts;
    return *this;
  }
};

/// A stream of a device with the kernels of one configuration: what Family::forces queues its work into. All
/// addresses are in the device's memory, all work is only queued.
class ForceQueue {
 public:
  virtual ~ForceQueue() = default;

  /// The configuration from which the module in use was compiled.
  virtual const KernelConfiguration& kernel() const = 0;
  virtual int block() const = 0;                     ///< threads of a block of the force kernel
  virtual std::size_t multiprocessors() const = 0;   ///< multiprocessors of the device
  virtual bool early() const = 0;                    ///< LaunchShape::early may be set
  virtual unsigned steps() const { return 1; }       ///< steps per launch, if Family::many_steps
  virtual DeviceAddress accelerations() const = 0;   ///< 3 reals per body
  virtual DeviceAddress jerks() const { return 0; }  ///< jerks, if they are summed: 3 reals per body
  virtual DeviceAddress scratch() const = 0;         ///< Family::scratch_bytes bytes
  virtual DeviceAddress galaxy_starts() const = 0;   ///< first body of each galaxy and the end, 32-bit

  virtual TreeSettings tree() const { return {}; }    ///< settings of families with a tree
  virtual ActiveBodies active() const { return {}; }  ///< active bodies, for Family::skips_bodies
  /// Scratch memory has the cells of the same bodies a few steps ago, and their order may be used again.
  virtual bool keeps_cells() const { return false; }
  /// The ForceCounts to which approximate families add what they do.
  virtual DeviceAddress force_counts() const { return 0; }

  /// Adds the arguments for CONSTANTS_PARAMETER and BODIES_PARAMETER.
  virtual void add_constants(Arguments& arguments) const = 0;
  virtual void add_bodies(Arguments& arguments) const = 0;
  /// Families that update too: the state that is written, and what the update needs. Others: nothing.
  virtual void add_next(Arguments& arguments) const = 0;
  virtual void add_update(Arguments& arguments) const = 0;

  /// Families that have their ranges in constant memory: those of the kernels that are launched next.
  virtual void set_range(const ForceSlice& /*slice*/) {}

  /// Launches a kernel of the configuration's source. Throws Error.
  virtual void launch(const char* kernel, const LaunchShape& shape, Arguments& arguments) = 0;
  /// Fills memory with zeros. Throws Error.
  virtual void clear(DeviceAddress begin, std::size_t bytes) = 0;
  /// Adds rows of partial sums in scratch memory with cuBLAS, and multiplies by what all sums share.
  /// `columns` reals per row; the result goes to `sums`. Throws Error.
  virtual void sum_rows(std::size_t rows, std::size_t columns, DeviceAddress sums) = 0;

  std::size_t real_bytes() const;  ///< bytes per number in the configuration's precision
};

/// Constants and bodies: what most kernels begin with.
Arguments constants_and_bodies(const ForceQueue& queue);
/// Adds sources and targets as 32-bit indices: first, last, begin, end.
void add_slice(Arguments& arguments, const ForceSlice& slice);
/// Adds the argument for AFTER_SLICE_PARAMETER: the range, or nothing where the kernel finds it in constant
/// memory.
void add_range(ForceQueue& queue, Arguments& arguments, const ForceSlice& slice);
/// Adds an index of 32 bits.
void add_index(Arguments& arguments, std::size_t index);
/// ceil(a / b) as a grid dimension.
unsigned blocks_for(std::size_t items, std::size_t block);

/// Blocks that a grid may have in y, on every device.
inline constexpr std::size_t most_grid_rows = 65535;
/// Calls with one piece of the slice after the other, of `most` targets at most: what one launch computes.
template <typename Call>
void for_pieces(const ForceSlice& slice, std::size_t most, const Call& call) {
  for (auto piece = slice; piece.begin < slice.end; piece.begin = piece.end) {
    piece.end = std::min(slice.end, piece.begin + most);
    call(piece);
  }
}

/// The shape of most families: a thread for each target, one kernel.
void queue_thread_per_target(ForceQueue& queue, const ForceSlice& slice);
/// The jerks of the same targets, in the same shape (device/jerks.cu).
void queue_jerks(ForceQueue& queue, const ForceSlice& slice);

}  // namespace orrery::sim::cuda
