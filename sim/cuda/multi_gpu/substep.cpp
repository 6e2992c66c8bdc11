#include "sim/cuda/multi_gpu/substep.h"

#include "sim/cuda/driver/api.h"

namespace orrery::sim::cuda {

namespace {

void copy_array(const DeviceMemory& to, const DeviceMemory& from, CUstream stream) {
  if (from.size() == 0 || to.size() != from.size()) return;
  check(driver()->cuMemcpyDtoDAsync(to.pointer(), from.pointer(), from.size(), stream), "copying the state");
}

}  // namespace

void PartOfStep::keep(const StateForm& form, std::size_t bodies, const Now& now, CUstream stream) {
  state_.allocate(form, bodies);
  low_.resize(now.low.size());
  accelerations_.resize(now.accelerations.size());
  state_.copy_from(now.state, stream);
  copy_array(low_, now.low, stream);
  copy_array(accelerations_, now.accelerations, stream);
}

void PartOfStep::release() {
  state_ = DeviceState();
  low_.resize(0);
  accelerations_.resize(0);
}

void PartOfStep::restore(const Now& now, CUstream stream) const {
  now.state.copy_from(state_, stream);
  copy_array(now.low, low_, stream);
  copy_array(now.accelerations, accelerations_, stream);
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
