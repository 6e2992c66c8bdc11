#include "sim/cuda/launch/part_map.h"

#include <algorithm>
#include <utility>

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

/// The map's description for device code, for a number of bodies.
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

}  // namespace

MapCount map_count_named(std::string_view name) {
  if (name == "update") return MapCount::update;
  return name == "shared" ? MapCount::shared : MapCount::kernel;
}

void PartMap::use(const MapSpec& spec, MapCount how, std::size_t bodies,
                  std::shared_ptr<const Module> module) {
  spec_ = {};
  module_ = std::move(module);
  how_ = how;
  if (spec.size == 0) timer_ = {};
  const std::size_t cells = spec.size * spec.size;
  // Should there be no memory, there is no map.
  counts_.resize(cells * sizeof(index_t));
  values_.resize(cells > 0 ? (map_header + cells) * sizeof(float) : 0);
  if (cells == 0) return;
  cells_ = map_cells(spec, bodies);
  spec_ = spec;
  if (!timer_.made()) timer_.make();
}

void PartMap::begin(CUstream stream) {
  timer_.begin(stream);
  prepare(stream);
  clear(stream);
}

void PartMap::end(CUstream stream) {
  normalise(stream);
  timer_.end(stream);
}

void PartMap::count(const DeviceState& state, BodyRange bodies, CUstream stream) {
  begin(stream);
  add(state, bodies, stream);
  end(stream);
}

void PartMap::prepare(CUstream stream) const {
  const auto address = module_->map_constants();
  if (address == 0) return;
  check(driver()->cuMemcpyHtoDAsync(address, &cells_, sizeof cells_, stream), "setting the map's constants");
}

void PartMap::add_constants(Arguments& arguments) const {
  if (!module_->configuration().constant_memory) arguments.add_struct(&cells_);
}

void PartMap::start(const char* kernel, unsigned blocks, std::size_t shared_bytes, Arguments& arguments,
                    CUstream stream) const {
  check(driver()->cuLaunchKernel(module_->function(kernel), blocks, 1, 1, map_block, 1, 1,
                                 static_cast<unsigned>(shared_bytes), stream, arguments.pointers(), nullptr),
        "launching a kernel of the activity map");
}

unsigned PartMap::blocks_of_cells() const {
  return std::min(blocks_for(count_of_cells(), map_block), filling_blocks(*module_));
}

void PartMap::clear(CUdeviceptr counts, CUstream stream) const {
  check(driver()->cuMemsetD8Async(counts, 0, count_of_cells() * sizeof(index_t), stream),
        "clearing the activity map");
}

void PartMap::add(const DeviceState& state, BodyRange bodies, CUstream stream) const {
  if (bodies.empty()) return;
  Arguments arguments;
  state.add_to(arguments, module_->configuration().passing);
  const CountRange range{.begin = static_cast<index_t>(bodies.first),
                         .end = static_cast<index_t>(bodies.last)};
  if (module_->configuration().constant_ranges)
    module_->set_constant("count_range", &range, sizeof range, stream);
  else
    arguments.add(range.begin).add(range.end);
  add_constants(arguments);
  arguments.add(counts());
  const auto a_thread_each = blocks_for(bodies.size(), map_block);
  if (how_ != MapCount::shared) return start("count_map", a_thread_each, 0, arguments, stream);
  start("count_map_shared", std::min(a_thread_each, filling_blocks(*module_)),
        count_of_cells() * sizeof(index_t), arguments, stream);
}

void PartMap::add(CUdeviceptr from, CUdeviceptr counts, CUstream stream) const {
  Arguments arguments;
  add_constants(arguments);
  arguments.add(from).add(counts);
  start("add_map", blocks_of_cells(), 0, arguments, stream);
}

void PartMap::normalise(CUdeviceptr counts, CUdeviceptr target, CUstream stream) const {
  check(driver()->cuMemsetD8Async(target, 0, map_header * sizeof(float), stream),
        "clearing the activity map");
  Arguments arguments;
  add_constants(arguments);
  arguments.add(counts).add(target);
  start("normalise_map", blocks_of_cells(), 0, arguments, stream);
}

}  // namespace orrery::sim::cuda
