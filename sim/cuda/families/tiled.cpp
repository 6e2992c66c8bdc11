#include <array>

#include "cuda_families.h"
#include "sim/cuda/families/shared_memory.h"
#include "sim/cuda/options/gpu_options.h"
#include "sim/options/physics_options.h"

namespace orrery::sim::cuda {

namespace {

/// The additional reals of a source that is staged as a whole body: velocities, or masses of charges.
double staged_too(const Configuration& c) {
  if (gpu_options(c).staging != "bodies") return 0.0;
  return physics_of(c).law->uses_charges ? 1.0 : 3.0;
}

std::string tile_too_large(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  return tile_refusal(rest, std::get<std::int64_t>(value), source_reals(rest) + staged_too(rest));
}

std::string must_stage(const OptionValue& value, const Configuration&, const OptionContext&) {
  return std::get<std::string>(value) == "none"
             ? "a tile that is not staged is the family pairwise; use that, or tiled-2d"
             : "";
}

constexpr std::array<std::string_view, 1> tiled_sources{"tiled.cu"};
constexpr std::array<std::string_view, 4> tiled_uses{"staging", "tile", "block", "unroll"};
constexpr std::array<FamilyRefusal, 2> tiled_refusals{{{"staging", must_stage}, {"tile", tile_too_large}}};

constexpr std::array<std::string_view, 2> fused_sources{"fused_update.cuh", "fused.cu"};

/// Not chosen by its name: update=fused of tiled.
constexpr Family tiled_fused_family{
    .name = "tiled",
    .meaning = "forces and update in one kernel",
    .code = {.files = fused_sources, .entry = "fused_step"},
    .uses = tiled_uses,
    .refusals = tiled_refusals,
    .limits = {.gravity_only = "the fused kernel computes gravity only; use update=separate"},
    .batch = batch_of_threads,
    .targets = Targets::before_tracers,
    .updates = true,
};

}  // namespace

constinit const Family tiled_family{
    .name = "tiled",
    .meaning = "sources staged through shared memory, one tile at a time (NVIDIA; the tiled rungs)",
    .usual_rate = 1870,
    .code = {.files = tiled_sources},
    .uses = tiled_uses,
    .refusals = tiled_refusals,
    .constant_ranges = true,
    .half_warps = true,
    .batch = batch_of_threads,
    .targets = Targets::before_tracers,
    .jerks = true,
    .fused = &tiled_fused_family,
};

}  // namespace orrery::sim::cuda
