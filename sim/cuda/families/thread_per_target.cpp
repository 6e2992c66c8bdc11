// The launch that most families share: a thread for each target.
#include "sim/cuda/families/force_queue.h"

#include "sim/cuda/families/family.h"
#include "sim/cuda/options/kernel_configuration.h"

namespace orrery::sim::cuda {

std::size_t ForceQueue::real_bytes() const { return kernel().real_bytes(); }

Arguments constants_and_bodies(const ForceQueue& queue) {
  Arguments arguments;
  queue.add_constants(arguments);
  queue.add_bodies(arguments);
  return arguments;
}

void add_index(Arguments& arguments, std::size_t index) { arguments.add(static_cast<std::uint32_t>(index)); }

void add_slice(Arguments& arguments, const ForceSlice& slice) {
  for (const auto index : {slice.galaxy.first, slice.galaxy.last, slice.begin, slice.end})
    add_index(arguments, index);
}

void add_range(ForceQueue& queue, Arguments& arguments, const ForceSlice& slice) {
  if (queue.kernel().constant_ranges)
    queue.set_range(slice);
  else
    add_slice(arguments, slice);
}

unsigned blocks_for(std::size_t items, std::size_t block) {
  return static_cast<unsigned>((items + block - 1) / block);
}

void queue_thread_per_target(ForceQueue& queue, const ForceSlice& slice) {
  auto arguments = constants_and_bodies(queue);
  queue.add_next(arguments);
  arguments.add(queue.accelerations());
  add_range(queue, arguments, slice);
  queue.add_update(arguments);
  const auto block = static_cast<unsigned>(queue.block());
  queue.launch(queue.kernel().family->code.entry,
               {.grid_x = blocks_for(slice.targets(), block), .block_x = block}, arguments);
}

void queue_jerks(ForceQueue& queue, const ForceSlice& slice) {
  auto arguments = constants_and_bodies(queue);
  arguments.add(queue.jerks());
  add_range(queue, arguments, slice);
  const auto block = static_cast<unsigned>(queue.block());
  queue.launch("jerks", {.grid_x = blocks_for(slice.targets(), block), .block_x = block}, arguments);
}

}  // namespace orrery::sim::cuda
