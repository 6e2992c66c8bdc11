#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cuda/families/force_queue.h"
#include "sim/options/configuration.h"
#include "sim/options/option.h"

namespace orrery::sim::cuda {

/// Macros of the device code, with their values.
using Macros = std::vector<std::pair<std::string, int>>;

/// Thread blocks of one launch that covers all galaxies.
struct BatchShape {
  std::size_t targets = 0;                      ///< targets per block
  std::size_t sources = std::size_t{1} << 31U;  ///< sources per block
  unsigned block_x = 1, block_y = 1;            ///< threads
  /// Rows of partial sums of a galaxy with that many sources; nullptr: a block's sums are complete. Else they
  /// go to scratch memory, and the kernel add_partials adds them.
  std::size_t (*partial_rows)(const KernelConfiguration& kernel, std::size_t sources) = nullptr;
};

/// Values of an option that a family refuses. Asked while the family is chosen; at the option `family`, when
/// it is to be chosen.
struct FamilyRefusal {
  std::string_view option;
  /// The reason, as of OptionConflict, with the decisive numbers and advice; empty if there is no conflict.
  std::string (*reason)(const OptionValue& value, const Configuration& rest, const OptionContext& context);
};

/// A family's device code.
struct FamilyCode {
  /// Compiled in this order between device/common.cuh and device/update.cu.
  std::span<const std::string_view> files;
  const char* entry = "forces";  ///< the force kernel
  /// Names of the kernels besides `entry`.
  std::vector<const char*> (*kernels)(const KernelConfiguration& kernel) = nullptr;
  /// Macros besides those of options.
  void (*macros)(const KernelConfiguration& kernel, Macros& macros) = nullptr;
  int row_tiles = 0;  ///< groups of 16 targets of a warp that sums by tensor cores
};

/// Why a family cannot do what others can, with what to do; empty or nullptr: it can.
struct FamilyLimits {
  std::string_view gravity_only;
  std::string_view float_only;
  /// Several galaxies in one launch; also nullptr where Family::batch and Family::galaxies are.
  std::string (*no_batch)(const Configuration& configuration) = nullptr;
  std::string (*no_streams)(const Configuration& configuration) = nullptr;  ///< work on several streams
  std::string_view no_sharing;                                              ///< one galaxy on several GPUs
};

/// Memory that the kernels of a family write on their way.
struct FamilyScratch {
  /// For a slice of a galaxy; nullptr: none.
  std::size_t (*bytes)(const KernelConfiguration& kernel, std::size_t sources, std::size_t targets) = nullptr;
  std::string_view meaning;                  ///< its contents: "partial sums"
  std::string_view less = "a tiled family";  ///< "use ...", where it does not fit
};

/// Bodies that can be the targets of a force kernel.
enum class Targets {
  sources,         ///< bodies of the galaxy that is summed whole; those without mass add 0
  before_tracers,  ///< any, as bodies without mass after the others are no sources (sim/physics/sources.h)
  any,             ///< bodies of the state, also copies after all galaxies
  active           ///< those in ForceQueue::active; other bodies keep what they have
};

/// One way to cut the N x N interactions among a GPU's threads: all that is particular to it. CpuKernel is
/// its twin on the CPU. Adding one: NAME.cpp with a constant of this type, NAME.cu, and its name in
/// families/CMakeLists.txt; no other file knows it. What is left out has the meaning that most families
/// share.
struct Family {
  std::string_view name;     ///< as in --set family=NAME
  std::string_view meaning;  ///< one line for the panel and the help, with the report it comes from
  /// GInteractions/s of a large galaxy on an H200 (docs/performance.md, docs/trees.md); 0: not known. Only
  /// the order counts: tuning tries fast ones first.
  double usual_rate = 0.0;

  FamilyCode code;

  // ---- options ----
  /// Names of options that only some families use and this one does.
  std::span<const std::string_view> uses;
  /// Descriptions of options that this family brings along; families may share an option under one name.
  std::vector<Option> (*options)() = nullptr;
  std::span<const FamilyRefusal> refusals;
  /// The kernels can find their ranges in constant memory (AFTER_SLICE_PARAMETER, add_range).
  bool constant_ranges = false;
  FamilyLimits limits;
  /// Several GPUs can share one galaxy in domains along a curve (split-by=domains).
  bool domains = false;

  // ---- launch ----
  /// Queues the forces on a slice's targets.
  void (*forces)(ForceQueue& queue, const ForceSlice& slice) = queue_thread_per_target;
  /// Threads of a block; 0 or nullptr: those of the option, or the occupancy interface chooses.
  int (*block)(const KernelConfiguration& kernel) = nullptr;
  bool half_warps = false;  ///< a block may have 16 threads, as the smallest of ECE1782's gpu0 and gpu1
  /// One launch for all galaxies, by a table of blocks (`block`: threads); nullptr: it has no such form.
  BatchShape (*batch)(const KernelConfiguration& kernel, int block) = nullptr;
  /// Whole galaxies [first, last) in one launch, which cannot be cut; nullptr: it works by slices.
  void (*galaxies)(ForceQueue& queue, std::size_t first, std::size_t last) = nullptr;
  /// A slice is a whole galaxy: what is prepared for it serves all of its bodies.
  bool whole_galaxies = false;
  /// Slices are multiples of that many targets, so that the same ones are together wherever slices begin.
  std::size_t slice_grain = 1;
  Targets targets = Targets::sources;
  /// The family uses a thread for each target, so that the kernel of jerks can be launched in its shape.
  bool jerks = false;

  FamilyScratch scratch;

  // ---- what others may have to know ----
  /// A pair is computed once for both of its bodies: accelerations of a galaxy are there when all of its
  /// slices were computed.
  bool sums_pairs = false;
  /// Forces are approximate, within an error that the options of the tree set (stated_error).
  bool approximate = false;
  /// The family can use the cells of an earlier evaluation in its scratch memory (ForceQueue::keeps_cells).
  bool keeps_cells = false;
  bool needs_tensor_cores = false;  ///< needs tensor cores for half and TF32 numbers: compute capability 8.0
  bool updates = false;             ///< kernels move the bodies too, into a second set of buffers
  bool many_steps = false;          ///< one launch makes as many steps as the queue says (ForceQueue::steps)
  /// Weights are rounded to 11 bits: the error of a force is their mean.
  bool (*rounds_weights)(const KernelConfiguration& kernel) = nullptr;
  /// True if cuBLAS adds the family's partial sums.
  bool (*sums_with_cublas)(const KernelConfiguration& kernel) = nullptr;
  /// Forces and update in one kernel (update=fused); nullptr: it has no such form.
  const Family* fused = nullptr;

  /// True if the family can compute forces on some bodies only, so that bodies can have steps of their own.
  bool computes_some() const { return targets != Targets::sources; }
  /// True if sums end before tracers.
  bool leaves_tracers_out() const { return targets == Targets::before_tracers; }
  /// True if kernels skip bodies that are not active, so that these need not be copied together.
  bool skips_bodies() const { return targets == Targets::active; }
  /// True if `option` is one of `uses`.
  bool uses_option(std::string_view option) const;
};

/// All families, the default first.
std::span<const Family* const> families();
/// The family of that name. Asking for an unknown one is our own mistake (std::out_of_range).
const Family& family_named(std::string_view name);

/// The family that a configuration runs: the fused form, where that is asked for and there is one.
const Family& family_of(const Configuration& configuration);

}  // namespace orrery::sim::cuda
