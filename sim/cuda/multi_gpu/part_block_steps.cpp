#include "sim/cuda/multi_gpu/gpu_worker.h"

// A GPU's bodies in steps of their own: what moves them, and which of them a force evaluation is about.
namespace orrery::sim::cuda {

void GpuWorker::allocate_block_steps() {
  make_current();
  block_steps_.allocate(StateForm(settings_->kernel), bodies(), galaxies(),
                        !settings_->kernel.family->active_only);
}

void GpuWorker::advance_block_steps(const StepMoment& moment) {
  make_current();
  const auto stream = streams_.main();
  const auto mark = timeline_.begin(TimelineKind::update, 0, -1, step_, stream);
  block_steps_.advance(kernels(stream, targets()), moment, accelerations_.pointer(),
                       galaxy_starts_.pointer());
  timeline_.end(mark, stream);
}

index_t GpuWorker::take_block_time() {
  make_current();
  const auto now = block_steps_.next_block_time();
  share_.no_limit();
  if (block_steps_.active() == bodies()) return now;
  const bool copies = !settings_->kernel.family->active_only;
  const auto starts = block_steps_.starts();
  auto some = share_.all();
  for (std::size_t k = 0; k < some.size(); ++k) {
    if (copies)
      some[k].begin = bodies() + starts[k], some[k].end = bodies() + starts[k + 1];
    else if (starts[k] == starts[k + 1])
      some[k].end = some[k].begin;
  }
  share_.limit_to(std::move(some));
  if (copies) block_steps_.gather(kernels(streams_.main(), targets()));
  return now;
}

void GpuWorker::end_block_time() {
  make_current();
  const bool copies = share_.is_limited() && !settings_->kernel.family->active_only;
  share_.no_limit();
  if (copies) block_steps_.scatter(kernels(streams_.main(), targets()), accelerations_.pointer());
}

/// Galaxies may differ in size: their active bodies count with the bodies that pull them.
double GpuWorker::queued_share() const {
  if (!share_.is_limited()) return 1.0;
  const auto starts = block_steps_.starts();
  double some = 0.0, all = 0.0;
  const auto& summed = share_.all();
  for (std::size_t k = 0; k < summed.size(); ++k) {
    const auto sources = static_cast<double>(summed[k].galaxy.size());
    some += sources * static_cast<double>(starts[k + 1] - starts[k]);
    all += summed[k].interactions();
  }
  return all > 0.0 ? some / all : 1.0;
}

}  // namespace orrery::sim::cuda
