#include "sim/cuda/device_state.h"

#include <utility>
#include <vector>

#include "sim/cuda/api.h"

namespace orrery::sim::cuda {

namespace {

/// Reals a body in each array of a layout, in the order of struct Bodies.
std::vector<std::size_t> arrays_of(const std::string& layout) {
  if (layout == "aos") return {6, 1};
  if (layout == "split") return {3, 3, 1};
  if (layout == "float4") return {4, 4};
  return {1, 1, 1, 1, 1, 1, 1};
}

/// Every array begins on its own cache line, as separate allocations would.
std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

}  // namespace

void DeviceState::allocate(const std::string& layout, int precision, std::size_t bodies) {
  if (is(layout, precision, bodies)) return;
  const auto arrays = arrays_of(layout);
  const std::size_t real = static_cast<std::size_t>(precision) / 8;
  std::size_t total = 0;
  for (const auto reals : arrays) total += aligned(reals * real * bodies);
  memory_.resize(total);
  std::size_t at = 0;
  member_count_ = arrays.size();
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    members_.at(k) = memory_.at(at);
    at += aligned(arrays[k] * real * bodies);
  }
  on_device_.resize(sizeof members_);
  check(driver()->cuMemcpyHtoDAsync(on_device_.pointer(), members_.data(), sizeof members_, nullptr),
        "copying the state's addresses");
  check(driver()->cuStreamSynchronize(nullptr), "copying the state's addresses");
  layout_ = layout;
  precision_ = precision;
  bodies_ = bodies;
}

void DeviceState::add_to(Arguments& arguments, const std::string& passing) const {
  if (passing == "value") {
    arguments.add_struct(members_.data());
  } else if (passing == "pointer") {
    arguments.add(on_device_.pointer());
  } else {
    for (std::size_t k = 0; k < member_count_; ++k) arguments.add(members_.at(k));
  }
}

void DeviceState::copy_from(const DeviceState& other, CUstream stream) {
  check(driver()->cuMemcpyDtoDAsync(memory_.pointer(), other.memory_.pointer(), memory_.size(), stream),
        "copying the state");
}

void DeviceState::swap(DeviceState& other) noexcept {
  std::swap(layout_, other.layout_);
  std::swap(precision_, other.precision_);
  std::swap(bodies_, other.bodies_);
  std::swap(memory_, other.memory_);
  std::swap(on_device_, other.on_device_);
  std::swap(members_, other.members_);
  std::swap(member_count_, other.member_count_);
}

}  // namespace orrery::sim::cuda
