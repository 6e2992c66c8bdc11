#include "sim/cuda/launch/map_kernels.h"

#include <algorithm>
#include <cstdint>

#include "sim/cuda/driver/api.h"
#include "sim/cuda/launch/launch.h"

namespace orrery::sim::cuda {

static_assert(sim::map_header == cuda::map_header);

namespace {

/// Blocks a multiprocessor of kernels whose threads take several bodies or cells: enough to fill it.
constexpr unsigned blocks_each = 8;
unsigned filling_blocks(const Module& module) {
  return blocks_each * static_cast<unsigned>(std::max(module.facts().multiprocessors, 1));
}

}  // namespace

MapCount map_count_named(std::string_view name) {
  if (name == "update") return MapCount::update;
  return name == "shared" ? MapCount::shared : MapCount::kernel;
}

MapCells map_cells(const MapSpec& spec, std::size_t bodies) {
  const MapGrid grid(spec);
  return {.left = grid.box.left,
          .right = grid.box.right,
          .bottom = grid.box.bottom,
          .top = grid.box.top,
          .columns_per_length = grid.columns_per_length,
          .rows_per_length = grid.rows_per_length,
          .factor = map_factor(spec.values, spec.size, bodies),
          .most = map_most(spec.values),
          .size = static_cast<index_t>(spec.size),
          .column_axis = static_cast<index_t>(grid.axes.column),
          .row_axis = static_cast<index_t>(grid.axes.row)};
}

void MapKernels::set_constants() const {
  const auto address = module.map_constants();
  if (address == 0) return;
  check(driver()->cuMemcpyHtoDAsync(address, &cells, sizeof cells, stream), "setting the map's constants");
}

void MapKernels::add_constants(Arguments& arguments) const {
  if (!module.configuration().constant_memory) arguments.add_struct(&cells);
}

void MapKernels::start(const char* kernel, unsigned blocks, std::size_t shared_bytes,
                       Arguments& arguments) const {
  check(driver()->cuLaunchKernel(module.function(kernel), blocks, 1, 1, map_block, 1, 1,
                                 static_cast<unsigned>(shared_bytes), stream, arguments.pointers(), nullptr),
        "launching a kernel of the activity map");
}

unsigned MapKernels::blocks_of_cells() const {
  return std::min(blocks_for(count_of_cells(), map_block), filling_blocks(module));
}

void MapKernels::clear(CUdeviceptr counts) const {
  check(driver()->cuMemsetD8Async(counts, 0, count_of_cells() * sizeof(index_t), stream),
        "clearing the activity map");
}

void MapKernels::count(const DeviceState& state, BodyRange bodies, MapCount how, CUdeviceptr counts) const {
  if (bodies.empty()) return;
  Arguments arguments;
  state.add_to(arguments, module.configuration().passing);
  const CountRange range{.begin = static_cast<index_t>(bodies.first),
                         .end = static_cast<index_t>(bodies.last)};
  if (module.configuration().constant_ranges)
    module.set_constant("count_range", &range, sizeof range, stream);
  else
    arguments.add(range.begin).add(range.end);
  add_constants(arguments);
  arguments.add(counts);
  const auto a_thread_each = blocks_for(bodies.size(), map_block);
  if (how != MapCount::shared) return start("count_map", a_thread_each, 0, arguments);
  start("count_map_shared", std::min(a_thread_each, filling_blocks(module)),
        count_of_cells() * sizeof(index_t), arguments);
}

void MapKernels::add(CUdeviceptr from, CUdeviceptr counts) const {
  Arguments arguments;
  add_constants(arguments);
  arguments.add(from).add(counts);
  start("add_map", blocks_of_cells(), 0, arguments);
}

void MapKernels::normalise(CUdeviceptr counts, CUdeviceptr target) const {
  check(driver()->cuMemsetD8Async(target, 0, map_header * sizeof(float), stream),
        "clearing the activity map");
  Arguments arguments;
  add_constants(arguments);
  arguments.add(counts).add(target);
  start("normalise_map", blocks_of_cells(), 0, arguments);
}

}  // namespace orrery::sim::cuda
