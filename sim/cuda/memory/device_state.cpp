#include "sim/cuda/memory/device_state.h"

#include <vector>

#include "sim/cuda/driver/api.h"

namespace orrery::sim::cuda {

namespace {

/// Reals a body in each array of a layout, in the order of struct Bodies.
std::vector<std::size_t> arrays_of(const StateForm& form) {
  const auto axes = static_cast<std::size_t>(form.dimensions);
  std::vector<std::size_t> arrays(2 * axes + 1, 1);
  if (form.layout == "aos") arrays = {2 * axes, 1};
  if (form.layout == "aos-mass") arrays = {2 * axes + 1};
  if (form.layout == "split") arrays = {axes, axes, 1};
  if (form.layout == "float4") arrays = {4, 4};
  if (form.charges) arrays.push_back(1);
  return arrays;
}

}  // namespace

void DeviceState::allocate(const StateForm& form, std::size_t bodies) {
  if (form == form_ && bodies == bodies_) return;
  const auto arrays = arrays_of(form);
  const std::size_t real = static_cast<std::size_t>(form.precision) / 8;
  // Every array begins on its own cache line, as separate allocations would.
  ScratchArena arena(0);
  for (const auto reals : arrays) arena.take(reals * real * bodies);
  // Should there be no memory, this holds nothing.
  bodies_ = 0;
  memory_.resize(arena.used());
  arena = ScratchArena(memory_.pointer());
  member_count_ = arrays.size();
  for (std::size_t k = 0; k < arrays.size(); ++k) members_.at(k) = arena.take(arrays[k] * real * bodies);
  on_device_.resize(sizeof members_);
  check(driver()->cuMemcpyHtoDAsync(on_device_.pointer(), members_.data(), sizeof members_, nullptr),
        "copying the state's addresses");
  check(driver()->cuStreamSynchronize(nullptr), "copying the state's addresses");
  form_ = form;
  bodies_ = bodies;
}

std::vector<DeviceState::Array> DeviceState::moving_arrays(bool velocities) const {
  const std::size_t real = static_cast<std::size_t>(form_.precision) / 8;
  const auto reals = arrays_of(form_);
  const std::size_t axes = form_.layout == "soa" ? static_cast<std::size_t>(form_.dimensions) : 1;
  const std::size_t count = form_.layout.starts_with("aos") ? 1 : (velocities ? 2 : 1) * axes;
  std::vector<Array> arrays;
  for (std::size_t k = 0; k < count; ++k) arrays.push_back({members_.at(k), reals[k] * real});
  return arrays;
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

}  // namespace orrery::sim::cuda
