#include "sim/cuda/cuda_engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ranges>
#include <utility>

#include "sim/cuda/api.h"
#include "sim/cuda/body_exchange.h"
#include "sim/cuda/body_port.h"
#include "sim/cuda/checkpoint.h"
#include "sim/cuda/device_part.h"
#include "sim/cuda/engine_settings.h"
#include "sim/cuda/force_sampler.h"
#include "sim/cuda/kernel_limits.h"
#include "sim/error.h"

namespace orrery::sim {

namespace {

using namespace cuda;

/// "1@5" in ORRERY_TEST_LOSE_GPU: device 1 fails for good after 5 steps. For tests.
struct Fault {
  int device = -1;
  std::uint64_t step = 0;
  Fault() {
    const char* text = std::getenv("ORRERY_TEST_LOSE_GPU");
    if (text == nullptr) return;
    char* rest = nullptr;
    device = static_cast<int>(std::strtol(text, &rest, 10));
    if (*rest == '@') step = std::strtoull(rest + 1, nullptr, 10);
  }
};

class CudaEngine final : public Engine {
 public:
  explicit CudaEngine(const OptionTable& options);

  std::string_view name() const override { return "cuda"; }
  Target::Space target_space() const override { return Target::Space::device; }
  void load(const Bodies& bodies, double time) override;
  void configure(const Configuration& configuration) override;
  bool advance(const WorkBudget& budget) override;
  void publish(const Target& target) override;
  bool published() override;
  ~CudaEngine() override;
  void read_back(Bodies& bodies) override;
  void finish() override;
  double time() const override { return time_; }
  std::uint64_t steps() const override { return steps_; }
  StepTimings timings() const override { return timings_; }
  std::optional<KernelReport> kernel_report() const override;
  void request_force_sample(std::size_t count, std::uint64_t seed) override;
  std::optional<ForceSample> take_force_sample() override;
  void request_timeline() override { timeline_wanted_ = true; }
  std::optional<Timeline> take_timeline() override;

 private:
  enum class Stage { between_steps, first_forces, forces };

  std::size_t count() const { return host_.size(); }
  /// The device that draws and, with one device, computes.
  DevicePart& home() const { return *parts_.front(); }
  void make_parts(const std::vector<int>& devices);
  void choose_settings();
  bool ensure_modules(bool wait);
  void apply(const EngineSettings& settings, std::vector<std::shared_ptr<const Module>> modules);
  void enter_plane();
  void share_out();
  void upload();
  void pull();
  void give_up_step();
  void write_targets(DevicePart& part, CUdeviceptr position, CUdeviceptr velocity);
  BodyPort::Write write_all();
  void publish_on_device(const Target& target);
  void flush_update();
  void exchange_if_stale();
  void begin_step(bool keep_backup);
  void begin_forces(Stage stage);
  bool queues_full(bool wait);
  bool queue_forces(double most_ms);
  void end_evaluation();
  void end_step();
  bool step_within(const WorkBudget& budget);
  bool step_on_host(const WorkBudget& budget);
  void evaluate_for_host(bool sampled);
  void poll();
  void sample_forces();
  void start_timeline();
  void stop_timeline();
  std::string failed_devices() const;
  [[noreturn]] void explain_loss(const Error& error);
  /// Calls; a device that fails meanwhile is explained.
  template <typename Call>
  auto guarded(Call call) {
    try {
      return call();
    } catch (const DeviceLost&) {
      throw;
    } catch (const Error& error) {
      explain_loss(error);
    }
  }
  void take_bodies(const Bodies& bodies, double time);
  void take_configuration(const Configuration& configuration);
  void publish_anywhere(const Target& target);
  bool has_published();
  std::optional<Timeline> finished_timeline();
  void synchronize();
  void make_exchange();
  void check_indices(std::size_t bodies) const;

  const OptionTable& options_;
  OptionContext option_context_;
  std::optional<Configuration> configuration_;  ///< as asked for last
  std::optional<EngineSettings> wanted_;        ///< becomes settings_ when its kernel is compiled
  std::optional<EngineSettings> settings_;      ///< in force

