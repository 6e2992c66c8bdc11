#include "sim/cuda/cuda_engine.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "sim/cuda/api.h"
#include "sim/cuda/engine_settings.h"
#include "sim/cuda/force_sampler.h"
#include "sim/cuda/launch.h"
#include "sim/cuda/module_cache.h"
#include "sim/cuda/state_kernels.h"
#include "sim/cuda/work_queue.h"
#include "sim/error.h"

namespace orrery::sim {

namespace {

using namespace cuda;

constexpr std::size_t most_matrix_rows = 65535;
/// Of the FP32 limit: what the slowest kernel is taken to reach before slices are cut for it. In double
/// precision cards are 2 to 64 times slower.
constexpr double least_share_of_limit = 0.25;
constexpr double least_share_in_double = 1.0 / 64.0;

class CudaEngine final : public Engine {
 public:
  explicit CudaEngine(const OptionTable& options);
  ~CudaEngine() override;

  std::string_view name() const override { return "cuda"; }
  Target::Space target_space() const override { return Target::Space::device; }
  void load(const Bodies& bodies, double time) override;
  void configure(const Configuration& configuration) override;
  bool advance(const WorkBudget& budget) override;
  void publish(const Target& target) override;
  bool published() override;
  void read_back(Bodies& bodies) override;
  void finish() override;
  double time() const override { return time_; }
  std::uint64_t steps() const override { return steps_; }
  StepTimings timings() const override { return timings_; }
  std::optional<KernelReport> kernel_report() const override;
  void request_force_sample(std::size_t count, std::uint64_t seed) override;
  std::optional<ForceSample> take_force_sample() override;

 private:
  enum class Stage { between_steps, first_forces, forces };

  std::size_t count() const { return host_.size(); }
  const Context& context();
  bool ensure_module(bool wait);
  void apply(const EngineSettings& settings, std::shared_ptr<const Module> module);
  void enter_plane();
  void upload();
  void pull();
  void copy_to_device(const std::vector<Vec3>& position, const std::vector<Vec3>& velocity);
  void give_up_step();
  StateKernels kernels(const DeviceState& state) { return {*module_, state, count(), stream_}; }
  void write_vertices(CUdeviceptr position, CUdeviceptr velocity);
  void publish_host_state(const Target& target);
  void publish_on_device(const Target& target);
  void publish_by_copy(const Target& target);
  void copy_in(CUdeviceptr to, const void* from, std::size_t bytes);
  void copy_out(void* to, CUdeviceptr from, std::size_t bytes);
  void flush_update();
  void begin_step(bool keep_backup);
  void begin_forces(Stage stage);
  void launch_slice(double most_interactions);
  void launch_galaxies(double most_interactions);
  void end_step();
  bool step_on_host(const WorkBudget& budget);
  std::size_t slice_rows(double most_interactions) const;
  void evaluate_for_host(bool sampled);
  std::size_t wave() const;
  void poll() { queue_.poll(timings_, stage_ != Stage::between_steps); }
  void sample_forces();
  ForceLauncher launcher();
  void check_indices(std::size_t bodies) const;

  const OptionTable& options_;
  OptionContext option_context_;
  std::unique_ptr<Context> context_;
  std::unique_ptr<ModuleCache> modules_;
  CUstream stream_ = nullptr;
  std::optional<EngineSettings> wanted_;    ///< becomes settings_ when its kernel is compiled
  std::optional<EngineSettings> settings_;  ///< in force
  std::shared_ptr<const Module> module_;

  Bodies host_;  ///< masses, and the state while on_device_ is false
  std::vector<GalaxyRange> galaxies_;
  bool on_device_ = false;  ///< where the last complete step is
  DeviceState state_, next_, backup_;
  bool has_backup_ = false;
  DeviceMemory accelerations_, scratch_, galaxy_starts_, exchange_;
  HostMemory staging_;
  std::vector<Vec3> host_acceleration_;
  std::uint64_t copied_bytes_ = 0;
  std::unique_ptr<Event> publish_start_, publish_end_;  ///< of the last publish into device memory
  bool publishing_ = false;                             ///< it was not seen to end yet

  Stage stage_ = Stage::between_steps;
  std::size_t galaxy_ = 0;  ///< the next slice: of this galaxy,
  std::size_t body_ = 0;    ///< from this body
  bool acceleration_is_current_ = false;
  bool update_pending_ =
      false;  ///< the update after the forces waits for publish, which may use it to write vertices

