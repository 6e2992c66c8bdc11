#include "sim/cuda/launch/launch.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "sim/cuda/device/shared.h"
#include "sim/cuda/driver/api.h"

namespace orrery::sim::cuda {

namespace {

thread_local std::uint64_t launches = 0;

/// The law's constants as the device code's structure Constants: that many of these bytes.
struct PackedConstants {
  std::array<unsigned char, 32> bytes{};
  std::size_t size = 0;
};

PackedConstants packed_constants(const KernelConfiguration& c, const ForceConstants& constants) {
  const auto values = c.law->device_constants(constants);
  PackedConstants packed{.size = values.count * c.real_bytes()};
  for (std::size_t k = 0; k < values.count; ++k) {
    const double wide = values.value.at(k);
    const auto narrow = static_cast<float>(wide);
    const void* from = c.precision == 64 ? static_cast<const void*>(&wide) : &narrow;
    __builtin_memcpy(packed.bytes.data() + k * c.real_bytes(), from, c.real_bytes());
  }
  return packed;
}

void launch_early(CUfunction function, const LaunchShape& shape, Arguments& arguments, CUstream stream) {
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  attribute.value.programmaticStreamSerializationAllowed = 1;
  CUlaunchConfig config{};
  config.gridDimX = shape.grid_x;
  config.gridDimY = shape.grid_y;
  config.gridDimZ = 1;
  config.blockDimX = shape.block_x;
  config.blockDimY = shape.block_y;
  config.blockDimZ = 1;
  config.hStream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  check(driver()->cuLaunchKernelEx(&config, function, arguments.pointers(), nullptr), "launching a kernel");
}

}  // namespace

std::size_t scratch_bytes(const KernelConfiguration& c, std::span<const ForceSlice> slices) {
  std::size_t most = 0;
  if (c.family->scratch.bytes == nullptr) return most;
  for (const auto& slice : slices)
    most = std::max(most, c.family->scratch.bytes(c, slice.galaxy.size(), slice.targets()));
  return most;
}

std::uint64_t launches_of_this_thread() { return launches; }

void count_launch() { ++launches; }

void launch(CUfunction function, const LaunchShape& shape, Arguments& arguments, CUstream stream) {
  count_launch();
  if (shape.early) return launch_early(function, shape, arguments, stream);
  check(driver()->cuLaunchKernel(function, shape.grid_x, shape.grid_y, 1, shape.block_x, shape.block_y, 1, 0,
                                 stream, arguments.pointers(), nullptr),
        "launching a kernel");
}

void add_real(Arguments& arguments, int precision, double value) {
  if (precision == 64) {
    arguments.add(value);
  } else {
    arguments.add(static_cast<float>(value));
  }
}

std::size_t ForceLauncher::multiprocessors() const {
  return static_cast<std::size_t>(buffers_.module.facts().multiprocessors);
}

void ForceLauncher::set_constants() const {
  const auto address = buffers_.module.constants();
  if (address == 0) return;
  const auto packed = packed_constants(kernel(), buffers_.constants);
  check(driver()->cuMemcpyHtoDAsync(address, packed.bytes.data(), packed.size, stream_),
        "setting the kernel's constants");
}

void ForceLauncher::add_constants(Arguments& arguments) const {
  if (!kernel().constant_memory) arguments.add(packed_constants(kernel(), buffers_.constants).bytes);
}

void ForceLauncher::add_bodies(Arguments& arguments) const {
  buffers_.state.add_to(arguments, kernel().passing);
}

void ForceLauncher::set_range(const ForceSlice& slice) {
  const ForceRange range{
      .first = static_cast<index_t>(slice.galaxy.first),
      .last = static_cast<index_t>(slice.galaxy.last),
      .begin = static_cast<index_t>(slice.begin),
      .end = static_cast<index_t>(slice.end),
  };
  buffers_.module.set_constant("force_range", &range, sizeof range, stream_);
}

void ForceLauncher::add_next(Arguments& arguments) const {
  if (family().updates) buffers_.update.next->add_to(arguments, kernel().passing);
}

void ForceLauncher::add_update(Arguments& arguments) const {
  if (!family().updates) return;
  const auto& update = buffers_.update;
  for (const double part : {update.finish, update.kick, update.drift})
    add_real(arguments, kernel().precision, part);
  arguments.add(update.old_velocity ? 1 : 0).add(update.vertex_position).add(update.vertex_velocity);
}

template <typename Call>
void ForceLauncher::watched(bool sums, const Call& call) {
  if (buffers_.watch != nullptr) buffers_.watch->before(sums, stream_);
  call();
  if (buffers_.watch != nullptr) buffers_.watch->after(stream_);
}

void ForceLauncher::launch(const char* kernel, const LaunchShape& shape, Arguments& arguments) {
  const bool is_entry = std::string_view(kernel) == family().code.entry;
  watched(launched_forces_ && !is_entry,
          [&] { cuda::launch(buffers_.module.function(kernel), shape, arguments, stream_); });
  launched_forces_ = launched_forces_ || is_entry;
}

void ForceLauncher::clear(DeviceAddress begin, std::size_t bytes) {
  check(driver()->cuMemsetD8Async(begin, 0, bytes, stream_), "clearing the accelerations");
}

void ForceLauncher::sum_rows(std::size_t rows, std::size_t columns, DeviceAddress sums) {
  watched(true, [&] {
    buffers_.module.row_sum()->add(buffers_.scratch, rows, columns,
                                   kernel().law->shared_factor(buffers_.constants), sums, kernel().precision,
                                   stream_);
  });
}

void ForceLauncher::forces(const ForceSlice& slice) {
  family().forces(*this, slice);
  if (buffers_.jerks != 0) queue_jerks(*this, slice);
}

void ForceLauncher::batched(CUdeviceptr items, std::size_t blocks) {
  const auto shape = family().batch(kernel(), block());
  const LaunchShape grid{
      .grid_x = static_cast<unsigned>(blocks), .block_x = shape.block_x, .block_y = shape.block_y};
  auto arguments = constants_and_bodies(*this);
  add_next(arguments);
  arguments.add(shape.partial_rows != nullptr ? scratch() : accelerations()).add(items);
  add_update(arguments);
  launch(family().code.entry, grid, arguments);
  if (buffers_.jerks == 0) return;
  auto of_jerks = constants_and_bodies(*this);
  of_jerks.add(jerks()).add(items);
  launch("jerks", grid, of_jerks);
}

void ForceLauncher::batched_sums(CUdeviceptr items, std::size_t blocks) {
  Arguments sums;
  add_constants(sums);
  sums.add(scratch()).add(accelerations()).add(items);
  launch("add_partials", {.grid_x = static_cast<unsigned>(blocks), .block_x = adding_block}, sums);
}

}  // namespace orrery::sim::cuda
