#pragma once

#include <fmt/format.h>

#include <string>

#include "sim/cuda/families/family.h"
#include "sim/cuda/options/kernel_configuration.h"
#include "sim/cuda/options/option_helpers.h"
#include "sim/options/physics_options.h"

// What the families that stage sources say about shared memory.
namespace orrery::sim::cuda {

/// Bytes a block may have on every card without opting in.
inline constexpr double shared_memory = 48.0 * 1024.0;

/// Numbers that a force needs of a source: position and mass; of a charge also the velocity.
inline double source_reals(const Configuration& c) {
  return physics_of(c).law->uses_charges ? 1.0 + 2.0 * static_cast<double>(physics_of(c).dimensions) : 4.0;
}

/// Why a tile of that many bodies, with that many numbers each, does not fit; empty if it does.
inline std::string tile_refusal(const Configuration& c, std::int64_t bodies, double reals) {
  const double bytes = static_cast<double>(bodies) * reals * real_bytes(c);
  if (bytes <= shared_memory) return {};
  return fmt::format(
      "a tile of that many bodies needs {:.0f} KiB of shared memory and a block has 48 KiB; use a smaller "
      "tile",
      bytes / 1024.0);
}

/// The option tile of families that stage what a force needs, and no more.
inline std::string plain_tile_refusal(const OptionValue& value, const Configuration& rest,
                                      const OptionContext& /*context*/) {
  return tile_refusal(rest, std::get<std::int64_t>(value), source_reals(rest));
}

/// The option staging of families that stage positions, or nothing.
inline std::string no_whole_bodies(const OptionValue& value, const Configuration& /*rest*/,
                                   const OptionContext& /*context*/) {
  return std::get<std::string>(value) == "bodies" ? "whole bodies are staged by the family tiled" : "";
}

/// The shape of a batched launch with a thread for each target.
inline BatchShape batch_of_threads(const KernelConfiguration& /*kernel*/, int block) {
  return {.targets = static_cast<std::size_t>(block), .block_x = static_cast<unsigned>(block)};
}

}  // namespace orrery::sim::cuda