  WorkQueue queue_;
  ForceSampler sampler_;

  double time_ = 0.0;
  std::uint64_t steps_ = 0;
  StepTimings timings_;
};

CudaEngine::CudaEngine(const OptionTable& options) : options_(options) {
  if (driver() == nullptr) throw Error("cannot use the CUDA engine: " + driver_problem());
  if (nvrtc() == nullptr) throw Error("cannot use the CUDA engine: " + nvrtc_problem());
}

CudaEngine::~CudaEngine() {
  if (context_ == nullptr) return;
  // A destructor reports nothing: whatever failed was reported when it happened.
  try {
    context_->make_current();
  } catch (const Error&) {
    return;
  }
  driver()->cuCtxSynchronize();
  if (stream_ != nullptr) driver()->cuStreamDestroy(stream_);
}

const Context& CudaEngine::context() {
  if (context_ == nullptr) {
    context_ = std::make_unique<Context>(wanted_ ? wanted_->device : 0);
    modules_ = std::make_unique<ModuleCache>(context_->info());
    check(driver()->cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "making a CUDA stream");
    option_context_.device_memory = context_->info().memory;
  }
  context_->make_current();
  return *context_;
}

void CudaEngine::check_indices(std::size_t bodies) const {
  if (bodies > 0x7fffffffULL)
    throw Error("the CUDA kernels count bodies in 31 bits; load fewer than 2147483648");
}

void CudaEngine::load(const Bodies& bodies, double time) {
  check_indices(bodies.size());
  auto galaxies = bodies.galaxies();
  if (context_ != nullptr) finish();
  host_ = bodies;
  enter_plane();
  galaxies_ = std::move(galaxies);
  on_device_ = false;
  has_backup_ = false;
  update_pending_ = false;
  acceleration_is_current_ = false;
  if (std::exchange(stage_, Stage::between_steps) != Stage::between_steps) queue_.abandon_evaluation();
  time_ = time;
  steps_ = 0;
  timings_ = {};
  copied_bytes_ = 0;
  timings_.interactions = interactions_per_evaluation(galaxies_);
  option_context_.bodies = bodies.size();
  option_context_.galaxies = galaxies_.size();
  sampler_.drop();
}

void CudaEngine::configure(const Configuration& configuration) {
  options_.check(configuration, option_context_);
  wanted_.emplace(configuration);
  context();
  options_.check(configuration, option_context_);
  ensure_module(false);
}

/// True when the wanted kernel, or until it is compiled the previous one, can run.
bool CudaEngine::ensure_module(bool wait) {
  if (!wanted_ && settings_ && modules_->edited(settings_->kernel)) wanted_ = settings_;
  if (wanted_) {
    try {
      auto module = wait ? modules_->get(wanted_->kernel) : modules_->find(wanted_->kernel);
      if (module != nullptr) {
        apply(*wanted_, std::move(module));
        wanted_.reset();
      }
    } catch (const Error&) {
      wanted_.reset();
      throw;
    }
  }
  return module_ != nullptr;
}

/// The step in the making begins again later, with another kernel.
void CudaEngine::give_up_step() {
  if (stage_ == Stage::between_steps) return;
  if (stage_ == Stage::forces && has_backup_) state_.copy_from(backup_, stream_);
  stage_ = Stage::between_steps;
  acceleration_is_current_ = false;
  queue_.abandon_evaluation();
}

void CudaEngine::apply(const EngineSettings& settings, std::shared_ptr<const Module> module) {
  if (settings_) {
    give_up_step();
    const bool other_form = StateForm(settings_->kernel) != StateForm(settings.kernel);
    if (on_device_ && (other_form || settings.round_trip)) pull();
    // The same kernel in other words: its sources were edited.
    const bool edited = settings_->kernel == settings.kernel && module_ != module;
    if (other_form || edited || !settings_->same_forces(settings)) acceleration_is_current_ = false;
    flush_update();
  }
  settings_ = settings;
  module_ = std::move(module);
  const double share = least_share_of_limit * (settings.kernel.precision == 64 ? least_share_in_double : 1.0);
  queue_.set_least_rate(share * context_->info().fp32_limit_gips() * 1e6);
  enter_plane();
}

/// Two dimensions: the kernels' bodies have no depth, nor must the host's.
void CudaEngine::enter_plane() {
  const auto& settings = wanted_ ? wanted_ : settings_;
  if (!settings || settings->kernel.dimensions == 3) return;
  for (auto& x : host_.position) x.z = 0.0F;
  for (auto& v : host_.velocity) v.z = 0.0F;
}

void CudaEngine::upload() {
  state_.allocate(StateForm(settings_->kernel), count());
  accelerations_.resize(3 * settings_->real_bytes() * count());
  std::vector<std::uint32_t> starts;
  for (const auto& galaxy : galaxies_) starts.push_back(static_cast<std::uint32_t>(galaxy.first));
  starts.push_back(static_cast<std::uint32_t>(count()));
  galaxy_starts_.resize(starts.size() * sizeof starts[0]);
  copy_in(galaxy_starts_.pointer(), starts.data(), starts.size() * sizeof starts[0]);
  copy_to_device(host_.position, host_.velocity);
  on_device_ = true;
}

void CudaEngine::copy_to_device(const std::vector<Vec3>& position, const std::vector<Vec3>& velocity) {
  const std::size_t bytes = 4 * sizeof(float) * count();
  exchange_.resize(2 * bytes);
  staging_.resize(2 * bytes, settings_->pinned);
  auto* x = static_cast<float*>(staging_.data());
  auto* v = x + 4 * count();
  pack_bodies(position, velocity, host_.mass, x, v);
  if (settings_->force.law->uses_charges) {
    for (std::size_t i = 0; i < count(); ++i) v[4 * i + 3] = host_.charge[i];
  }
  copy_in(exchange_.pointer(), staging_.data(), 2 * bytes);
  kernels(state_).unpack(exchange_.pointer(), exchange_.at(bytes));
  check(driver()->cuStreamSynchronize(stream_), "copying bodies to the GPU");
}

void CudaEngine::pull() {
  Bodies bodies = host_;
  read_back(bodies);
  host_ = std::move(bodies);
  on_device_ = false;
  update_pending_ = false;
}

void CudaEngine::flush_update() {
  if (!std::exchange(update_pending_, false)) return;
  kernels(state_).update(settings_->integrator->after, settings_->dt, accelerations_.pointer(), 0, 0);
}

ForceLauncher CudaEngine::launcher() {
  return {.module = *module_,
          .state = state_,
          .accelerations = accelerations_.pointer(),
          .scratch = scratch_.pointer(),
          .galaxy_starts = galaxy_starts_.pointer(),
          .constants = settings_->force.constants(settings_->gravitational_constant, settings_->softening),
          .stream = stream_};
}

void CudaEngine::begin_step(bool keep_backup) {
  flush_update();
  const auto* integrator = settings_->integrator;
  if (integrator->starts_with_acceleration && !acceleration_is_current_)
    return begin_forces(Stage::first_forces);
  has_backup_ = keep_backup;
  if (keep_backup) {
    backup_.allocate(StateForm(settings_->kernel), count());
    backup_.copy_from(state_, stream_);
  }
  begin_forces(Stage::forces);
  const bool moves = integrator->before.kick != 0.0 || integrator->before.drift != 0.0;
  if (moves) kernels(state_).update(integrator->before, settings_->dt, accelerations_.pointer(), 0, 0);
  queue_.begin_forces(stream_);
}

void CudaEngine::begin_forces(Stage stage) {
  // First what may fail: out of memory.
  scratch_.resize(scratch_bytes(settings_->kernel, galaxies_));
  if (settings_->kernel.fused) next_.allocate(StateForm(settings_->kernel), count());
  stage_ = stage;
  galaxy_ = 0;
  body_ = galaxies_.front().first;
  queue_.begin_evaluation(timings_.interactions, stream_);
  launcher().set_constants();
}

/// Bodies that fill the GPU once, with a thread a body: a slice of one and a half waves would leave half of
/// it empty for half of the time.
std::size_t CudaEngine::wave() const {
  constexpr double threads = 2048.0;  // of a multiprocessor
  return static_cast<std::size_t>(context_->info().multiprocessors * threads *
                                  std::max(module_->facts().occupancy, 0.1));
}

/// Targets of the next slice.
std::size_t CudaEngine::slice_rows(double most_interactions) const {
  const auto& galaxy = galaxies_[galaxy_];
  const std::size_t left = galaxy.last - body_;
  const double most = std::clamp(most_interactions / static_cast<double>(galaxy.size()), 256.0, 1e9);
  std::size_t rows = std::min(left, static_cast<std::size_t>(most));
  if (rows < left && rows > wave()) rows -= rows % wave();
  return settings_->kernel.family == "pairs-matrix" ? std::min(rows, most_matrix_rows) : rows;
}

/// galaxy-block: as many galaxies as a slice takes, at least one.
void CudaEngine::launch_galaxies(double most_interactions) {
  const std::size_t first = galaxy_;
  double interactions = 0.0;
  while (galaxy_ < galaxies_.size() && (galaxy_ == first || interactions < most_interactions)) {
    const auto size = static_cast<double>(galaxies_[galaxy_++].size());
    interactions += size * size;
  }
  launcher().whole_galaxies(first, galaxy_);
  queue_.add(interactions, stream_);
}

void CudaEngine::launch_slice(double most_interactions) {
  const auto& kernel = settings_->kernel;
  if (kernel.family == "galaxy-block" && !kernel.fused) {
    return launch_galaxies(most_interactions);
  }
  const auto& galaxy = galaxies_[galaxy_];
  const ForceSlice slice{galaxy, body_, body_ + slice_rows(most_interactions)};
  if (kernel.fused) {
    launcher().fused(slice, next_, settings_->dt, !settings_->integrator->after.with_new_velocity);
  } else {
    launcher().forces(slice);
  }
  body_ = slice.end;
  if (body_ == galaxy.last && ++galaxy_ < galaxies_.size()) body_ = galaxies_[galaxy_].first;
  queue_.add(slice.interactions(), stream_);
}

bool CudaEngine::advance(const WorkBudget& budget) {
  if (count() == 0) return false;
  const bool wait = budget.time == std::chrono::nanoseconds::max();
  context().make_current();
  if (!ensure_module(wait)) return false;
  if (settings_->round_trip) return step_on_host(budget);
  if (!on_device_) upload();
  poll();
  const double slice = wait ? 1e300 : settings_->slice_ms * queue_.rate();
  // Without a copy of the state before it, a step that has begun is queued to its end.
  const auto indivisible = [&] { return stage_ == Stage::forces && !has_backup_; };
  while (indivisible() || budget.interrupt == nullptr || !budget.interrupt->load()) {
    if (wait || indivisible())
      queue_.make_room();
    else if (queue_.full())
      return false;
    if (stage_ == Stage::between_steps) begin_step(!wait && timings_.interactions > slice);
    launch_slice(slice);
    if (galaxy_ < galaxies_.size()) continue;
    queue_.end_evaluation(stream_);
    if (std::exchange(stage_, Stage::between_steps) == Stage::first_forces) {
      acceleration_is_current_ = true;
      continue;
    }
    end_step();
    return true;
  }
  return false;
}

void CudaEngine::end_step() {
  sample_forces();
  if (settings_->kernel.fused) {
    state_.swap(next_);
  } else {
    update_pending_ = true;
  }
  has_backup_ = false;
  acceleration_is_current_ = settings_->integrator->starts_with_acceleration;
  time_ += settings_->dt;
  ++steps_;
}

/// The reports' round trip: the host holds the bodies and integrates, the GPU only computes accelerations.
bool CudaEngine::step_on_host(const WorkBudget& budget) {
  if (budget.interrupt != nullptr && budget.interrupt->load()) return false;
  const auto* integrator = settings_->integrator;
  host_acceleration_.resize(count());
  if (integrator->starts_with_acceleration && !acceleration_is_current_) evaluate_for_host(false);
  const Motion motion{host_.position, host_.velocity, host_acceleration_};
  const auto dt = static_cast<float>(settings_->dt);
  integrator->before_force(motion, dt);
  evaluate_for_host(true);
  integrator->after_force(motion, dt);
  // The GPU's copy is that of the force evaluation: the host's is the state.
  on_device_ = false;
  acceleration_is_current_ = integrator->starts_with_acceleration;
  time_ += settings_->dt;
  ++steps_;
  return true;
}

/// Bodies in, forces, accelerations out into host_acceleration_.
void CudaEngine::evaluate_for_host(bool sampled) {
  if (!on_device_)
    upload();
  else
    copy_to_device(host_.position, host_.velocity);
  begin_forces(Stage::forces);
  while (galaxy_ < galaxies_.size()) launch_slice(1e300);
  queue_.end_evaluation(stream_);
  stage_ = Stage::between_steps;
  staging_.resize(std::max<std::size_t>(staging_.size(), accelerations_.size()), settings_->pinned);
  copy_out(staging_.data(), accelerations_.pointer(), accelerations_.size());
  if (sampled) sample_forces();
  finish();
  const auto* as_float = static_cast<const float*>(staging_.data());
  const auto* as_double = static_cast<const double*>(staging_.data());
  for (std::size_t i = 0; i < count(); ++i) {
    host_acceleration_[i] = settings_->real_bytes() == 4
                                ? Vec3{as_float[3 * i], as_float[3 * i + 1], as_float[3 * i + 2]}
                                : Vec3(DVec3{as_double[3 * i], as_double[3 * i + 1], as_double[3 * i + 2]});
  }
}

void CudaEngine::finish() {
  if (context_ == nullptr) return;
  context_->make_current();
  check(driver()->cuStreamSynchronize(stream_), "the GPU's work");
  queue_.make_room();
  poll();
}

void CudaEngine::publish(const Target& target) {
  if (target.bodies < count()) throw Error("the target holds fewer bodies than the engine");
  if (target.space == Target::Space::device) return publish_on_device(target);
  if (on_device_) return publish_by_copy(target);
  pack_bodies(host_.position, host_.velocity, host_.mass, target.position, target.velocity);
}

/// The update after the forces, if it is still to be done, writes the vertices on its way.
void CudaEngine::write_vertices(CUdeviceptr position, CUdeviceptr velocity) {
  if (std::exchange(update_pending_, false)) {
    kernels(state_).update(settings_->integrator->after, settings_->dt, accelerations_.pointer(), position,
                           velocity);
  } else {
    kernels(stage_ == Stage::forces && has_backup_ ? backup_ : state_).publish(position, velocity);
  }
}

void CudaEngine::publish_on_device(const Target& target) {
  context();
  if (publish_start_ == nullptr) publish_start_ = std::make_unique<Event>();
  if (publish_end_ == nullptr) publish_end_ = std::make_unique<Event>();
  if (target.free_event != nullptr) {
    check(
        driver()->cuStreamWaitEvent(stream_, static_cast<CUevent>(target.free_event), CU_EVENT_WAIT_DEFAULT),
        "waiting for the vertex buffer");
  }
  publish_start_->record(stream_);
  if (on_device_) {
    write_vertices(reinterpret_cast<CUdeviceptr>(target.position),
                   reinterpret_cast<CUdeviceptr>(target.velocity));
  } else {
    publish_host_state(target);
  }
  publish_end_->record(stream_);
  publishing_ = true;
}

/// Before the first step, and between round trips, the host holds the bodies.
void CudaEngine::publish_host_state(const Target& target) {
  const std::size_t floats = 4 * count();
  std::vector<float> packed(2 * floats);
  pack_bodies(host_.position, host_.velocity, host_.mass, packed.data(), packed.data() + floats);
  copy_in(reinterpret_cast<CUdeviceptr>(target.position), packed.data(), floats * sizeof(float));
  copy_in(reinterpret_cast<CUdeviceptr>(target.velocity), packed.data() + floats, floats * sizeof(float));
  check(driver()->cuStreamSynchronize(stream_), "publishing");
}

bool CudaEngine::published() {
  if (!publishing_) return true;
  context();
  if (!publish_end_->passed()) return false;
  publishing_ = false;
  timings_.publish_ms = publish_end_->milliseconds_since(*publish_start_);
  return true;
}

void CudaEngine::publish_by_copy(const Target& target) {
  context();
  const std::size_t bytes = 4 * sizeof(float) * count();
  exchange_.resize(2 * bytes);
  write_vertices(exchange_.pointer(), exchange_.at(bytes));
  const auto start = std::chrono::steady_clock::now();
  staging_.resize(std::max(staging_.size(), 2 * bytes), settings_->pinned);
  copy_out(staging_.data(), exchange_.pointer(), 2 * bytes);
  check(driver()->cuStreamSynchronize(stream_), "copying bodies from the GPU");
  std::memcpy(target.position, staging_.data(), bytes);
  std::memcpy(target.velocity, static_cast<const std::byte*>(staging_.data()) + bytes, bytes);
  timings_.publish_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// All copies of bodies and forces go through these two, which count them.
void CudaEngine::copy_in(CUdeviceptr to, const void* from, std::size_t bytes) {
  check(driver()->cuMemcpyHtoDAsync(to, from, bytes, stream_), "copying bodies to the GPU");
  copied_bytes_ += bytes;
}

void CudaEngine::copy_out(void* to, CUdeviceptr from, std::size_t bytes) {
  check(driver()->cuMemcpyDtoHAsync(to, from, bytes, stream_), "copying bodies from the GPU");
  copied_bytes_ += bytes;
}

void CudaEngine::read_back(Bodies& bodies) {
  if (bodies.size() != count()) throw Error("read_back needs as many bodies as were loaded");
  if (!on_device_) {
    bodies.position = host_.position;
    bodies.velocity = host_.velocity;
    return;
  }
  std::vector<float> packed(8 * count());
  publish({.space = Target::Space::host,
           .position = packed.data(),
           .velocity = packed.data() + 4 * count(),
           .bodies = count()});
  for (std::size_t i = 0; i < count(); ++i) {
    const float* x = &packed[4 * i];
    const float* v = &packed[4 * (count() + i)];
    bodies.position[i] = {x[0], x[1], x[2]};
    bodies.velocity[i] = {v[0], v[1], v[2]};
  }
}

void CudaEngine::request_force_sample(std::size_t count, std::uint64_t seed) {
  sampler_.request(count, seed);
}

/// Queues copies of positions and accelerations as they are between the forces and the update.
void CudaEngine::sample_forces() {
  if (!sampler_.due()) return;
  const std::size_t bytes = 4 * sizeof(float) * count();
  exchange_.resize(2 * bytes);
  kernels(state_).publish(exchange_.pointer(), exchange_.at(bytes));
  const bool charges = settings_->force.law->uses_charges;
  auto* memory = static_cast<std::byte*>(sampler_.memory(count(), charges, settings_->real_bytes()));
  const std::size_t state_bytes = (charges ? 2 : 1) * bytes;
  copy_out(memory, exchange_.pointer(), state_bytes);
  copy_out(memory + state_bytes, accelerations_.pointer(), accelerations_.size());
  sampler_.queued({.mass = host_.mass,
                   .galaxies = galaxies_,
                   .gravitational_constant = settings_->gravitational_constant,
                   .softening = settings_->softening,
                   .time = time_ + settings_->dt,
                   .force = settings_->force,
                   .charge = charges ? host_.charge : std::vector<float>()},
                  stream_);
}

std::optional<ForceSample> CudaEngine::take_force_sample() { return sampler_.take(); }

std::optional<KernelReport> CudaEngine::kernel_report() const {
  if (module_ == nullptr) return std::nullopt;
  const auto& facts = module_->facts();
  return KernelReport{.device = context_->info().name,
                      .registers = facts.registers,
                      .spilled_bytes = facts.spilled_bytes,
                      .shared_bytes = facts.shared_bytes,
                      .block = facts.block,
                      .occupancy = facts.occupancy,
                      .compile_ms = facts.compile_ms,
                      .limit_gips = context_->info().fp32_limit_gips(),
                      .device_bytes = state_.bytes() + next_.bytes() + backup_.bytes() +
                                      accelerations_.size() + scratch_.size() + exchange_.size(),
                      .copied_bytes = copied_bytes_,
                      .compiling = wanted_.has_value(),
                      .problem = facts.problem};
}

std::string unavailable() {
  if (driver() == nullptr) return driver_problem();
  if (nvrtc() == nullptr) return nvrtc_problem();
  return devices().empty() ? "the NVIDIA driver finds no GPU" : "";
}

}  // namespace

constexpr EngineKind cuda_engine_kind{
    .name = "cuda",
    .meaning = "Kernels compiled at run time for the NVIDIA GPU that is there.",
    .unavailable = unavailable,
    .make = [](const OptionTable& options) -> std::unique_ptr<Engine> {
      return std::make_unique<CudaEngine>(options);
    },
};

}  // namespace orrery::sim
