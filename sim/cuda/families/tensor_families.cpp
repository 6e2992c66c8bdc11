#include "sim/cuda/families/tensor_families.h"

#include "sim/cuda/families/tensor_shapes.h"
#include "sim/cuda/options/kernel_configuration.h"
#include "sim/cuda/options/option_helpers.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t word_sources = 32 * std::size_t{tensor::group_sources};  ///< sources per word of marks

std::size_t parts(std::size_t all, std::size_t part) { return (all + part - 1) / part; }
std::size_t padded(std::size_t bytes, std::size_t to = alignment) { return parts(bytes, to) * to; }

}  // namespace

Option weights_option() {
  auto weights =
      choice("weights", "tensor, tensor-pairs: how weights enter the sums.", "half", {"half", "split"},
             {"rounded to half precision: random errors of 2^-12 per pair",
              "as a high and a low part, two products: about the accuracy of FP32"})
          .with_macro("SPLIT_WEIGHTS")
          .tuned(13);
  weights.accurate = std::string("split");
  return weights;
}

std::size_t padded_bodies(std::size_t bodies) { return padded(bodies, tensor::staged_sources); }

TensorScratch tensor_scratch(std::size_t sources, std::size_t targets, std::size_t covered) {
  TensorScratch result;
  // The last block's warps may mark rows past the end. A block that is refused for its size still gets here.
  const std::size_t rows = padded(targets, covered) / tensor::row_targets;
  result.mark_words = rows * parts(sources, word_sources);
  result.marks = padded(tensor::head_bytes + tensor::packed_bytes * padded_bodies(sources));
  result.partials = padded(result.marks + 4 * result.mark_words);
  return result;
}

bool rounds_tensor_weights(const KernelConfiguration& c) { return c.chose("weights", "half"); }

std::vector<const char*> tensor_kernels(const KernelConfiguration&) {
  return {"measure", "prepare", "finish"};
}

void queue_packing(ForceQueue& queue, const GalaxyRange& galaxy, const TensorScratch& layout,
                   DeviceAddress totals) {
  Arguments measure;
  queue.add_bodies(measure);
  measure.add(queue.scratch());
  for (const auto index : {galaxy.first, galaxy.last}) add_index(measure, index);
  queue.launch(
      "measure",
      {.grid_x = tensor::extent_blocks, .block_x = tensor::measuring_threads, .early = queue.early()},
      measure);

  auto prepare = constants_and_bodies(queue);
  prepare.add(queue.scratch()).add(queue.scratch() + layout.marks);
  prepare.add(static_cast<std::uint64_t>(layout.mark_words));
  if (totals != 0) prepare.add(totals);
  for (const auto index : {galaxy.first, galaxy.last}) add_index(prepare, index);
  queue.launch("prepare",
               {.grid_x = blocks_for(padded_bodies(galaxy.size()), tensor::preparing_threads),
                .block_x = tensor::preparing_threads,
                .early = queue.early()},
               prepare);
}

void queue_finish(ForceQueue& queue, Arguments& arguments, std::size_t targets) {
  constexpr std::size_t covered = tensor::finishing_threads / 32 * std::size_t{tensor::row_targets};
  queue.launch(
      "finish",
      {.grid_x = blocks_for(targets, covered), .block_x = tensor::finishing_threads, .early = queue.early()},
      arguments);
}

}  // namespace orrery::sim::cuda
