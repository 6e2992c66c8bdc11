#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cuda/kernel_files.h"
#include "sim/tuning/configuration.h"

namespace orrery::sim::cuda {

/// Threads of a block where `block` is 0 and the code has to know them.
inline constexpr int split_block = 128;

/// What decides the code of a kernel: the switches of the reports, as numbers. Two equal values share one
/// compiled module.
struct KernelConfiguration {
  std::string family = "tiled";   ///< a name of family_names.h
  std::string layout = "float4";  ///< aos, split, float4, soa
  std::string passing = "value";  ///< value, members, pointer
  bool read_only = true;
  bool constant_memory = false;
  std::string arithmetic = "rsqrt-cubed";
  bool fast_math = false;
  bool flush_to_zero = false;
  int precision = 32;  ///< bits
  int tile = 256;
  int block = 256;  ///< 0: chosen by the occupancy interface
  int unroll = 16;
  int registers = 0;          ///< cap; 0: none
  bool stage_bodies = false;  ///< tiled: whole bodies in shared memory
  bool stage = true;          ///< tiled-2d, galaxy-block: sources in shared memory
  int width = 2;              ///< tiled-2d
  int length = 128;
  int span = 256;
  bool bank_safe = true;
  bool cublas_sum = false;    ///< tiled-2d: partial sums in the order of the accelerations, added by cuBLAS
  int bodies_per_thread = 4;  ///< register-split
  int split = 0;              ///< register-split, tensor families: ranges of sources; 0: chosen at the launch
  bool atomic_sum = false;    ///< register-split: partial sums added atomically instead of in order
  int row_tiles = 3;          ///< tensor families: groups of 16 targets a warp
  bool split_weights = false;  ///< tensor, tensor-pairs: weights in two half-precision parts
  int polynomial = 1;          ///< tensor: of 8 reciprocal square roots, those by polynomial
  int dimensions = 3;
  bool fused = false;
  bool early_launch = false;  ///< kernels that wait for the one before are launched before it has ended
  bool batched = false;       ///< one launch for all galaxies: blocks find their galaxy in a table
  int force_law = 0;          ///< ForceLaw::device_code
  bool guard = false;         ///< softening so small that coincident bodies would overflow

  auto operator<=>(const KernelConfiguration&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// Reads the CUDA options of a configuration.
KernelConfiguration kernel_configuration(const Configuration& configuration);

/// True for the families that split the sources among rows of blocks: register-split and those on tensor
/// cores.
bool splits_sources(const KernelConfiguration& configuration);
/// True for tensor-sum, tensor and tensor-pairs.
bool uses_tensor_cores(const KernelConfiguration& configuration);
/// True for tensor-pairs: a pair is computed once for both of its bodies, so that the accelerations of a
/// galaxy are there when all of its slices were computed.
bool sums_pairs(const KernelConfiguration& configuration);
/// Threads of a block of the families that split the sources. In tensor-pairs they are fixed: tiles of 256
/// bodies meet, 64 a warp.
int threads_that_split(const KernelConfiguration& configuration);
/// Groups of 16 targets that a warp of the families on tensor cores has.
int row_tiles_of_warp(const KernelConfiguration& configuration);

/// The file with the device code of a family. Asking for an unknown one is our own mistake
/// (std::out_of_range).
/// Adding a family: a .cu file, a line here, in family_names.h, and its launch in launch.cpp if it has
/// another shape.
std::string_view family_file(std::string_view family);

/// The whole text that is compiled for a configuration, without the macros. It says where each line comes
/// from, so that the compiler's messages name file and line.
std::string kernel_source(const KernelConfiguration& configuration,
                          const KernelFiles& files = embedded_kernel_files());
/// The options of the run-time compiler for an architecture such as "sm_90": macros, fast-math, register cap.
std::vector<std::string> compiler_options(const KernelConfiguration& configuration,
                                          const std::string& architecture);

}  // namespace orrery::sim::cuda
