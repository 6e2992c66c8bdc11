#include "sim/cpu/cpu_engine.h"

#include <new>
#include <utility>

#include "sim/cpu/kernel.h"
#include "sim/cpu/thread_binding.h"
#include "sim/error.h"
#include "sim/tuning/simulation_options.h"

namespace orrery::sim {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct MotionArrays {
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;
};

/// The options as numbers, read once when they change.
struct Settings {
  const CpuKernel* kernel = nullptr;
  const Integrator* integrator = nullptr;
  const InstructionSet* instructions = nullptr;
  int threads = 1;
  Binding binding = Binding::none;
  double dt = 0.0;
  double gravitational_constant = 1.0;
  double softening = 0.0;
  ForceModel force;
  bool planar = false;  ///< dimensions=2

  explicit Settings(const Configuration& configuration)
      : kernel(find_cpu_kernel(configuration.choice("kernel"))),
        integrator(find_integrator(configuration.choice("integrator"))),
        instructions(&instruction_set(configuration.choice("instructions"))),
        threads(static_cast<int>(configuration.integer("threads"))),
        binding(kernel->threaded ? binding_named(configuration.choice("binding")) : Binding::none),
        dt(configuration.real("time-step")),
        gravitational_constant(configuration.real("gravity")),
        softening(configuration.real("softening")),
        force(force_model(configuration)),
        planar(configuration.integer("dimensions") == 2) {}
};

void flatten(std::vector<Vec3>& vectors) {
  for (auto& v : vectors) v.z = 0.0F;
}

void refuse_whole_galaxies(const CpuKernel& kernel) {
  if (!kernel.takes_targets)
    throw UsageError("kernel=" + std::string(kernel.name) + ": " + std::string(shares_no_galaxy));
}

class CpuEngine final : public Engine {
 public:
  explicit CpuEngine(const OptionTable& options) : options_(options), settings_(options.defaults()) {}

  const EngineKind& kind() const override { return cpu_engine_kind; }

  void load(const Bodies& bodies, double time) override;
  void take_share(BodyRange targets, StateExchange& exchange) override;
  void configure(const Configuration& configuration) override;
  bool advance(const WorkBudget& budget) override;
  void publish(const Target& target) override;
  void read_back(Bodies& bodies) override;

  EngineStatus status() const override { return {.time = time_, .steps = steps_, .timings = timings_}; }
  EngineReport report() const override;
  void observe(const Observation& wanted) override;
  Arrivals collect() override {
    return {.forces = std::exchange(sample_, std::nullopt),
            .timeline = std::exchange(timeline_, std::nullopt)};
  }

 private:
  ForceProblem force_problem(const MotionArrays& motion, const std::atomic<bool>* interrupt);
  void enter_plane();
  void share(MotionArrays& motion);
  bool evaluate(const ForceProblem& problem, double& force_ms);
  bool ensure_acceleration(const std::atomic<bool>* interrupt);
  bool step_around_kernel(StepProblem& problem);
  void count_evaluation(double force_ms);
  void sample_forces(const MotionArrays& motion);
  void record_step(const StepProblem& problem, Clock::time_point start);

