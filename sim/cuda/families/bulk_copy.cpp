#include <array>

#include "sim/cuda/families/family.h"
#include "sim/cuda/families/shared_memory.h"

namespace orrery::sim::cuda {

namespace {

std::string not_contiguous(const OptionValue& value, const Configuration&, const OptionContext&) {
  return std::get<std::string>(value) != "float4"
             ? "a bulk copy brings position and mass in one piece; use layout=float4"
             : "";
}

std::string tiles_too_large(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  constexpr double tiles = 2.0;
  return tile_refusal(rest, std::get<std::int64_t>(value), tiles * source_reals(rest));
}

constexpr std::array<std::string_view, 1> sources{"bulk_copy.cu"};
constexpr std::array<std::string_view, 3> uses{"tile", "block", "unroll"};
constexpr std::array<FamilyRefusal, 2> refusals{{{"layout", not_contiguous}, {"tile", tiles_too_large}}};

}  // namespace

extern const Family bulk_copy_family;
constinit const Family bulk_copy_family{
    .name = "bulk-copy",
    .meaning = "tiled, two tiles in turn, brought by the bulk copy engine of Hopper",
    .usual_rate = 1850,
    .sources = sources,
    .uses = uses,
    .refusals = refusals,
    .gravity_only = "a bulk copy brings position and mass, and charges need more; use tiled",
    .batch = batch_of_threads,
    .any_targets = true,
    .full_capability = 90,
    .full_compiler = 12,
    .fallback = "bulk copies need compute capability 9.0 and NVRTC 12: the threads copy the tiles",
};

}  // namespace orrery::sim::cuda
