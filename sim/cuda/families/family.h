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

  // ---- code ----
  /// Files of the device code, compiled in this order between device/common.cuh and device/update.cu.
  std::span<const std::string_view> sources;
  const char* entry = "forces";  ///< the force kernel
  /// Names of the kernels besides `entry` in the sources.
  std::vector<const char*> (*kernels)(const KernelConfiguration& kernel) = nullptr;
  /// Macros besides those of options.
  void (*macros)(const KernelConfiguration& kernel, Macros& macros) = nullptr;
  int row_tiles = 0;  ///< groups of 16 targets of a warp that sums by tensor cores

  // ---- options ----
  /// Names of options that only some families use and this one does.
  std::span<const std::string_view> uses;
  /// Descriptions of options that this family brings along; families may share an option under one name.
  std::vector<Option> (*options)() = nullptr;
  std::span<const FamilyRefusal> refusals;
  /// Why the family computes gravity only, or single precision only; empty: it does not.
  std::string_view gravity_only;
  std::string_view float_only;
  /// The kernels can find their ranges in constant memory (AFTER_SLICE_PARAMETER, add_range).
  bool constant_ranges = false;
  /// Why several galaxies cannot be one launch, work on several streams, or several GPUs share one galaxy,
  /// with what to do; empty or nullptr: they can. The first is also nullptr where `batch` and `galaxies` are.
  std::string (*no_batch)(const Configuration& configuration) = nullptr;
  std::string (*no_streams)(const Configuration& configuration) = nullptr;
  std::string_view no_sharing;
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
  /// Targets need not be among the sources of their slice: bodies without mass after the others are no
  /// sources (sim/physics/sources.h). Others sum whole galaxies, where such bodies add 0.
  bool tracers = false;

  /// Targets may be any bodies of the state, also copies after all galaxies: so it can compute some of the
  /// bodies. What leaves tracers out does too.
  bool any_targets = false;
  /// The kernel computes the targets in ForceQueue::active only, and leaves what other bodies have.
  bool active_only = false;

  /// The family uses a thread for each target, so that the kernel of jerks can be launched in its shape.
  bool jerks = false;

  // ---- scratch memory ----
  /// Bytes for a slice of a galaxy; nullptr: none.
  std::size_t (*scratch_bytes)(const KernelConfiguration& kernel, std::size_t sources,
                               std::size_t targets) = nullptr;
  std::string_view scratch_meaning;                  ///< contents of the scratch memory: "partial sums"
  std::string_view less_scratch = "a tiled family";  ///< "use ...", where it does not fit

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
  bool computes_some() const { return tracers || any_targets || active_only; }
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
