#include "sim/cuda/families/block_rows.h"

#include <algorithm>
#include <string>

#include "sim/cuda/options/option_helpers.h"

namespace orrery::sim::cuda {

namespace {

std::string no_rectangle(const OptionValue& value, const Configuration&, const OptionContext&) {
  const auto rows = std::get<std::int64_t>(value);
  return (rows & (rows - 1)) == 0 ? "" : "a block has 1, 2, 4, 8, 16 or 32 rows";
}

}  // namespace

std::vector<Option> block_rows_options() {
  return {integer(std::string(block_rows_option),
                  "Rows of a block of threads, one thread per pair. 256 threads in 8 rows are 32 x 8 "
                  "(COM4521): 32 sources by 8 targets.",
                  1, 1, 32)
              .labelled("Rows of a block")
              .refused(on_cuda(no_rectangle))
              .tried({std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}, std::int64_t{16}})};
}

PairBlock pair_block(int block, int rows) {
  // Blocks are multiples of 32 threads, and rows powers of two up to 32.
  return {static_cast<unsigned>(std::max(block / rows, 1)), static_cast<unsigned>(rows)};
}

}  // namespace orrery::sim::cuda