  Bodies host_;  ///< masses, and the state while on_device_ is false
  std::vector<GalaxyRange> galaxies_;
  bool on_device_ = false;  ///< where the last complete step is
  std::vector<std::unique_ptr<DevicePart>> parts_;
  std::vector<DevicePart*> active_;  ///< those with bodies to move
  std::vector<StepTimings> part_timings_;
  std::unique_ptr<BodyPort> port_;
  std::unique_ptr<BodyExchange> exchange_;  ///< where several devices share a galaxy
  std::unique_ptr<Checkpoint> checkpoint_;  ///< with several devices
  std::string peers_;                       ///< how bodies go from device to device
  std::string lost_;                        ///< not empty: a device failed, and what to say
  std::vector<Vec3> host_acceleration_;
  std::vector<Vec3> position_before_, velocity_before_;  ///< round trip: the last complete step
  std::unique_ptr<Event> publish_start_, publish_end_;   ///< of the last publish into device memory
  bool publishing_ = false;                              ///< it was not seen to end yet

  Stage stage_ = Stage::between_steps;
  bool backed_up_ = false;  ///< the step under way kept a copy of the state before it
  bool moves_ = false;      ///< the evaluation under way updates galaxy by galaxy
  bool acceleration_is_current_ = false;
  bool positions_are_stale_ = false;  ///< devices lack positions that others moved
  /// The update after the forces waits for publish, which may use it to write vertices.
  bool update_pending_ = false;

  ForceSampler sampler_;
  bool timeline_wanted_ = false;
  std::optional<Timeline> timeline_;  ///< of devices that are done
  std::size_t timelines_missing_ = 0;
  Fault fault_;

