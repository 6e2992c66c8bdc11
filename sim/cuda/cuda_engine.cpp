#include "sim/cuda/cuda_engine.h"

#include <omp.h>

#include <algorithm>
#include <utility>

#include "sim/core/parallel_copy.h"
#include "sim/core/time_account.h"
#include "sim/cuda/compiler/compiler.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/driver/availability.h"
#include "sim/cuda/emulator/emulator.h"
#include "sim/cuda/launch/kernel_limits.h"
#include "sim/options/engine_option.h"
#include "sim/physics/sources.h"

namespace orrery::sim::cuda {

CudaEngine::CudaEngine(const EngineKind& kind) : kind_(kind) {
  if (driver() == nullptr) throw Error("cannot use the CUDA engine: " + driver_problem());
  if (nvrtc() == nullptr) throw Error("cannot use the CUDA engine: " + nvrtc_problem());
}

CudaEngine::~CudaEngine() {
  // What goes now may be in use, and needs a context; whatever failed was reported when it happened.
  for (const auto& part : parts_) {
    if (driver()->cuCtxSetCurrent(part->context()) == CUDA_SUCCESS) driver()->cuCtxSynchronize();
  }
  if (!parts_.empty()) driver()->cuCtxSetCurrent(home().context());
}

void CudaEngine::make_parts(const std::vector<int>& devices) {
  const TimedPhase phase("start CUDA");
  check_devices(devices);
  std::vector<std::unique_ptr<GpuWorker>> parts;
  parts.reserve(devices.size());
  for (const int device : devices) parts.push_back(std::make_unique<GpuWorker>(device));
  stepper_.give_up();
  if (on_device()) pull();
  // In this order: they belong to the parts.
  drop_shares();
  map_.drop_sum();
  parts_ = std::move(parts);
  settings_.reset();
  stepper_.forget_forces();
  round_trip_.reset();
  std::vector<GpuWorker*> all;
  for (const auto& part : parts_) all.push_back(part.get());
  port_ = std::make_unique<BodyTransfer>(all);
  home().make_current();
  publishing_.make();
}

/// Without what is no part of the physics: ids, components and the numbers of the galaxies.
void CudaEngine::copy_to_host(const Bodies& bodies) {
  const int threads = omp_get_max_threads();
  copy_to(host_.position, bodies.position, threads);
  copy_to(host_.velocity, bodies.velocity, threads);
  copy_to(host_.mass, bodies.mass, threads);
  copy_to(host_.charge, bodies.charge, threads);
  host_.origin = bodies.origin;
}

void CudaEngine::load(const Bodies& bodies, double time) try {
  if (bodies.size() > 0x7fffffffULL)
    throw Error("the CUDA kernels count bodies in 31 bits; load fewer than 2147483648");
  auto galaxies = bodies.galaxies();
  if (!parts_.empty() && !loss_.happened()) {
    stepper_.give_up();
    finish();
  }
  team_.leave();
  copy_to_host(bodies);
  if (round_trip_) round_trip_->forget();
  enter_plane();
  galaxies_ = std::move(galaxies);
  place_ = Place::host;
  drop_shares();
  cut_.start();
  vertices_.forget();
  map_.load(host_.position);
  stepper_.start(time, 0, false);
  if (port_) port_->reset_count();
  timings_.start(interactions_per_evaluation(galaxies_));
  sampler_.drop();
  choose_settings();
} catch (const Error& error) {
  explain_loss(error);
}

void CudaEngine::configure(const Configuration& configuration) try {
  loss_.refuse();
  const auto devices = devices_of(configuration);
  const bool same =
      team_.all(std::ranges::equal(devices, parts_, {}, {}, [](const auto& p) { return p->info().ordinal; }));
  if (!same) make_parts(devices);
  configuration_ = configuration;
  map_.configure(configuration, host_.position);
  choose_settings();
} catch (const Error& error) {
  explain_loss(error);
}

/// Applies the requested settings to this number of galaxies.
void CudaEngine::choose_settings() {
  if (!configuration_) return;
  EngineSettings settings(*configuration_, std::max<std::size_t>(galaxies_.size(), 1));
  if (team_.has_others()) {
    refuse_sharing(settings);
    // Also where each process has one GPU.
    settings.split = team_.in_domains() ? Split::domains : Split::bodies;
  }
  wanted_ = std::move(settings);
  // What changes the bodies' place is done by all processes of a team together.
  if (!loss_.happened()) ensure_modules(team_.has_others());
}

/// True when the wanted kernels, or until they are compiled the previous ones, can run.
bool CudaEngine::ensure_modules(bool wait) {
  if (!wanted_ && settings_ && !team_.has_others() && home().modules().edited(settings_->kernel))
    wanted_ = settings_;
  if (!wanted_) return settings_.has_value();
  try {
    std::vector<std::shared_ptr<const Module>> modules;
    const TimedPhase phase("wait for the compiler");
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

void CudaEngine::apply(const EngineSettings& settings, std::vector<std::shared_ptr<const Module>> modules) {
  if (settings_) {
    stepper_.give_up();
    const bool other_form = StateForm(settings_->kernel) != StateForm(settings.kernel);
    const bool moves_away = other_form || settings.round_trip || !settings_->same_shares(settings);
    if (on_device() && moves_away) pull();
    // The same kernel in other words: its sources were edited.
    const bool edited = settings_->kernel == settings.kernel && home().module() != modules.front().get();
    // Fused kernels begin the next step along with the forces, with the time step that was in force.
    if (settings_->kernel.jerks != settings.kernel.jerks || other_form || edited || moves_away ||
        !settings_->same_forces(settings) || settings.kernel.updates())
      stepper_.forget_forces();
    vertices_.forget();
    flush_update();
  }
  settings_ = settings;
  choose_device();
  for (std::size_t k = 0; k < parts_.size(); ++k) parts_[k]->use(settings, std::move(modules[k]));
  enter_plane();
  map_.use(parts_, count());
}

/// Where the host moves the bodies, steps are made there.
void CudaEngine::choose_device() {
  if (!settings_->round_trip)
    round_trip_.reset();
  else if (round_trip_)
    round_trip_->forget();
  else
    round_trip_ = std::make_unique<RoundTrip>(*this);
  StepDevice* device = this;
  if (round_trip_) device = round_trip_.get();
  stepper_.configure(*device, settings_->physics, settings_->physics.time_step);
}

/// Two dimensions: the kernels' bodies have no depth, nor must the host's.
void CudaEngine::enter_plane() {
  const auto& settings = wanted_ ? wanted_ : settings_;
  if (!settings || settings->kernel.dimensions == 3) return;
  for (auto& x : host_.position) x.z = 0.0F;
  for (auto& v : host_.velocity) v.z = 0.0F;
}

std::vector<double> CudaEngine::weights_of_parts() const {
  std::vector<double> weights;
  for (const auto& part : parts_)
    weights.push_back(settings_->weighted ? part->info().relative_speed() : 1.0);
  return weights;
}

/// The devices have no bodies yet.
void CudaEngine::drop_shares() {
  loss_.drop_copies();
  exchange_.reset();
  domains_.reset();
  active_.clear();
}

/// Decides which device has which bodies.
void CudaEngine::share_out() {
  if (settings_->split == Split::domains) return share_domains();
  const auto weights = team_.all_weights(weights_of_parts());
  cut_.clear();
  port_->set_order(home(), nullptr);
  const auto shares = settings_->split == Split::bodies ? split_bodies(galaxies_, weights)
                                                        : split_galaxies(galaxies_, weights);
  drop_shares();
  hold_bodies(shares);
  const auto sources = sources_of(galaxies_, {host_.position, host_.velocity, host_.mass, host_.charge},
                                  *settings_->physics.law);
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const auto& share = shares[team_.first() + k];
    if (share.targets.empty()) continue;
    parts_[k]->set_partition(share, galaxies_, sources);
    active_.push_back(parts_[k].get());
  }
  if (settings_->split == Split::bodies && (active_.size() > 1 || team_.has_others()))
    exchange_ = std::make_unique<BodyExchange>(active_, team_, settings_->ranks_transfer);
  timings_.begin(active_);
}

void CudaEngine::upload() {
  const TimedPhase phase("upload");
  share_out();
  for (auto* part : active_) part->allocate();
  if (active_.size() > 1 && !team_.has_others()) loss_.keep_copies(active_, count(), cut_.order());
  port_->upload(active_, host_, settings_->physics.law->uses_charges, settings_->pinned);
  place_ = Place::device;
  map_.note_step();
  loss_.note_upload(stepper_.time(), stepper_.steps());
}

void CudaEngine::pull() {
  read_back(host_);
  team_.gather(host_.position);
  team_.gather(host_.velocity);
  place_ = Place::host;
}

EngineReport CudaEngine::report() const {
  if (!settings_) return {.device = parts_.empty() ? std::string() : home().info().name};
  auto report = report_of(home().module()->facts(), home().info().name);
  report.devices = active_.empty() ? parts_.size() : active_.size();
  report.compiling = wanted_.has_value();
  for (const auto& part : parts_) {
    const bool works = active_.empty() || std::ranges::find(active_, part.get()) != active_.end();
    // Instructions of a pair's sum say nothing of a tree's time.
    if (works && !settings_->kernel.family->approximate)
      add_limits(report, part->module()->facts().instructions, part->info());
  }
  add_interactions(report);
  stepper_.add_facts(report);
  add_memory(report);
  add_launches(report);
  add_sharing(report);
  // Queues hold some milliseconds of work only.
  if (const double part = part_queued(); part > 0.0) report.facts.push_back({part_done_fact, part});
  return report;
}

void CudaEngine::add_interactions(EngineReport& report) const {
  if (!settings_->kernel.family->approximate || timings_.all().evaluations == 0 || count() == 0) return;
  std::size_t bodies = 0;
  for (const auto* part : active_) bodies += part->targets().size();
  report.facts.push_back(summed_for_each_body(timings_.all().interactions, std::max<std::size_t>(bodies, 1)));
  ForceCounts counts;
  for (const auto& part : parts_) counts += part->counts();
  const auto add = [&](const char* key, std::uint64_t value, const char* label, const char* hint) {
    if (value == 0) return;
    report.facts.push_back({key, static_cast<std::int64_t>(value), label, "", hint});
  };
  add("crowded_groups", counts.crowded_groups, "crowded groups",
      "Groups of neighbouring bodies that were divided because their box holds many others.");
  add("over_budget_groups", counts.over_budget_groups, "long groups",
      "Groups that were divided because they met more bodies and cells than the budget allows.");
  add("divided_parts", counts.divided_parts, "divided parts",
      "Parts of divided groups whose bodies were computed one by one.");
  add("interactions_in_parts", counts.in_parts, "in parts",
      "Interactions of bodies of divided groups, which a warp computes for few bodies at a time.");
}

void CudaEngine::add_memory(EngineReport& report) const {
  std::size_t bytes = map_.bytes();
  for (const auto& part : parts_) bytes += part->device_bytes();
  if (domains_) bytes += domains_->device_bytes();
  report.facts.push_back({"device_bytes", static_cast<std::int64_t>(bytes), "memory", "B",
                          "What the engine holds in the memory of its GPUs."});
  report.facts.push_back({"copied_bytes", static_cast<std::int64_t>(port_->copied_bytes()), "copied", "B",
                          "Bodies and forces copied between host and GPU since the dataset was loaded. "
                          "Steps, and drawing from the GPU's own buffer, add nothing."});
}

void CudaEngine::add_launches(EngineReport& report) const {
  report.facts.push_back({"launches", static_cast<std::int64_t>(timings_.launches_of_step()),
                          timings_.launches_of_step() > 0 ? "launches" : "", "/step",
                          "Kernels (or graphs) that were launched for the last step, with those that "
                          "publish and sample."});
  report.facts.push_back({"vertices_by", std::string(vertices_.writer()),
                          vertices_.writer().empty() ? "" : "drawn from", "",
                          "The kernel that wrote the vertices that are drawn: the one that computes "
                          "forces and moves the bodies (fused_step), the one that moves them after "
                          "the forces (update), or one that only copies (publish)."});
}

/// Reports how galaxies are shared among the GPUs.
void CudaEngine::add_sharing(EngineReport& report) const {
  const auto streams = static_cast<std::int64_t>(std::max<std::size_t>(home().streams().workers(), 1));
  const std::string schedule(schedule_name(settings_->schedule));
  const auto captures = static_cast<std::int64_t>(home().graph().captures());
  std::string exchange;
  double exchange_ms = 0.0;
  if (parts_.size() > 1 || team_.has_others()) {
    exchange = exchange_ ? exchange_->how() : domains_ ? domains_->how() : port_->way();
    try {
      home().make_current();
      exchange_ms = exchange_ ? exchange_->milliseconds() : port_->arrival_ms();
    } catch (const Error&) {
      // A device that failed: the caller asks it for work says so.
    }
  }
  const auto shown = [](bool matters, std::string_view label) {
    return matters ? label : std::string_view();
  };
  report.facts.push_back({"schedule", schedule, "schedule"});
  // For JSON and the option itself.
  if (parts_.size() > 1) report.facts.push_back({"split_by", std::string(split_name(settings_->split))});
  report.facts.push_back({"streams", streams, shown(streams > 1, "streams")});
  report.facts.push_back({"graph_captures", captures, shown(captures > 0, "graphs"), "",
                          "Graphs of launches that were captured so far."});
  report.facts.push_back({"exchange", exchange, "exchange", "", "How bodies go from one GPU to the other."});
  report.facts.push_back({"exchange_ms", exchange_ms, shown(!exchange.empty(), "it took"), "ms",
                          "How long the last exchange between GPUs took."});
  add_domains(report);
}

void prepare(const Configuration& configuration) {
  if (driver() == nullptr) throw Error(driver_problem());
  std::vector<std::string> architectures;
  for (const int ordinal : devices_of(configuration))
    architectures.push_back(Context(ordinal).info().architecture());
  const EngineSettings settings(configuration, 1);
  for (const auto& architecture : architectures)
    compile_cached(settings.kernel, architecture, kernel_cache_folder(), *kernel_files());
}

}  // namespace orrery::sim::cuda

namespace orrery::sim {

namespace {

/// Empty if this process can have emulated GPUs.
std::string why_not_emulated() {
  if (auto problem = cuda::substitution_problem(); !problem.empty()) return problem;
  return cuda::emulator::compiler_problem();
}

/// From now on the process has emulated GPUs. Throws Error.
void emulate() {
  if (const auto problem = why_not_emulated(); !problem.empty())
    throw Error("cannot emulate a GPU: " + problem);
  static const auto driver = cuda::emulator::emulated_driver();
  static const auto compiler = cuda::emulator::host_compiler();
  cuda::substitute_gpu(driver, compiler);
}

}  // namespace

constexpr EngineKind cuda_engine_kind{
    .name = cuda_traits.name,
    .meaning = "Kernels compiled at run time for the NVIDIA GPU that is there.",
    .target_space = VertexTarget::Space::device,
    .unavailable = cuda::cuda_problem,
    .make = [](const OptionTable&) -> std::unique_ptr<Engine> {
      return std::make_unique<cuda::CudaEngine>(cuda_engine_kind);
    },
    .prepare = cuda::prepare,
};

constexpr EngineKind emulated_engine_kind{
    .name = emulated_traits.name,
    .meaning =
        "The GPU's kernels, run on the CPU by an emulator: to read and debug them without a GPU. Slow.",
    .target_space = VertexTarget::Space::host,
    .unavailable = why_not_emulated,
    .make = [](const OptionTable&) -> std::unique_ptr<Engine> {
      emulate();
      return std::make_unique<cuda::CudaEngine>(emulated_engine_kind);
    },
    .prepare =
        [](const Configuration& configuration) {
          emulate();
          cuda::prepare(configuration);
        },
    .only_if_asked_for = true,
};

}  // namespace orrery::sim
