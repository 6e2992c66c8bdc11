#include "sim/cuda/worker/gpu_worker.h"

#include <algorithm>
#include <utility>

#include "sim/cuda/driver/api.h"

namespace orrery::sim::cuda {

namespace {

/// Fraction of the FP32 limit that the slowest kernel is assumed to reach when slices are cut for it. In
/// double precision GPUs are 2 to 64 times slower; if the ratio is not known, 64 is assumed.
constexpr double least_share_of_limit = 0.25;
constexpr int slowest_double = 64;

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

/// Name of an array that depends on the forces.
std::string of_forces(const char* what, const std::string& number) {
  return std::string(forces_array) + what + number;
}

}  // namespace

GpuWorker::GpuWorker(int ordinal) : context_(ordinal), modules_(context_.info()) {}

GpuWorker::~GpuWorker() {
  // A destructor reports nothing: whatever failed was reported when it happened.
  if (driver()->cuCtxSetCurrent(context_.native()) == CUDA_SUCCESS) driver()->cuCtxSynchronize();
}

void GpuWorker::wait(const char* what) const {
  make_current();
  check(driver()->cuStreamSynchronize(streams_.main()), what);
}

std::size_t GpuWorker::device_bytes() const {
  return state_.bytes() + fused_.next().bytes() + backup_.bytes() + accelerations_.size() + scratch_.bytes() +
         table_.bytes() + packed_.size() + map_.bytes() + low_.size() + jerks_.size() + kept_.size() +
         part_.bytes() + block_steps_.bytes();
}

CUdeviceptr GpuWorker::packed_position() {
  make_current();
  packed_.resize(8 * sizeof(float) * bodies());
  return packed_.pointer();
}

void GpuWorker::set_partition(const Partition& share, std::span<const GalaxyRange> global_galaxies,
                              std::span<const GalaxyRange> global_sources) {
  make_current();
  graph_.clear();
  share_.set(share, global_galaxies, global_sources);
  choose_sources();
  scratch_.forget_cells(galaxies());
  has_backup_ = false;
  table_.outdated();
  scratch_.not_clear();
}

/// Families that can leave tracers out do.
void GpuWorker::choose_sources() {
  const auto* family = settings_ ? settings_->kernel.family : nullptr;
  share_.choose_sources(family != nullptr && family->leaves_tracers_out(),
                        family != nullptr && family->approximate);
}

void GpuWorker::use(const EngineSettings& settings, std::shared_ptr<const Module> module) {
  make_current();
  fused_.set_filled(fused_.is_filled() && settings_ &&
                    StateForm(settings_->kernel) == StateForm(settings.kernel));
  settings_ = settings;
  part_of_step_ = 1.0;
  choose_sources();
  const bool another = module_ != module;
  if (another) scratch_.forget_cells(galaxies());
  module_ = std::move(module);
  table_.outdated();
  scratch_.not_clear();
  // A later module may lie where an earlier one lay.
  graph_.clear();
  if (another) queue_.expect_another_kernel(least_rate());
}

/// Interactions per millisecond.
double GpuWorker::least_rate() const {
  const double limit = least_share_of_limit * info().fp32_limit_gips() * 1e6;
  if (settings_->kernel.precision != 64) return limit;
  return limit / (info().fp64_ratio > 0 ? info().fp64_ratio : slowest_double);
}

void GpuWorker::allocate() {
  make_current();
  fused_.set_filled(false);
  scratch_.forget_cells(galaxies());
  state_.allocate(StateForm(settings_->kernel), bodies());
  accelerations_.resize(3 * settings_->real_bytes() * bodies());
  // An update that only drifts multiplies them by 0, which must not meet what is no number.
  check(driver()->cuMemsetD8Async(accelerations_.pointer(), 0, accelerations_.size(), streams_.main()),
        "clearing the accelerations");
  std::vector<std::uint32_t> starts;
  for (const auto& slice : share_.slices()) starts.push_back(static_cast<std::uint32_t>(slice.galaxy.first));
  starts.push_back(static_cast<std::uint32_t>(share_.slices().back().galaxy.last));
  galaxy_starts_.resize(starts.size() * sizeof starts[0]);
  check(driver()->cuMemcpyHtoDAsync(galaxy_starts_.pointer(), starts.data(), galaxy_starts_.size(),
                                    streams_.main()),
        "copying the galaxies' numbers");
}

/// Second floats of a state that has them; new ones are 0.
void GpuWorker::compensate() {
  const std::size_t bytes = settings_->kernel.compensated ? 6 * sizeof(float) * bodies() : 0;
  if (low_.size() == bytes) return;
  low_.resize(bytes);
  if (bytes > 0)
    check(driver()->cuMemsetD8Async(low_.pointer(), 0, bytes, streams_.main()), "clearing the state");
}

/// Room for what integrators need that look back to the begin of a step.
void GpuWorker::keep_begin() {
  const auto& kernel = settings_->kernel;
  kept_.resize(kernel.keeps_begin() ? kept_doubles * sizeof(double) * bodies() : 0);
  jerks_.resize(kernel.jerks ? 3 * settings_->real_bytes() * bodies() : 0);
}

/// Releases the memory of other step rules.
void GpuWorker::release_other_steps() {
  if (!settings_->kernel.adaptive) part_.release();
  if (!settings_->kernel.block_steps) block_steps_.release();
}

void GpuWorker::read_counts() {
  if (!settings_->kernel.family->approximate) return;
  if (const auto interactions = counter_.interactions(); interactions > 0)
    share_.set_interactions(static_cast<double>(interactions));
}

void GpuWorker::allocate_scratch() {
  make_current();
  compensate();
  keep_begin();
  release_other_steps();
  if (settings_->kernel.family->approximate) counter_.allocate();
  const auto& kernel = settings_->kernel;
  streams_.resize(settings_->forks() ? std::min(settings_->streams, galaxies()) : 0);
  if (settings_->split == Split::domains) return scratch_.resize(0);
  if (kernel.batched) {
    table_.make(kernel, module_->facts().block, share_.all(), streams_.main());
    scratch_.resize(table_.table().scratch_reals * settings_->real_bytes());
  } else {
    place_scratch();
  }
  if (!kernel.updates()) return;
  scratch_.clear_once(streams_.main());
  fused_.allocate(StateForm(kernel), bodies());
  fused_.fill(state_, streams_.main());
}

/// Each galaxy has the scratch memory of its stream, or its own where cells are kept.
void GpuWorker::place_scratch() {
  const auto& kernel = settings_->kernel;
  const auto& summed = share_.all();
  ScratchArena arena(0);
  std::vector<std::size_t> places(galaxies());
  if (has_kept_cells()) {
    for (std::size_t k = 0; k < galaxies(); ++k)
      places[k] = arena.take(scratch_bytes(kernel, {&summed[k], 1}));
  } else {
    std::vector<std::size_t> of_streams(std::max<std::size_t>(streams_.workers(), 1));
    for (auto& place : of_streams) place = arena.take(scratch_bytes(kernel, summed));
    for (std::size_t k = 0; k < galaxies(); ++k)
      places[k] = of_streams[static_cast<std::size_t>(stream_number(k))];
  }
  scratch_.place(std::move(places), arena.used());
}

bool GpuWorker::has_kept_cells() const {
  // On a round trip bodies come anew for each evaluation.
  return settings_->kernel.family->keeps_cells && settings_->tree.shares_cells() && !settings_->round_trip;
}

/// A graph is of all galaxies: they go on with their cells together, or not at all.
void GpuWorker::keep_cells(bool may) {
  scratch_.keep_cells(may && has_kept_cells(), settings_->schedule == Schedule::graph);
}

StateKernels GpuWorker::kernels(CUstream stream, BodyRange bodies) const {
  return {.module = *module_,
          .state = state_,
          .bodies = bodies,
          .stream = stream,
          .low = low_.pointer(),
          .field = settings_->physics.field_at().constants,
          .jerks = jerks_.pointer(),
          .kept = kept_.pointer(),
          .kept_bodies = this->bodies()};
}

void GpuWorker::unpack(CUdeviceptr position, CUdeviceptr velocity, CUstream stream, BodyRange bodies) {
  make_current();
  kernels(stream, bodies).unpack(position, velocity);
  if (low_.size() == 0) return;
  const std::size_t body = 6 * sizeof(float);
  check(driver()->cuMemsetD8Async(low_.at(body * bodies.first), 0, body * bodies.size(), stream),
        "clearing the state");
}

void GpuWorker::write(BodyWrite& write, CUdeviceptr position, CUdeviceptr velocity) {
  make_current();
  write.has_begun = true;
  if (write.update) {
    update(*write.update, position, velocity, 0.0, write.counts_map);
  } else {
    const StateKernels state{*module_, write.from_backup ? backup_.state() : state_, targets(),
                             streams_.main()};
    state.write_vertices(position, velocity, accelerations_.pointer());
  }
  if (write.frame) kernels(streams_.main(), targets()).reframe(*write.frame, position, velocity);
}

void GpuWorker::publish_range(CUdeviceptr position, CUdeviceptr velocity, CUstream stream, BodyRange bodies,
                              bool other_buffer) const {
  make_current();
  const StateKernels published{*module_, other_buffer ? fused_.next() : state_, bodies, stream};
  published.write_vertices(position, velocity);
}

/// Moves bodies and, with `counts`, adds them to the map.
void GpuWorker::move(const StateKernels& moved, const MotionUpdate& c, double last_kick, CUdeviceptr position,
                     CUdeviceptr velocity, bool counts) const {
  moved.update(c, last_kick, step(), accelerations_.pointer(), position, velocity, counts ? &map_ : nullptr);
}

void GpuWorker::update(const MotionUpdate& c, CUdeviceptr position, CUdeviceptr velocity, double last_kick,
                       bool counts) {
  make_current();
  const auto stream = streams_.main();
  const bool within = counts && map_.in_update();
  const auto mark = timeline_.begin(TimelineKind::update, 0, -1, evaluation_.step, stream);
  if (within) map_.begin(stream);
  move(kernels(stream, targets()), c, last_kick, position, velocity, within);
  if (within)
    map_.end(stream);
  else if (counts)
    map_.count(state_, targets(), stream);
  timeline_.end(mark, stream);
}

void GpuWorker::use_map(const MapSpec& spec, std::size_t all_bodies) {
  make_current();
  map_.use(spec, settings_->map_count, all_bodies, module_);
}

void GpuWorker::count_map(bool from_backup) {
  make_current();
  map_.count(from_backup ? backup_.state() : state_, targets(), streams_.main());
}

void GpuWorker::keep_backup() {
  make_current();
  backup_.keep(StateForm(settings_->kernel), bodies(), state_, low_, streams_.main());
  has_backup_ = true;
}

void GpuWorker::restore_backup() {
  make_current();
  streams_.join();
  share_.no_limit();
  if (std::exchange(has_backup_, false)) backup_.restore(state_, low_, streams_.main());
}

void GpuWorker::keep_part() {
  make_current();
  part_.keep(StateForm(settings_->kernel), bodies(), now(), streams_.main());
}

void GpuWorker::restore_part() {
  make_current();
  part_.restore(now(), streams_.main());
}

void GpuWorker::measure_acceleration() {
  make_current();
  part_.measure(kernels(streams_.main(), targets()), accelerations_.pointer());
}

void GpuWorker::swap_states() { std::swap(state_, fused_.next()); }

ForceLauncher GpuWorker::launcher(CUstream stream, CUdeviceptr scratch, bool other_buffer, bool kept) const {
  const bool some = share_.is_limited(), copies = some && !settings_->kernel.family->skips_bodies();
  return {
      {.module = *module_,
       .state = copies         ? block_steps_.gathered()
                : other_buffer ? fused_.next()
                               : state_,
       .accelerations = copies ? block_steps_.found() : accelerations_.pointer(),
       .jerks = jerks_.pointer(),
       .scratch = scratch,
       .galaxy_starts = galaxy_starts_.pointer(),
       .constants = settings_->physics.constants(),
       .tree = settings_->tree,
       .force_counts = counter_.pointer(),
       .active = some && !copies ? block_steps_.active_bodies() : ActiveBodies{},
       .keeps_cells = kept,
       .update = fused_.update(settings_->integrator(), settings_->physics.time_step, state_, other_buffer),
       .watch = watch_},
      stream};
}

BodyRange GpuWorker::bodies_of(std::size_t k) const {
  return k == all_galaxies ? targets() : BodyRange{share_.slices()[k].begin, share_.slices()[k].end};
}

int GpuWorker::stream_number(std::size_t k) const {
  return k == all_galaxies || streams_.workers() == 0 ? 0 : static_cast<int>(k % streams_.workers());
}

CUstream GpuWorker::stream_of(std::size_t k) const {
  return k == all_galaxies ? streams_.main() : streams_.worker(k);
}

void GpuWorker::set_constants() { launcher(streams_.main(), 0).set_constants(); }

void copy_between(const GpuWorker& to, CUdeviceptr there, const GpuWorker& from, CUdeviceptr here,
                  std::size_t bytes, CUstream stream, const char* what) {
  if (bytes == 0) return;
  if (to.context() == from.context())
    check(driver()->cuMemcpyDtoDAsync(there, here, bytes, stream), what);
  else
    check(driver()->cuMemcpyPeerAsync(there, to.context(), here, from.context(), bytes, stream), what);
}

// Checkpoints: copies of the GPU's memory, so that no bit is lost in any layout or precision.

void GpuWorker::save(EngineState& state, const std::string& number, bool from_backup) {
  make_current();
  const auto stream = streams_.main();
  copy_out(state, "bodies-" + number, (from_backup ? backup_.state() : state_).memory(), stream);
  copy_out(state, "low-" + number, from_backup ? backup_.low() : low_, stream);
  if (from_backup) return;
  copy_out(state, of_forces("-", number), accelerations_, stream);
  copy_out(state, of_forces("-jerks-", number), jerks_, stream);
  // Fused kernels write ahead, by the forces and the time step.
  if (settings_->kernel.updates() && fused_.is_filled())
    copy_out(state, of_forces("-ahead-", number), fused_.next().memory(), stream);
}

bool GpuWorker::restore(const EngineState& state, const std::string& number) {
  make_current();
  scratch_.forget_cells(galaxies());
  compensate();
  const auto stream = streams_.main();
  if (!copy_in(state, "bodies-" + number, state_.memory(), stream)) return false;
  if (low_.size() > 0 && !copy_in(state, "low-" + number, low_, stream)) return false;
  copy_in(state, of_forces("-", number), accelerations_, stream);
  keep_begin();
  copy_in(state, of_forces("-jerks-", number), jerks_, stream);
  if (!settings_->kernel.updates()) return true;
  fused_.allocate(StateForm(settings_->kernel), bodies());
  fused_.set_filled(copy_in(state, of_forces("-ahead-", number), fused_.next().memory(), stream));
  return true;
}

// Block time steps: what moves the bodies, and which of them a force evaluation is about.

void GpuWorker::allocate_block_steps() {
  make_current();
  block_steps_.allocate(StateForm(settings_->kernel), bodies(), galaxies(),
                        !settings_->kernel.family->skips_bodies());
}

void GpuWorker::advance_block_steps(const StepMoment& moment) {
  make_current();
  const auto stream = streams_.main();
  const auto mark = timeline_.begin(TimelineKind::update, 0, -1, evaluation_.step, stream);
  block_steps_.advance(kernels(stream, targets()), moment, accelerations_.pointer(),
                       galaxy_starts_.pointer());
  timeline_.end(mark, stream);
}

index_t GpuWorker::take_block_time() {
  make_current();
  const auto now = block_steps_.next_block_time();
  share_.no_limit();
  if (block_steps_.active() == bodies()) return now;
  const bool copies = !settings_->kernel.family->skips_bodies();
  const auto starts = block_steps_.starts();
  auto some = share_.all();
  for (std::size_t k = 0; k < some.size(); ++k) {
    if (copies)
      some[k].begin = bodies() + starts[k], some[k].end = bodies() + starts[k + 1];
    else if (starts[k] == starts[k + 1])
      some[k].end = some[k].begin;
  }
  share_.limit_to(std::move(some));
  if (copies) block_steps_.gather(kernels(streams_.main(), targets()));
  return now;
}

void GpuWorker::end_block_time() {
  make_current();
  const bool copies = share_.is_limited() && !settings_->kernel.family->skips_bodies();
  share_.no_limit();
  if (copies) block_steps_.scatter(kernels(streams_.main(), targets()), accelerations_.pointer());
}

/// Galaxies may differ in size: their active bodies count with the bodies that pull them.
double GpuWorker::queued_share() const {
  if (!share_.is_limited()) return 1.0;
  const auto starts = block_steps_.starts();
  double some = 0.0, all = 0.0;
  const auto& summed = share_.all();
  for (std::size_t k = 0; k < summed.size(); ++k) {
    const auto sources = static_cast<double>(summed[k].galaxy.size());
    some += sources * static_cast<double>(starts[k + 1] - starts[k]);
    all += summed[k].interactions();
  }
  return all > 0.0 ? some / all : 1.0;
}

}  // namespace orrery::sim::cuda
