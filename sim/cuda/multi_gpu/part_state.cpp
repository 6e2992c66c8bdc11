#include "sim/core/error.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/multi_gpu/gpu_worker.h"

// A GPU's bodies on their way into a checkpoint and back: copies of its memory, so that no bit is lost in any
// layout or precision.
namespace orrery::sim::cuda {

namespace {

void copy_out(EngineState& state, const std::string& name, const DeviceMemory& memory, CUstream stream) {
  if (memory.size() == 0) return;
  std::vector<std::byte> bytes(memory.size());
  check(driver()->cuMemcpyDtoHAsync(bytes.data(), memory.pointer(), bytes.size(), stream),
        "copying the state from the GPU");
  check(driver()->cuStreamSynchronize(stream), "copying the state from the GPU");
  state.arrays.push_back({name, std::move(bytes)});
}

bool copy_in(const EngineState& state, const std::string& name, const DeviceMemory& memory, CUstream stream) {
  const auto* array = state.find(name);
  if (array == nullptr || array->bytes.size() != memory.size()) return false;
  check(driver()->cuMemcpyHtoDAsync(memory.pointer(), array->bytes.data(), array->bytes.size(), stream),
        "copying the state to the GPU");
  check(driver()->cuStreamSynchronize(stream), "copying the state to the GPU");
  return true;
}

/// Name of the forces. Fused kernels write ahead, which depends on the forces and the time step.
std::string name_of_forces(const std::string& number) { return std::string(forces_array) + "-" + number; }
std::string name_of_jerks(const std::string& number) {
  return std::string(forces_array) + "-jerks-" + number;
}
std::string name_of_ahead(const std::string& number) {
  return std::string(forces_array) + "-ahead-" + number;
}

}  // namespace

void GpuWorker::save(EngineState& state, const std::string& number, bool from_backup) {
  make_current();
  const auto stream = streams_.main();
  copy_out(state, "bodies-" + number, (from_backup ? backup_.state() : state_).memory(), stream);
  copy_out(state, "low-" + number, from_backup ? backup_.low() : low_, stream);
  if (from_backup) return;
  copy_out(state, name_of_forces(number), accelerations_, stream);
  copy_out(state, name_of_jerks(number), jerks_, stream);
  if (settings_->kernel.updates() && fused_.is_filled())
    copy_out(state, name_of_ahead(number), fused_.next().memory(), stream);
}

bool GpuWorker::restore(const EngineState& state, const std::string& number) {
  make_current();
  scratch_.forget_cells(galaxies());
  compensate();
  const auto stream = streams_.main();
  if (!copy_in(state, "bodies-" + number, state_.memory(), stream)) return false;
  if (low_.size() > 0 && !copy_in(state, "low-" + number, low_, stream)) return false;
  copy_in(state, name_of_forces(number), accelerations_, stream);
  keep_begin();
  copy_in(state, name_of_jerks(number), jerks_, stream);
  if (!settings_->kernel.updates()) return true;
  fused_.allocate(StateForm(settings_->kernel), bodies());
  fused_.set_filled(copy_in(state, name_of_ahead(number), fused_.next().memory(), stream));
  return true;
}

}  // namespace orrery::sim::cuda
