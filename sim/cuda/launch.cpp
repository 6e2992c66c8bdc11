#include "sim/cuda/launch.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/cuda/api.h"
#include "sim/cuda/source_split.h"

namespace orrery::sim::cuda {

namespace {

constexpr int matrix_tile = 16;  ///< force-matrix: 16 x 16 threads
constexpr int row_block = sum_block;
constexpr unsigned most_rows = 65535;  ///< of a grid in y

/// struct Constants of the device code: two values for gravity, three for charges.
std::size_t constant_count(const KernelConfiguration& c) {
  return c.force_law == gravity_law.device_code ? 2 : 3;
}

template <typename Real>
std::array<Real, 3> constants_of(const KernelConfiguration& c, const ForceConstants& all) {
  const bool gravity = c.force_law == gravity_law.device_code;
  return {static_cast<Real>(gravity ? all.gravitational_constant : all.coulomb),
          static_cast<Real>(all.softening_squared), static_cast<Real>(gravity ? 0.0 : all.magnetic)};
}

/// What all sums of a force law share, as the device code's `strength`.
double shared_factor(const KernelConfiguration& c, const ForceConstants& all) {
  return c.force_law == gravity_law.device_code ? all.gravitational_constant : 1.0;
}

/// From CUDA 11.8 on; nullptr before.
auto launch_with_attributes() {
  using Function = decltype(&::cuLaunchKernelEx);
  static const auto function = reinterpret_cast<Function>(driver()->symbol("cuLaunchKernelEx"));
  return function;
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
  check(launch_with_attributes()(&config, function, arguments.pointers(), nullptr), "launching a kernel");
}

bool writes_matrix(const KernelConfiguration& c) {
  return c.family == "pairs-matrix" || c.family == "force-matrix";
}

}  // namespace

std::size_t scratch_bytes(const KernelConfiguration& c, std::span<const ForceSlice> slices) {
  if (c.fused) return 0;
  const std::size_t real = static_cast<std::size_t>(c.precision) / 8;
  std::size_t most = 0;
  for (const auto& slice : slices) {
    const std::size_t sources = slice.galaxy.size();
    const std::size_t targets = slice.end - slice.begin;
    if (c.family == "tiled-2d") most = std::max(most, 3 * real * partial_rows(c, sources) * targets);
    most = std::max(most, split_scratch_bytes(c, sources, targets));
    if (writes_matrix(c)) most = std::max(most, 4 * real * sources * targets);
  }
  return most;
}

unsigned blocks_for(std::size_t items, int block) {
  const auto size = static_cast<std::size_t>(block);
  return static_cast<unsigned>((items + size - 1) / size);
}

bool can_launch_early(const DeviceInfo& device) {
  return device.capability_major >= 9 && launch_with_attributes() != nullptr;
}

void launch(CUfunction function, const LaunchShape& shape, Arguments& arguments, CUstream stream) {
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

void ForceLauncher::set_constants() const {
  if (module.constants() == 0) return;
  const auto copy = [&](const auto& values, std::size_t count) {
    check(driver()->cuMemcpyHtoDAsync(module.constants(), values.data(), count * sizeof values[0], stream),
          "setting the kernel's constants");
  };
  const auto& c = module.configuration();
  if (c.precision == 64) return copy(constants_of<double>(c, constants), constant_count(c));
  copy(constants_of<float>(c, constants), constant_count(c));
}

void ForceLauncher::add_constants(Arguments& arguments) const {
  if (module.configuration().constant_memory) return;
  const auto& c = module.configuration();
  if (c.precision == 64) {
    arguments.add(constants_of<double>(c, constants));
  } else {
    arguments.add(constants_of<float>(c, constants));
  }
}

void ForceLauncher::add_slice(Arguments& arguments, const ForceSlice& slice) const {
  for (const auto index : {slice.galaxy.first, slice.galaxy.last, slice.begin, slice.end}) {
    arguments.add(static_cast<std::uint32_t>(index));
  }
}

void ForceLauncher::forces(const ForceSlice& slice) const {
  const auto& c = module.configuration();
  if (c.family == "tiled-2d") return tiled_2d(slice);
  if (c.family == "pairs-atomic") return pairs_atomic(slice);
  if (c.family == "register-split") return register_split(slice);
  if (sums_pairs(c)) return tensor_pairs(slice);
  if (uses_tensor_cores(c)) return tensor(slice);
  if (writes_matrix(c)) return matrix(slice);
  Arguments arguments;
  add_constants(arguments);
  state.add_to(arguments, c.passing);
  arguments.add(accelerations);
  add_slice(arguments, slice);
  const int block = module.facts().block;
  launch(module.forces(),
         {.grid_x = blocks_for(slice.end - slice.begin, block), .block_x = static_cast<unsigned>(block)},
         arguments, stream);
}

void ForceLauncher::batched(CUdeviceptr items, std::size_t blocks) const {
  const auto& c = module.configuration();
  const bool two_dimensional = c.family == "tiled-2d";
  Arguments arguments;
  add_constants(arguments);
  state.add_to(arguments, c.passing);
  arguments.add(two_dimensional ? scratch : accelerations).add(items);
  LaunchShape shape{.grid_x = static_cast<unsigned>(blocks),
                    .block_x = static_cast<unsigned>(module.facts().block)};
  if (two_dimensional) {
    shape.block_x = static_cast<unsigned>(c.width);
    shape.block_y = static_cast<unsigned>(c.length);
  }
  launch(module.forces(), shape, arguments, stream);
}

void ForceLauncher::batched_sums(CUdeviceptr items, std::size_t blocks) const {
  Arguments sums;
  add_constants(sums);
  sums.add(scratch).add(accelerations).add(items);
  launch(module.function("add_partials"),
         {.grid_x = static_cast<unsigned>(blocks), .block_x = static_cast<unsigned>(sum_block)}, sums,
         stream);
}

void ForceLauncher::whole_galaxies(std::size_t first, std::size_t last) const {
  Arguments arguments;
  add_constants(arguments);
  state.add_to(arguments, module.configuration().passing);
  arguments.add(accelerations).add(galaxy_starts + first * sizeof(std::uint32_t));
  launch(
      module.forces(),
      {.grid_x = static_cast<unsigned>(last - first), .block_x = static_cast<unsigned>(module.facts().block)},
      arguments, stream);
}

void ForceLauncher::tiled_2d(const ForceSlice& slice) const {
  const auto& c = module.configuration();
  const auto rows = partial_rows(c, slice.galaxy.size());
  Arguments arguments;
  add_constants(arguments);
  state.add_to(arguments, c.passing);
  arguments.add(scratch);
  add_slice(arguments, slice);
  // Long galaxies have more rows of blocks than a grid may have: bodies go to x in the report, here sources
  // do.
  const LaunchShape shape{.grid_x = static_cast<unsigned>(rows) / static_cast<unsigned>(c.width),
                          .grid_y = blocks_for(slice.end - slice.begin, c.length),
                          .block_x = static_cast<unsigned>(c.width),
                          .block_y = static_cast<unsigned>(c.length)};
  launch(module.forces(), shape, arguments, stream);
  add_partials(slice, rows);
}

void ForceLauncher::add_partials(const ForceSlice& slice, std::size_t rows) const {
  const std::size_t count = slice.end - slice.begin;
  const auto& c = module.configuration();
  if (auto* sum = module.row_sum()) {
    const int precision = c.precision;
    const std::size_t real = static_cast<std::size_t>(precision) / 8;
    sum->add(scratch, rows, 3 * count, shared_factor(c, constants), accelerations + 3 * real * slice.begin,
             precision, stream);
    return;
  }
  Arguments sums;
  add_constants(sums);
  sums.add(scratch).add(accelerations);
  add_slice(sums, slice);
  launch(module.function("add_partials"), {.grid_x = blocks_for(count, row_block), .block_x = row_block},
         sums, stream);
}

void ForceLauncher::pairs_atomic(const ForceSlice& slice) const {
  const auto& c = module.configuration();
  const std::size_t real = static_cast<std::size_t>(c.precision) / 8;
  check(driver()->cuMemsetD8Async(accelerations + 3 * real * slice.begin, 0,
                                  3 * real * (slice.end - slice.begin), stream),
        "clearing the accelerations");
  const int block = module.facts().block;
  for (auto part = slice; part.begin < slice.end; part.begin = part.end) {
    part.end = std::min<std::size_t>(slice.end, part.begin + most_rows);
    Arguments arguments;
    add_constants(arguments);
    state.add_to(arguments, c.passing);
    arguments.add(accelerations);
    add_slice(arguments, part);
    launch(module.forces(),
           {.grid_x = blocks_for(slice.galaxy.size(), block),
            .grid_y = static_cast<unsigned>(part.end - part.begin),
            .block_x = static_cast<unsigned>(block)},
           arguments, stream);
  }
}

void ForceLauncher::matrix(const ForceSlice& slice) const {
  const auto& c = module.configuration();
  const bool blocks_of_rows = c.family == "force-matrix";
  const unsigned block_x = blocks_of_rows ? matrix_tile : static_cast<unsigned>(module.facts().block);
  const unsigned block_y = blocks_of_rows ? matrix_tile : 1;
  Arguments arguments;
  add_constants(arguments);
  state.add_to(arguments, c.passing);
  arguments.add(scratch);
  add_slice(arguments, slice);
  const std::size_t rows = slice.end - slice.begin;
  launch(module.forces(),
         {.grid_x = blocks_for(slice.galaxy.size(), static_cast<int>(block_x)),
          .grid_y = blocks_for(rows, static_cast<int>(block_y)),
          .block_x = block_x,
          .block_y = block_y},
         arguments, stream);
  Arguments sums;
  add_constants(sums);
  sums.add(scratch).add(accelerations).add(static_cast<std::uint32_t>(slice.galaxy.size()));
  sums.add(static_cast<std::uint32_t>(slice.begin)).add(static_cast<std::uint32_t>(slice.end));
  const unsigned grid = blocks_of_rows ? static_cast<unsigned>(rows) : blocks_for(rows, row_block);
  launch(module.function("add_rows"), {.grid_x = grid, .block_x = row_block}, sums, stream);
}

void ForceLauncher::add_update(Arguments& arguments, double dt, bool old_velocity) const {
  add_real(arguments, module.configuration().precision, dt);
  arguments.add(old_velocity ? 1 : 0);
}

void ForceLauncher::fused(const ForceSlice& slice, const DeviceState& next, double dt,
                          bool old_velocity) const {
  const auto& c = module.configuration();
  Arguments arguments;
  add_constants(arguments);
  state.add_to(arguments, c.passing);
  next.add_to(arguments, c.passing);
  arguments.add(accelerations);
  add_slice(arguments, slice);
  add_update(arguments, dt, old_velocity);
  const int block = module.facts().block;
  launch(module.forces(),
         {.grid_x = blocks_for(slice.end - slice.begin, block), .block_x = static_cast<unsigned>(block)},
         arguments, stream);
}

void ForceLauncher::batched_fused(CUdeviceptr items, std::size_t blocks, const DeviceState& next, double dt,
                                  bool old_velocity) const {
  const auto& c = module.configuration();
  Arguments arguments;
  add_constants(arguments);
  state.add_to(arguments, c.passing);
  next.add_to(arguments, c.passing);
  arguments.add(accelerations).add(items);
  add_update(arguments, dt, old_velocity);
  launch(module.forces(),
         {.grid_x = static_cast<unsigned>(blocks), .block_x = static_cast<unsigned>(module.facts().block)},
         arguments, stream);
}

}  // namespace orrery::sim::cuda
