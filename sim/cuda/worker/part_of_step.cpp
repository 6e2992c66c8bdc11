#include "sim/cuda/worker/part_of_step.h"

#include "sim/cuda/driver/api.h"

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

}  // namespace orrery::sim::cuda
