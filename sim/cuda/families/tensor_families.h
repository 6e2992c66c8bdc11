#pragma once

#include <cstddef>
#include <string_view>

#include "sim/cuda/families/family.h"

// What the families on tensor cores share; tensor_common.cuh is the device's part.
namespace orrery::sim::cuda {

inline constexpr std::string_view tensor_is_gravity = "its products compute gravity only; use register-split";
inline constexpr std::string_view tensor_is_float =
    "its products are of half and single precision; use precision=float";
inline constexpr std::string_view tensor_scratch_meaning = "partial sums and marks";

/// Options: how weights enter the products, and where their roots are computed.
Option weights_option();

/// Layout of the scratch memory: byte offsets.
struct TensorScratch {
  std::size_t marks = 0;       ///< a bit for 16 targets and 64 sources: a close pair is among them
  std::size_t mark_words = 0;  ///< words of 32 bits
  std::size_t partials = 0;    ///< partial sums, up to the end
};
/// `covered`: targets of a block.
TensorScratch tensor_scratch(std::size_t sources, std::size_t targets, std::size_t covered);

/// Bodies rounded up to whole tiles of the packed arrays.
std::size_t padded_bodies(std::size_t bodies);

/// Queues what precedes the products: frame and packed numbers of the galaxy. `totals`: sums to be cleared;
/// 0: none.
void queue_packing(ForceQueue& queue, const GalaxyRange& galaxy, const TensorScratch& layout,
                   DeviceAddress totals);
/// Queues what follows the products: accelerations of that many targets.
void queue_finish(ForceQueue& queue, Arguments& arguments, std::size_t targets);

/// True where a weight, or its root by a polynomial, is good to 11 bits only.
bool rounds_tensor_weights(const KernelConfiguration& kernel);

/// The kernels beside `forces`.
std::vector<const char*> tensor_kernels(const KernelConfiguration& kernel);

}  // namespace orrery::sim::cuda
