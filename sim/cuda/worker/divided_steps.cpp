#include "sim/cuda/worker/divided_steps.h"

#include <bit>

#include "sim/cuda/driver/api.h"
#include "sim/cuda/launch/launch.h"
#include "sim/physics/integrators/block_levels.h"

namespace orrery::sim::cuda {

void PartOfStep::keep(const StateForm& form, std::size_t bodies, const Now& now, CUstream stream) {
  kept_.keep(form, bodies, now.state, now.low, stream);
  accelerations_.resize(now.accelerations.size());
  copy_memory(accelerations_, now.accelerations, stream);
}

void PartOfStep::release() {
  kept_ = {};
  accelerations_.resize(0);
}

void PartOfStep::restore(const Now& now, CUstream stream) const {
  kept_.restore(now.state, now.low, stream);
  copy_memory(now.accelerations, accelerations_, stream);
}

void PartOfStep::measure(const StateKernels& kernels, CUdeviceptr accelerations) {
  if (done_ == nullptr) {
    largest_.resize(sizeof(float));
    on_host_.resize(sizeof(float), true);
    done_ = std::make_unique<Event>(Event::Use::order);
  }
  const auto stream = kernels.stream;
  check(driver()->cuMemsetD8Async(largest_.pointer(), 0, largest_.size(), stream), "clearing a number");
  kernels.largest_acceleration(accelerations, largest_.pointer());
  check(driver()->cuMemcpyDtoHAsync(on_host_.data(), largest_.pointer(), largest_.size(), stream),
        "reading the largest acceleration");
  done_->record(stream);
}

double PartOfStep::largest_acceleration() const {
  return on_host_.data() == nullptr ? 0.0 : double{*static_cast<const float*>(on_host_.data())};
}

static_assert(static_cast<int>(deepest_level) == BlockLevels::deepest);

namespace {

constexpr std::size_t index_bytes = sizeof(index_t);

void run(const StateKernels& kernels, const char* name, unsigned blocks, Arguments& arguments,
         unsigned threads = moving_block) {
  launch(kernels.module.function(name), {.grid_x = blocks, .block_x = threads}, arguments, kernels.stream);
}

void add_state(Arguments& arguments, const StateKernels& kernels, const DeviceState& state) {
  state.add_to(arguments, kernels.module.configuration().passing);
}

}  // namespace

void BlockSteps::allocate(const StateForm& form, std::size_t bodies, std::size_t galaxies, bool targets) {
  bodies_ = bodies;
  galaxies_ = galaxies;
  levels_.resize(bodies);
  deepest_.resize(index_bytes);
  counts_.resize((blocks_for(bodies, moving_block) + 1) * index_bytes);
  list_.resize(bodies * index_bytes);
  notes_.resize((galaxies + 2) * index_bytes);
  on_host_.resize(notes_.size(), true);
  if (done_ == nullptr) done_ = std::make_unique<Event>(Event::Use::order);
  found_.resize(targets ? 3 * static_cast<std::size_t>(form.precision) / 8 * bodies : 0);
  if (targets)
    gathered_.allocate(form, 2 * bodies);
  else
    gathered_ = DeviceState();
}

void BlockSteps::release() {
  for (auto* each : {&levels_, &deepest_, &counts_, &list_, &notes_, &found_}) each->resize(0);
  gathered_ = DeviceState();
}

std::size_t BlockSteps::bytes() const {
  return levels_.size() + deepest_.size() + counts_.size() + list_.size() + notes_.size() +
         gathered_.bytes() + found_.size();
}

void BlockSteps::advance(const StateKernels& kernels, const StepMoment& moment, CUdeviceptr accelerations,
                         CUdeviceptr galaxy_starts) {
  now_ = moment.now;
  check(driver()->cuMemsetD8Async(deepest_.pointer(), 0, deepest_.size(), kernels.stream),
        "clearing a number");
  kernels.kick_active(moment, accelerations, levels_.pointer(), deepest_.pointer());
  if (moment.begins == 0) return;
  kernels.drift_all(moment, levels_.pointer(), deepest_.pointer(), counts_.pointer());
  list_active(kernels, moment.now, galaxy_starts);
  check(driver()->cuMemcpyDtoHAsync(on_host_.data(), notes_.pointer(), notes_.size(), kernels.stream),
        "reading which bodies are active");
  done_->record(kernels.stream);
}

void BlockSteps::list_active(const StateKernels& kernels, index_t now, CUdeviceptr galaxy_starts) {
  const unsigned blocks = blocks_for(bodies_, moving_block);
  Arguments sums;
  sums.add(counts_.pointer()).add(static_cast<index_t>(blocks));
  run(kernels, "sum_before", 1, sums, counting_block);
  Arguments listed;
  listed.add(index_t{0}).add(static_cast<index_t>(bodies_)).add(now).add(levels_.pointer());
  listed.add(deepest_.pointer()).add(counts_.pointer()).add(list_.pointer());
  run(kernels, "list_active", blocks, listed);
  Arguments noted;
  noted.add(deepest_.pointer()).add(list_.pointer()).add(counts_.at(blocks * index_bytes));
  noted.add(galaxy_starts).add(static_cast<index_t>(galaxies_)).add(notes_.pointer());
  run(kernels, "note_active", blocks_for(galaxies_ + 1, moving_block), noted);
}

index_t BlockSteps::next_block_time() {
  now_ += (index_t{1} << deepest_level) >> notes()[0];
  return now_;
}

ActiveBodies BlockSteps::active_bodies() const {
  const auto least = deepest_level - std::countr_zero(now_);
  return {.levels = levels_.pointer(), .least = static_cast<unsigned>(least)};
}

void BlockSteps::gather(const StateKernels& kernels) {
  Arguments arguments;
  add_state(arguments, kernels, kernels.state);
  add_state(arguments, kernels, gathered_);
  arguments.add(static_cast<index_t>(bodies_)).add(list_.pointer()).add(static_cast<index_t>(active()));
  run(kernels, "gather_active", blocks_for(bodies_ + active(), moving_block), arguments);
}

void BlockSteps::scatter(const StateKernels& kernels, CUdeviceptr accelerations) const {
  Arguments arguments;
  arguments.add(found_.pointer()).add(list_.pointer()).add(static_cast<index_t>(active()));
  arguments.add(accelerations);
  run(kernels, "scatter_active", blocks_for(active(), moving_block), arguments);
}

}  // namespace orrery::sim::cuda