  const OptionTable& options_;
  Settings settings_;
  OptionContext context_;
  MotionArrays state_;  ///< the last complete step
  MotionArrays next_;   ///< the step in the making
  std::vector<Vec3> acceleration_;
  bool acceleration_is_current_ = false;  ///< of state_'s positions, with the present forces
  std::vector<float> mass_;
  std::vector<float> charge_;
  std::vector<GalaxyRange> galaxies_;
  std::vector<Vec3> scratch_;
  BodyRange targets_;                  ///< the bodies to move: all, or a share
  StateExchange* exchange_ = nullptr;  ///< of a share
  double time_ = 0.0;
  std::uint64_t steps_ = 0;
  StepTimings timings_;
  std::size_t sample_count_ = 0;
  std::uint64_t sample_seed_ = 0;
  std::optional<ForceSample> sample_;
  bool timeline_wanted_ = false;
  std::optional<Timeline> timeline_;
};

void CpuEngine::load(const Bodies& bodies, double time) try {
  MotionArrays state{bodies.position, bodies.velocity};
  MotionArrays next = state;
  std::vector<Vec3> acceleration(bodies.size());
  auto mass = bodies.mass;
  auto charge = bodies.charge;
  galaxies_ = bodies.galaxies();
  targets_ = {0, bodies.size()};
  exchange_ = nullptr;
  state_ = std::move(state);
  next_ = std::move(next);
  acceleration_ = std::move(acceleration);
  mass_ = std::move(mass);
  charge_ = std::move(charge);
  if (settings_.planar) enter_plane();
  acceleration_is_current_ = false;
  time_ = time;
  steps_ = 0;
  timings_ = {};
  timings_.interactions = interactions_per_evaluation(galaxies_);
  context_.bodies = bodies.size();
  context_.galaxies = galaxies_.size();
  sample_.reset();
} catch (const std::bad_alloc&) {
  throw Error("not enough memory for the CPU engine to hold the bodies; load fewer");
}

void CpuEngine::take_share(BodyRange targets, StateExchange& exchange) {
  refuse_whole_galaxies(*settings_.kernel);
  targets_ = targets;
  exchange_ = &exchange;
}

void CpuEngine::configure(const Configuration& configuration) {
  options_.check(configuration, context_);
  const Settings settings(configuration);
  if (exchange_ != nullptr) refuse_whole_galaxies(*settings.kernel);
  if (settings.gravitational_constant != settings_.gravitational_constant ||
      settings.softening != settings_.softening || settings.force != settings_.force ||
      settings.planar != settings_.planar) {
    acceleration_is_current_ = false;
  }
  settings_ = settings;
  if (settings_.planar) enter_plane();
}

/// Two dimensions: without depth the forces have none either.
void CpuEngine::enter_plane() {
  flatten(state_.position);
  flatten(state_.velocity);
}

ForceProblem CpuEngine::force_problem(const MotionArrays& motion, const std::atomic<bool>* interrupt) {
  const auto* law = settings_.force.law;
  return {.position = motion.position,
          .mass = mass_,
          .galaxies = galaxies_,
          .gravitational_constant = static_cast<float>(settings_.gravitational_constant),
          .softening_squared = static_cast<float>(settings_.softening * settings_.softening),
          .threads = settings_.threads,
          .interrupt = interrupt,
          .acceleration = acceleration_,
          .scratch = &scratch_,
          .law = law->acceleration_single != nullptr ? law : nullptr,
          .state = {motion.position, motion.velocity, mass_, charge_},
          .constants = settings_.force.constants(settings_.gravitational_constant, settings_.softening),
          .instructions = settings_.instructions,
          .targets = targets_};
}

/// What the other processes moved, as far as the forces depend on it.
void CpuEngine::share(MotionArrays& motion) {
  if (exchange_ == nullptr) return;
  exchange_->share(motion.position);
  if (settings_.force.law->uses_charges) exchange_->share(motion.velocity);
}

/// Forces, with the time of this process's part. A share is complete when all shares are.
bool CpuEngine::evaluate(const ForceProblem& problem, double& force_ms) {
  const auto start = Clock::now();
  const bool complete = settings_.kernel->evaluate(problem);
  force_ms = milliseconds_since(start);
  return exchange_ == nullptr ? complete : exchange_->all(complete);
}

void CpuEngine::count_evaluation(double force_ms) {
  timings_.force_ms = force_ms;
  ++timings_.evaluations;
}

bool CpuEngine::ensure_acceleration(const std::atomic<bool>* interrupt) {
  if (acceleration_is_current_ || !settings_.integrator->starts_with_acceleration) return true;
  share(state_);
  double force_ms = 0.0;
  if (!evaluate(force_problem(state_, interrupt), force_ms)) return false;
  count_evaluation(force_ms);
  acceleration_is_current_ = true;
  return true;
}

bool CpuEngine::step_around_kernel(StepProblem& problem) {
  const auto begin = Clock::now();
  const auto mine = problem.motion.range(targets_.first, targets_.last);
  problem.integrator->before_force(mine, problem.dt);
  share(next_);
  problem.update_ms = milliseconds_since(begin);
  if (!evaluate(problem.force, problem.force_ms)) return false;
  problem.after_forces();
  problem.before_ms = problem.update_ms;
  const auto forces_done = Clock::now();
  problem.integrator->after_force(mine, problem.dt);
  problem.update_ms += milliseconds_since(forces_done);
  return true;
}

/// The forces came in one piece between the two updates; a sample may have been taken after them.
void CpuEngine::record_step(const StepProblem& problem, Clock::time_point start) {
  const auto end = Clock::now();
  const auto later = [](Clock::time_point time, double milliseconds) {
    return time + std::chrono::duration_cast<Clock::duration>(
                      std::chrono::duration<double, std::milli>(milliseconds));
  };
  const auto moved = later(start, problem.before_ms);
  HostTimeline timeline(std::string(settings_.kernel->name), start);
  timeline.add(Activity::update, start, moved);
  timeline.add(Activity::forces, moved, later(moved, problem.force_ms));
  timeline.add(Activity::update, later(end, problem.before_ms - problem.update_ms), end);
  timeline_ = timeline.take();
  timeline_wanted_ = false;
}

bool CpuEngine::advance(const WorkBudget& budget) {
  if (mass_.empty()) return false;
  const BindingScope bound(settings_.binding, settings_.threads);
  if (!ensure_acceleration(budget.interrupt)) return false;
  next_.position = state_.position;
  next_.velocity = state_.velocity;
  acceleration_is_current_ = false;
  StepProblem problem{.force = force_problem(next_, budget.interrupt),
                      .motion = {next_.position, next_.velocity, acceleration_},
                      .integrator = settings_.integrator,
                      .dt = static_cast<float>(settings_.dt),
                      .after_forces = [this] { sample_forces(next_); }};
  const auto start = Clock::now();
  const bool complete =
      settings_.kernel->step != nullptr ? settings_.kernel->step(problem) : step_around_kernel(problem);
  if (!complete) return false;
  if (timeline_wanted_) record_step(problem, start);
  std::swap(state_, next_);
  acceleration_is_current_ = settings_.integrator->starts_with_acceleration;
  time_ += settings_.dt;
  ++steps_;
  timings_.update_ms = problem.update_ms;
  count_evaluation(problem.force_ms);
  return true;
}

void CpuEngine::sample_forces(const MotionArrays& motion) {
  if (sample_count_ == 0) return;
  ForceSample sample{.position = motion.position,
                     .mass = mass_,
                     .galaxies = galaxies_,
                     .gravitational_constant = settings_.gravitational_constant,
                     .softening = settings_.softening,
                     .index = sample_indices(mass_.size(), std::exchange(sample_count_, 0), sample_seed_),
                     .time = time_ + settings_.dt,
                     .force = settings_.force};
  if (settings_.force.law->uses_charges) {
    sample.velocity = motion.velocity;
    sample.charge = charge_;
  }
  for (const auto i : sample.index) sample.acceleration.push_back(acceleration_[i]);
  sample_ = std::move(sample);
}

void CpuEngine::publish(const Target& target) {
  if (target.space != Target::Space::host || target.bodies < mass_.size()) {
    throw Error("the CPU engine publishes into host memory that holds all bodies");
  }
  const auto start = Clock::now();
  pack_bodies(state_.position, state_.velocity, mass_, target.position, target.velocity);
  timings_.publish_ms = milliseconds_since(start);
}

void CpuEngine::read_back(Bodies& bodies) {
  if (bodies.size() != mass_.size()) throw Error("read_back needs as many bodies as were loaded");
  bodies.position = state_.position;
  bodies.velocity = state_.velocity;
}

EngineReport CpuEngine::report() const {
  const auto& kernel = *settings_.kernel;
  EngineReport report;
  report.facts = {
      {.key = "threads", .value = std::int64_t{kernel.threaded ? settings_.threads : 1}, .label = "threads"}};
  if (kernel.vectors)
    report.facts.push_back({.key = "instructions",
                            .value = std::string(settings_.instructions->name),
                            .label = "instructions",
                            .hint = "The set of vector instructions that the kernel computes with."});
  return report;
}

void CpuEngine::observe(const Observation& wanted) {
  timeline_wanted_ = timeline_wanted_ || wanted.timeline;
  if (wanted.forces == 0) return;
  sample_count_ = wanted.forces;
  sample_seed_ = wanted.seed;
}

}  // namespace

constexpr EngineKind cpu_engine_kind{
    .name = "cpu",
    .meaning = "OpenMP on the processor; always available.",
    .target_space = Target::Space::host,
    .unavailable = [] { return std::string(); },
    .make = [](const OptionTable& options) -> std::unique_ptr<Engine> {
      return std::make_unique<CpuEngine>(options);
    },
};

}  // namespace orrery::sim