  double time_ = 0.0;
  std::uint64_t steps_ = 0;
  double uploaded_time_ = 0.0;  ///< of the state in host_, while the devices go on from it
  std::uint64_t uploaded_steps_ = 0;
  StepTimings timings_;
};

CudaEngine::CudaEngine(const OptionTable& options) : options_(options) {
  if (driver() == nullptr) throw Error("cannot use the CUDA engine: " + driver_problem());
  if (nvrtc() == nullptr) throw Error("cannot use the CUDA engine: " + nvrtc_problem());
}

CudaEngine::~CudaEngine() {
  // What goes now may be in use, and needs a context; whatever failed was reported when it happened.
  for (const auto& part : parts_ | std::views::reverse) {
    if (driver()->cuCtxSetCurrent(part->context()) == CUDA_SUCCESS) driver()->cuCtxSynchronize();
  }
}

void CudaEngine::check_indices(std::size_t bodies) const {
  if (bodies > 0x7fffffffULL)
    throw Error("the CUDA kernels count bodies in 31 bits; load fewer than 2147483648");
}

void CudaEngine::make_parts(const std::vector<int>& devices) {
  check_devices(devices);
  std::vector<std::unique_ptr<DevicePart>> parts;
  parts.reserve(devices.size());
  for (const int device : devices) parts.push_back(std::make_unique<DevicePart>(device));
  give_up_step();
  if (on_device_) pull();
  // In this order: they belong to the parts.
  checkpoint_.reset();
  exchange_.reset();
  active_.clear();
  parts_ = std::move(parts);
  settings_.reset();
  acceleration_is_current_ = false;
  port_ = std::make_unique<BodyPort>();
  publishing_ = false;
  std::vector<DevicePart*> all;
  for (const auto& part : parts_) all.push_back(part.get());
  option_context_.device_memory = smallest_memory(devices);
  peers_.clear();
  if (all.size() > 1) peers_ = enable_peer_access(all) ? "peer copies" : "copies through the host";
  home().make_current();
  publish_start_ = std::make_unique<Event>();
  publish_end_ = std::make_unique<Event>();
}

void CudaEngine::load(const Bodies& bodies, double time) {
  guarded([&] { take_bodies(bodies, time); });
}

void CudaEngine::take_bodies(const Bodies& bodies, double time) {
  check_indices(bodies.size());
  auto galaxies = bodies.galaxies();
  if (!parts_.empty() && lost_.empty()) {
    give_up_step();
    finish();
  }
  part_timings_.clear();
  host_ = bodies;
  enter_plane();
  galaxies_ = std::move(galaxies);
  on_device_ = false;
  checkpoint_.reset();
  exchange_.reset();
  active_.clear();
  update_pending_ = false;
  acceleration_is_current_ = false;
  time_ = time;
  steps_ = 0;
  timings_ = {};
  if (port_) port_->reset_count();
  timings_.interactions = interactions_per_evaluation(galaxies_);
  option_context_.bodies = bodies.size();
  option_context_.galaxies = galaxies_.size();
  sampler_.drop();
  choose_settings();
}

void CudaEngine::configure(const Configuration& configuration) {
  if (!lost_.empty()) throw Error(lost_);
  guarded([&] { take_configuration(configuration); });
}

void CudaEngine::take_configuration(const Configuration& configuration) {
  const auto devices = devices_of(configuration);
  const bool same =
      std::ranges::equal(devices, parts_, {}, {}, [](const auto& p) { return p->info().ordinal; });
  // Before anything is replaced.
  auto context = option_context_;
  if (!same) context.device_memory = smallest_memory(devices);
  options_.check(configuration, context);
  if (!same) make_parts(devices);
  configuration_ = configuration;
  choose_settings();
}

/// What was asked for, with this number of galaxies.
void CudaEngine::choose_settings() {
  if (!configuration_) return;
  wanted_.emplace(*configuration_, std::max<std::size_t>(galaxies_.size(), 1));
  if (lost_.empty()) ensure_modules(false);
}

/// True when the wanted kernels, or until they are compiled the previous ones, can run.
bool CudaEngine::ensure_modules(bool wait) {
  if (!wanted_ && settings_ && home().modules().edited(settings_->kernel)) wanted_ = settings_;
  if (!wanted_) return settings_.has_value();
  try {
    std::vector<std::shared_ptr<const Module>> modules;
    for (const auto& part : parts_) {
      part->make_current();
      auto module = wait ? part->modules().get(wanted_->kernel) : part->modules().find(wanted_->kernel);
      // Devices of one kind then find it on disk.
      if (module == nullptr) return settings_.has_value();
      modules.push_back(std::move(module));
    }
    apply(*wanted_, std::move(modules));
    wanted_.reset();
  } catch (const Error&) {
    wanted_.reset();
    throw;
  }
  return true;
}

/// The step in the making begins again later, with another kernel.
void CudaEngine::give_up_step() {
  if (stage_ == Stage::between_steps) return;
  for (auto* part : active_) {
    part->restore_backup();
    part->queue().abandon_evaluation();
    part->timeline().cancel();
  }
  timeline_.reset();
  stage_ = Stage::between_steps;
  acceleration_is_current_ = false;
  positions_are_stale_ = true;
}

void CudaEngine::apply(const EngineSettings& settings, std::vector<std::shared_ptr<const Module>> modules) {
  if (settings_) {
    give_up_step();
    const bool other_form = StateForm(settings_->kernel) != StateForm(settings.kernel);
    const bool moves_away = other_form || settings.round_trip || !settings_->same_shares(settings);
    if (on_device_ && moves_away) pull();
    // The same kernel in other words: its sources were edited.
    const bool edited = settings_->kernel == settings.kernel && home().module() != modules.front().get();
    if (other_form || edited || moves_away || !settings_->same_forces(settings))
      acceleration_is_current_ = false;
    flush_update();
    if (settings_->nccl != settings.nccl) {
      synchronize();
      exchange_.reset();
    }
  }
  settings_ = settings;
  for (std::size_t k = 0; k < parts_.size(); ++k) parts_[k]->use(settings, std::move(modules[k]));
  enter_plane();
}

/// Two dimensions: the kernels' bodies have no depth, nor must the host's.
void CudaEngine::enter_plane() {
  const auto& settings = wanted_ ? wanted_ : settings_;
  if (!settings || settings->kernel.dimensions == 3) return;
  for (auto& x : host_.position) x.z = 0.0F;
  for (auto& v : host_.velocity) v.z = 0.0F;
}

/// Decides which device has which bodies.
void CudaEngine::share_out() {
  std::vector<double> weights;
  for (const auto& part : parts_)
    weights.push_back(settings_->weighted ? part->info().relative_speed() : 1.0);
  const auto shares =
      settings_->split_bodies ? split_bodies(galaxies_, weights) : split_galaxies(galaxies_, weights);
  checkpoint_.reset();
  exchange_.reset();
  active_.clear();
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (shares[k].targets.empty()) continue;
    parts_[k]->take_share(shares[k], galaxies_);
    active_.push_back(parts_[k].get());
  }
  part_timings_.assign(active_.size(), timings_);
}

void CudaEngine::upload() {
  share_out();
  for (auto* part : active_) part->allocate();
  if (active_.size() > 1) checkpoint_ = std::make_unique<Checkpoint>(active_, count());
  port_->upload(active_, host_, settings_->force.law->uses_charges, settings_->pinned);
  on_device_ = true;
  uploaded_time_ = time_;
  uploaded_steps_ = steps_;
  positions_are_stale_ = false;
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
  for (auto* part : active_) part->update(settings_->integrator->after, 0, 0);
}

void CudaEngine::make_exchange() {
  if (exchange_ == nullptr && settings_->split_bodies && active_.size() > 1)
    exchange_ = std::make_unique<BodyExchange>(active_, settings_->nccl);
}

/// Every device needs all positions before it computes forces on its own bodies.
void CudaEngine::exchange_if_stale() {
  if (!exchange_ || !positions_are_stale_) return;
  exchange_->run(settings_->force.law->uses_charges, static_cast<int>(steps_));
  positions_are_stale_ = false;
}

void CudaEngine::begin_step(bool keep_backup) {
  flush_update();
  const auto* integrator = settings_->integrator;
  if (integrator->starts_with_acceleration && !acceleration_is_current_)
    return begin_forces(Stage::first_forces);
  backed_up_ = keep_backup;
  start_timeline();
  for (auto* part : active_) {
    if (keep_backup)
      part->keep_backup();
    else
      part->drop_backup();
  }
  begin_forces(Stage::forces);
}

void CudaEngine::begin_forces(Stage stage) {
  // First what may fail: out of memory, no NCCL.
  make_exchange();
  for (auto* part : active_) part->allocate_scratch();
  const auto& before = settings_->integrator->before;
  // On a round trip the host moves the bodies.
  const bool kicks =
      stage == Stage::forces && !settings_->round_trip && (before.kick != 0.0 || before.drift != 0.0);
  // Sampled forces belong to positions that the update has not moved yet.
  moves_ = stage == Stage::forces && settings_->forks() && !settings_->kernel.fused &&
           !settings_->round_trip && !sampler_.due();
  for (auto* part : active_) part->prepare(moves_, static_cast<int>(steps_));
  stage_ = stage;
  for (auto* part : active_) {
    part->begin_evaluation(static_cast<int>(steps_));
    if (kicks) part->update(before, 0, 0);
  }
  if (kicks && before.drift != 0.0) positions_are_stale_ = true;
  exchange_if_stale();
  for (auto* part : active_) part->begin_forces(moves_);
}

/// True if some milliseconds of work wait for a device; with `wait` room is made instead.
bool CudaEngine::queues_full(bool wait) {
  bool full = false;
  for (auto* part : active_) {
    part->make_current();
    if (wait)
      part->queue().make_room();
    else
      full = part->queue().full() || full;
  }
  return full;
}

/// Queues some of the forces on every device; true when all are queued.
bool CudaEngine::queue_forces(double most_ms) {
  bool all = true;
  for (auto* part : active_) all = part->queue_forces(most_ms * part->queue().rate()) && all;
  return all;
}

void CudaEngine::end_evaluation() {
  for (auto* part : active_) part->end_evaluation();
}

bool CudaEngine::advance(const WorkBudget& budget) {
  if (count() == 0) return false;
  if (!lost_.empty()) throw Error(lost_);
  return guarded([&] { return step_within(budget); });
}

bool CudaEngine::step_within(const WorkBudget& budget) {
  const bool wait = budget.time == std::chrono::nanoseconds::max();
  if (!ensure_modules(wait)) return false;
  if (settings_->round_trip) return step_on_host(budget);
  if (!on_device_) upload();
  poll();
  const double slice_ms = wait ? 1e300 : settings_->slice_ms;
  const auto longer_than_a_slice = [&] {
    return std::ranges::any_of(
        active_, [&](auto* part) { return part->interactions() > slice_ms * part->queue().rate(); });
  };
  // Without a copy of the state before it, a step that has begun is queued to its end.
  const auto indivisible = [&] { return stage_ == Stage::forces && !backed_up_; };
  while (indivisible() || budget.interrupt == nullptr || !budget.interrupt->load()) {
    if (queues_full(wait || indivisible())) return false;
    if (stage_ == Stage::between_steps) begin_step(!wait && longer_than_a_slice());
    if (!queue_forces(slice_ms)) continue;
    end_evaluation();
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
    for (auto* part : active_) part->swap_states();
  } else {
    update_pending_ = !moves_;
  }
  positions_are_stale_ = true;
  for (auto* part : active_) part->drop_backup();
  backed_up_ = false;
  acceleration_is_current_ = settings_->integrator->starts_with_acceleration;
  time_ += settings_->dt;
  ++steps_;
  stop_timeline();
  if (checkpoint_) {
    flush_update();
    checkpoint_->queue_if_due(settings_->checkpoint_s, time_, steps_);
  }
  if (fault_.device >= 0 && steps_ == fault_.step) {
    for (auto* part : active_) {
      if (part->info().ordinal == fault_.device) part->break_device();
    }
  }
}

/// The reports' round trip: the host holds the bodies and integrates, the GPU only computes accelerations.
bool CudaEngine::step_on_host(const WorkBudget& budget) {
  if (budget.interrupt != nullptr && budget.interrupt->load()) return false;
  const auto* integrator = settings_->integrator;
  host_acceleration_.resize(count());
  if (integrator->starts_with_acceleration && !acceleration_is_current_) evaluate_for_host(false);
  const Motion motion{host_.position, host_.velocity, host_acceleration_};
  const auto dt = static_cast<float>(settings_->dt);
  position_before_ = host_.position;
  velocity_before_ = host_.velocity;
  integrator->before_force(motion, dt);
  try {
    evaluate_for_host(true);
  } catch (const Error&) {
    // The step is made again as a whole, or not at all.
    host_.position.swap(position_before_);
    host_.velocity.swap(velocity_before_);
    on_device_ = false;
    stage_ = Stage::between_steps;
    throw;
  }
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
  if (active_.empty()) share_out();
  for (auto* part : active_) part->allocate();
  port_->upload(active_, host_, settings_->force.law->uses_charges, settings_->pinned);
  on_device_ = true;
  begin_forces(Stage::forces);
  while (!queue_forces(1e300)) continue;
  end_evaluation();
  stage_ = Stage::between_steps;
  auto* memory = port_->accelerations_memory(count(), settings_->real_bytes(), settings_->pinned);
  for (auto* part : active_) port_->copy_accelerations(*part, settings_->real_bytes(), memory);
  if (sampled) sample_forces();
  finish();
  const auto* as_float = reinterpret_cast<const float*>(memory);
  const auto* as_double = reinterpret_cast<const double*>(memory);
  for (std::size_t i = 0; i < count(); ++i) {
    host_acceleration_[i] = settings_->real_bytes() == 4
                                ? Vec3{as_float[3 * i], as_float[3 * i + 1], as_float[3 * i + 2]}
                                : Vec3(DVec3{as_double[3 * i], as_double[3 * i + 1], as_double[3 * i + 2]});
  }
}

void CudaEngine::poll() {
  for (std::size_t k = 0; k < active_.size(); ++k) {
    active_[k]->make_current();
    active_[k]->queue().poll(part_timings_[k], stage_ != Stage::between_steps);
  }
  if (part_timings_.empty()) return;
  // Devices work at the same time: the slowest counts.
  const auto most = [&](auto member) {
    return std::invoke(member, *std::ranges::max_element(part_timings_, {}, member));
  };
  timings_.force_ms = most(&StepTimings::force_ms);
  timings_.update_ms = most(&StepTimings::update_ms);
  timings_.evaluations = std::ranges::min_element(part_timings_, {}, &StepTimings::evaluations)->evaluations;
}

void CudaEngine::finish() {
  guarded([this] {
    synchronize();
    poll();
  });
}

void CudaEngine::synchronize() {
  for (const auto& part : parts_) {
    part->make_current();
    part->streams().wait();
    part->queue().make_room();
  }
}

std::optional<ForceSample> CudaEngine::take_force_sample() {
  return guarded([this] { return sampler_.take(); });
}

/// "GPU 1 (NVIDIA H200)" of those that do not answer any more, or "". A GPU that faults takes the others of
/// this process with it where they can read its memory: then it is one of those named.
std::string CudaEngine::failed_devices() const {
  std::vector<std::string> names;
  for (const auto& part : parts_) {
    const CUresult result = driver()->cuCtxSetCurrent(part->context()) == CUDA_SUCCESS
                                ? driver()->cuStreamQuery(part->streams().main())
                                : CUDA_ERROR_UNKNOWN;
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY)
      names.push_back(fmt::format("GPU {} ({})", part->info().ordinal, part->info().name));
  }
  return fmt::format("{}{}", names.size() > 1 ? "one of " : "", fmt::join(names, ", "));
}

