#pragma once

#include <string_view>
#include <vector>

#include "sim/options/configuration.h"
#include "sim/options/option.h"

// The option of families with one thread per pair of bodies: how their blocks lie in the matrix of pairs.
namespace orrery::sim::cuda {

inline constexpr std::string_view block_rows_option = "block-rows";

/// The description of the option, as Family::options wants it.
std::vector<Option> block_rows_options();

/// Threads of a block along the sources and along the targets, when it has `block` threads in `rows` rows.
struct PairBlock {
  unsigned x, y;
};
PairBlock pair_block(int block, int rows);

}  // namespace orrery::sim::cuda