/// Called while an error is handled: if a device of several does not answer any more, goes back to the state
/// that was kept and says so.
void CudaEngine::explain_loss(const Error& error) {
  const auto failed = failed_devices();
  if (!lost_.empty() || failed.empty() || parts_.size() < 2) throw;
  const auto reached = steps_;
  // Nothing was kept yet: the host still has what was uploaded. What is on the host is not lost at all.
  if (on_device_ && (!checkpoint_ || !checkpoint_->restore(host_, time_, steps_))) {
    time_ = uploaded_time_;
    steps_ = uploaded_steps_;
  }
  on_device_ = update_pending_ = false;
  stage_ = Stage::between_steps;
  lost_ = fmt::format(
      "{} failed at step {}: {}; the last complete state that was kept is that of step {}, time {:g}; go on "
      "from it with engine=cpu, or in a new start of the program without that GPU",
      failed, reached, error.what(), steps_, time_);
  throw DeviceLost(lost_, reached - std::min(steps_, reached));
}

void CudaEngine::publish(const Target& target) {
  guarded([&] { publish_anywhere(target); });
}

void CudaEngine::publish_anywhere(const Target& target) {
  if (target.bodies < count()) throw Error("the target holds fewer bodies than the engine");
  if (target.space == Target::Space::device) return publish_on_device(target);
  if (!on_device_) {
    pack_bodies(host_.position, host_.velocity, host_.mass, target.position, target.velocity);
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  port_->download(active_, write_all(), target.position, target.velocity, count(), settings_->pinned);
  timings_.publish_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// The update after the forces, if it is still to be done, writes the vertices on its way.
BodyPort::Write CudaEngine::write_all() {
  return [this, pending = update_pending_](DevicePart& part, CUdeviceptr position, CUdeviceptr velocity) {
    // Memory for the way is there by now.
    update_pending_ = false;
    if (pending)
      part.update(settings_->integrator->after, position, velocity);
    else
      part.publish(position, velocity, stage_ == Stage::forces && backed_up_);
  };
}

void CudaEngine::publish_on_device(const Target& target) {
  home().make_current();
  const auto stream = home().streams().main();
  publish_start_->record(stream);
  if (on_device_) {
    port_->publish(active_, home(), write_all(), target);
  } else {
    // Before the first step, and between round trips, the host holds the bodies.
    if (target.free_event != nullptr)
      check(driver()->cuEventSynchronize(static_cast<CUevent>(target.free_event)),
            "waiting for the vertex buffer");
    const std::size_t floats = 4 * count();
    std::vector<float> packed(2 * floats);
    pack_bodies(host_.position, host_.velocity, host_.mass, packed.data(), packed.data() + floats);
    port_->copy_to_target(home(), packed.data(), packed.data() + floats, count(), target);
  }
  home().make_current();
  publish_end_->record(stream);
  publishing_ = true;
}

bool CudaEngine::published() {
  return guarded([this] { return has_published(); });
}

bool CudaEngine::has_published() {
  if (!publishing_) return true;
  home().make_current();
  if (!publish_end_->passed()) return false;
  publishing_ = false;
  timings_.publish_ms = publish_end_->milliseconds_since(*publish_start_);
  return true;
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
  // Where galaxies have moved already, a sample that was asked for meanwhile waits for the next step.
  if (!sampler_.due() || moves_) return;
  const bool charges = settings_->force.law->uses_charges;
  home().make_current();
  auto* position = static_cast<float*>(sampler_.memory(count(), charges, settings_->real_bytes()));
  auto* velocity = charges ? position + 4 * count() : nullptr;
  auto* accelerations = reinterpret_cast<std::byte*>(position + (charges ? 8 : 4) * count());
  try {
    for (auto* part : active_) {
      part->publish_range(part->packed_position(), part->packed_velocity(), part->streams().main(),
                          part->targets());
      port_->copy_packed(*part, position, velocity);
      port_->copy_accelerations(*part, settings_->real_bytes(), accelerations);
      sampler_.queued_in(part->streams().main());
    }
  } catch (const Error&) {
    sampler_.drop();
    throw;
  }
  sampler_.queued({.mass = host_.mass,
                   .galaxies = galaxies_,
                   .gravitational_constant = settings_->gravitational_constant,
                   .softening = settings_->softening,
                   .time = time_ + settings_->dt,
                   .force = settings_->force,
                   .charge = charges ? host_.charge : std::vector<float>()});
}

void CudaEngine::start_timeline() {
  if (!std::exchange(timeline_wanted_, false)) return;
  timeline_.emplace();
  timeline_->schedule = schedule_name(settings_->schedule);
  timelines_missing_ = active_.size();
  for (auto* part : active_) {
    part->make_current();
    part->timeline().start(part->info().ordinal, part->streams().main());
  }
}

/// With the update, so that the whole step is seen.
void CudaEngine::stop_timeline() {
  if (!active_.front()->timeline().on()) return;
  flush_update();
  for (auto* part : active_) {
    part->make_current();
    part->timeline().stop(part->streams().main());
  }
}

std::optional<Timeline> CudaEngine::take_timeline() {
  return guarded([this] { return finished_timeline(); });
}

std::optional<Timeline> CudaEngine::finished_timeline() {
  if (!timeline_ || timelines_missing_ == 0) return std::nullopt;
  for (auto* part : active_) {
    part->make_current();
    auto spans = part->timeline().take();
    if (!spans) continue;
    timeline_->spans.insert(timeline_->spans.end(), spans->begin(), spans->end());
    --timelines_missing_;
  }
  if (timelines_missing_ > 0) return std::nullopt;
  return std::exchange(timeline_, std::nullopt);
}

std::optional<KernelReport> CudaEngine::kernel_report() const {
  if (!settings_) return std::nullopt;
  const auto& facts = home().module()->facts();
  KernelReport report{.device = home().info().name,
                      .registers = facts.registers,
                      .spilled_bytes = facts.spilled_bytes,
                      .shared_bytes = facts.shared_bytes,
                      .block = facts.block,
                      .occupancy = facts.occupancy,
                      .compile_ms = facts.compile_ms,
                      .slots_per_interaction = facts.instructions.each(facts.instructions.issued),
                      .special_per_interaction = facts.instructions.each(facts.instructions.special),
                      .copied_bytes = port_->copied_bytes(),
                      .schedule = std::string(schedule_name(settings_->schedule)),
                      .streams = std::max<std::size_t>(home().streams().workers(), 1),
                      .graph_captures = home().graph().captures(),
                      .devices = active_.empty() ? parts_.size() : active_.size(),
                      .compiling = wanted_.has_value(),
                      .problem = facts.problem};
  for (const auto& part : parts_) {
    const bool works = active_.empty() || std::ranges::find(active_, part.get()) != active_.end();
    if (works) add_limits(report, part->module()->facts().instructions, part->info());
    report.device_bytes += part->device_bytes();
  }
  if (parts_.size() > 1) {
    report.exchange_how = exchange_ ? exchange_->how() : peers_;
    try {
      home().make_current();
      report.exchange_ms = exchange_ ? exchange_->milliseconds() : port_->arrival_ms();
    } catch (const Error&) {
      // A device that failed: whoever asks it for work says so.
    }
  }
  return report;
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
