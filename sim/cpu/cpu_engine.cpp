#include "sim/cpu/cpu_engine.h"

#include <new>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/threads.h"
#include "sim/core/time_account.h"
#include "sim/cpu/jerk.h"
#include "sim/options/engine_option.h"
#include "sim/physics/sources.h"

namespace orrery::sim {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - start).count();
}

void flatten(std::vector<Vec3>& vectors) {
  for (auto& v : vectors) v.z = 0.0F;
}

void refuse_whole_galaxies(const CpuKernel& kernel) {
  if (!kernel.takes_targets)
    throw UsageError("kernel=" + std::string(kernel.name) + ": " + std::string(shares_no_galaxy));
}

}  // namespace

void CpuEngine::load(const Bodies& bodies, double time) try {
  MotionArrays state{bodies.position, bodies.velocity, {}, {}};
  state.compensate(settings_.compensated);
  MotionArrays next = state;
  std::vector<Vec3> acceleration(bodies.size());
  auto mass = bodies.mass;
  auto charge = bodies.charge;
  galaxies_ = bodies.galaxies();
  targets_ = {0, bodies.size()};
  exchange_ = nullptr;
  curve_.reset();
  state_ = std::move(state);
  next_ = std::move(next);
  acceleration_ = std::move(acceleration);
  mass_ = std::move(mass);
  charge_ = std::move(charge);
  find_sources();
  if (settings_.planar()) enter_plane();
  map_.load(state_.position);
  cells_are_kept_ = false;
  stepper_.start(time, 0, false);
  timings_ = {};
  count_interactions();
  samples_.drop_forces();
} catch (const std::bad_alloc&) {
  throw Error("not enough memory for the CPU engine to hold the bodies; load fewer");
}

void CpuEngine::set_partition(BodyRange targets, StateExchange& exchange) {
  refuse_whole_galaxies(*settings_.kernel);
  targets_ = targets;
  cells_are_kept_ = false;
  exchange_ = &exchange;
  curve_.emplace(exchange.worker(), exchange.workers());
}

void CpuEngine::configure(const Configuration& configuration) {
  const CpuSettings settings(configuration);
  if (settings.kernel->threaded) require_threads(settings.threads);
  if (exchange_ != nullptr) refuse_whole_galaxies(*settings.kernel);
  if (!settings.physics.same_forces(settings_.physics) || settings.jerks() != settings_.jerks())
    stepper_.forget_forces();
  const bool other_law = settings.physics.law != settings_.physics.law;
  cells_are_kept_ = cells_are_kept_ && settings.kernel == settings_.kernel && settings.tree.shares_cells() &&
                    shape_of(settings.tree) == shape_of(settings_.tree);
  settings_ = settings;
  use_physics();
  if (other_law) find_sources();
  if (other_law || !settings.kernel->approximate) count_interactions();
  state_.compensate(settings_.compensated);
  next_.compensate(settings_.compensated);
  if (settings_.planar()) enter_plane();
  map_.configure(configuration, state_.position);
}

void CpuEngine::find_sources() {
  sources_ =
      sources_of(galaxies_, {state_.position, state_.velocity, mass_, charge_}, *settings_.physics.law);
}

void CpuEngine::count_interactions() { timings_.interactions = interactions_of(galaxies_, sources_); }

/// Two dimensions: without depth the forces have none either.
void CpuEngine::enter_plane() {
  flatten(state_.position);
  flatten(state_.velocity);
  flatten(state_.position_low);
  flatten(state_.velocity_low);
}

/// True if a tree goes on with the cells of a step before: by the number of the step, so that the same run
/// gives the same bits. block time steps count for themselves.
bool CpuEngine::keeps_cells() const {
  return cells_are_kept_ && !settings_.blocks() && settings_.tree.keeps_cells_at(stepper_.steps());
}

ForceProblem CpuEngine::force_problem(const MotionArrays& motion, const std::atomic<bool>* interrupt) {
  const auto* law = settings_.physics.law;
  const auto constants = settings_.physics.constants();
  return {.position = motion.position,
          .mass = mass_,
          .galaxies = galaxies_,
          .gravitational_constant = static_cast<float>(constants.gravitational_constant),
          .softening_squared = static_cast<float>(constants.softening_squared),
          .threads = settings_.threads,
          .interrupt = interrupt,
          .acceleration = acceleration_,
          .scratch = &scratch_,
          .memory = &memory_,
          .interactions = settings_.kernel->approximate ? &timings_.interactions : nullptr,
          .tree = settings_.tree,
          .keeps_cells = keeps_cells(),
          .law = law->acceleration_single != nullptr ? law : nullptr,
          .state = {motion.position, motion.velocity, mass_, charge_},
          .constants = constants,
          .instructions = settings_.instructions,
          .targets = targets_,
          .sources = sources_,
          .curve = curve_ ? &*curve_ : nullptr};
}

/// Motion update of the integrators from `begin` into `end`, which still equals `begin`.
Motion CpuEngine::motion_between(const MotionArrays& begin, MotionArrays& end) {
  Motion motion{end.position,     end.velocity,     acceleration_,
                end.position_low, end.velocity_low, settings_.acting_field()};
  const auto& integrator = *settings_.physics.integrator;
  if (!integrator.has_slopes() && !integrator.has_jerks()) return motion;
  motion.position_begin = begin.position;
  motion.velocity_begin = begin.velocity;
  motion.position_begin_low = begin.position_low;
  motion.velocity_begin_low = begin.velocity_low;
  sums_.lend(motion, integrator, mass_.size(), jerk_);
  return motion;
}

/// Shares the bodies that other processes moved, as far as the forces depend on them.
void CpuEngine::share(MotionArrays& motion) {
  if (exchange_ == nullptr) return;
  exchange_->share(motion.position);
  if (settings_.needs_velocities()) exchange_->share(motion.velocity);
}

/// Forces, and jerks where the integrator uses them, with the time of this process's part. A share is
/// complete when all shares are.
bool CpuEngine::evaluate(const ForceProblem& problem) {
  if (settings_.jerks()) jerk_.resize(mass_.size());
  const auto start = Clock::now();
  if (curve_) curve_->forget();
  bool complete = settings_.kernel->evaluate(problem);
  if (complete && settings_.jerks()) complete = evaluate_jerks(problem, *settings_.kernel, jerk_);
  note(TimelineKind::forces, start);
  const bool alone = exchange_ == nullptr;
  if (!alone) complete = exchange_->all(complete);
  if (complete) cells_are_kept_ = settings_.tree.shares_cells();
  if (alone || !complete) return complete;
  if (!curve_->begun()) return true;
  const auto end = Clock::now();
  curve_->bring_together(*exchange_, targets_, acceleration_);
  note(TimelineKind::update, end);
  return true;
}

/// Evaluations that are done, the last one's time, and that of all updates.
void CpuEngine::count(const std::vector<StepPart>& parts) {
  double update_ms = 0.0;
  for (const auto& part : parts) {
    if (part.activity == TimelineKind::update) {
      update_ms += part.milliseconds();
    } else {
      // A step ends with forces on all bodies: what these sum is known by now.
      timings_.add(part.milliseconds(),
                   part.interactions > 0.0 ? part.interactions / timings_.interactions : 1.0);
    }
  }
  timings_.update_ms = update_ms;
}

void CpuEngine::record_step(const std::vector<StepPart>& parts) {
  Timeline timeline{.schedule = std::string(settings_.kernel->name), .spans = {}};
  const auto at = [&](Clock::time_point time) { return milliseconds_between(parts.front().start, time); };
  for (const auto& part : parts)
    timeline.spans.push_back({.activity = part.activity, .start_ms = at(part.start), .end_ms = at(part.end)});
  samples_.give(std::move(timeline));
}

bool CpuEngine::advance(const WorkBudget& budget) {
  if (mass_.empty()) return false;
  const BindingScope bound(settings_.binding, settings_.threads);
  try {
    return stepper_.advance(budget);
  } catch (...) {
    stepper_.give_up();
    throw;
  }
}

void CpuEngine::sample_forces(const MotionArrays& motion) {
  if (!samples_.wants_forces()) return;
  ForceSample sample{.position = motion.position,
                     .mass = mass_,
                     .galaxies = galaxies_,
                     .physics = settings_.physics,
                     .time = stepper_.time() + settings_.physics.time_step};
  if (settings_.physics.law->uses_charges) {
    sample.velocity = motion.velocity;
    sample.charge = charge_;
  }
  const auto& wanted = samples_.wanted();
  sample.plan = wanted.plan;
  sample.index = sampled_bodies(sample, mass_.size(), wanted.forces, wanted.seed);
  if (settings_.kernel->approximate) sample.stated_error = stated_error(settings_.tree);
  for (const auto i : sample.index) sample.acceleration.push_back(acceleration_[i]);
  samples_.give(std::move(sample));
}

void CpuEngine::write_vertices(const VertexTarget& target) {
  if (target.space != VertexTarget::Space::host || target.bodies < mass_.size()) {
    throw Error("the CPU engine publishes into host memory that holds all bodies");
  }
  const auto start = Clock::now();
  pack_bodies(state_.position, state_.velocity, mass_, target.position, target.velocity,
              stepper_.steps() > 0 ? std::span<const Vec3>(acceleration_) : std::span<const Vec3>(),
              settings_.kernel->threaded ? settings_.threads : 1);
  publish_map(target);
  timings_.publish_ms = milliseconds_since(start);
}

void CpuEngine::publish_map(const VertexTarget& target) {
  timings_.map_ms = 0.0;
  if (!target.takes(map_.spec())) return;
  const auto start = Clock::now();
  const auto mine = std::span<const Vec3>(state_.position).subspan(targets_.first, targets_.size());
  map_counter_.write(mine, map_.spec(), mass_.size(), move_threads(), target.map);
  timings_.map_ms = milliseconds_since(start);
}

void CpuEngine::read_back(Bodies& bodies) {
  if (bodies.size() != mass_.size()) throw Error("read_back needs as many bodies as were loaded");
  bodies.position = state_.position;
  bodies.velocity = state_.velocity;
}

EngineState CpuEngine::save_state() {
  EngineState saved{.time = stepper_.time(),
                    .steps = stepper_.steps(),
                    .position = state_.position,
                    .velocity = state_.velocity,
                    .form = settings_.compensated ? "cpu compensated" : "cpu",
                    .arrays = {}};
  if (settings_.compensated) {
    saved.add("position-low", state_.position_low);
    saved.add("velocity-low", state_.velocity_low);
  }
  // Those of a step that is over are shown.
  saved.add(stepper_.has_forces() ? "acceleration" : "acceleration-before", acceleration_);
  if (settings_.jerks() && stepper_.has_forces()) saved.add("acceleration-jerk", jerk_);
  return saved;
}

bool CpuEngine::restore_state(const EngineState& saved) {
  if (saved.position.size() != mass_.size() || saved.velocity.size() != mass_.size())
    throw Error("the state is of another number of bodies");
  state_.position = saved.position;
  state_.velocity = saved.velocity;
  state_.compensate(false);
  state_.compensate(settings_.compensated);
  bool same = saved.form.starts_with("cpu") && saved.form.ends_with("compensated") == settings_.compensated;
  if (settings_.compensated)
    same = saved.read("position-low", state_.position_low) &&
           saved.read("velocity-low", state_.velocity_low) && same;
  bool has_forces = saved.read("acceleration", acceleration_);
  if (!has_forces) saved.read("acceleration-before", acceleration_);
  if (settings_.jerks()) {
    jerk_.resize(mass_.size());
    has_forces = saved.read("acceleration-jerk", jerk_) && has_forces;
  }
  stepper_.start(saved.time, saved.steps, has_forces);
  if (settings_.planar()) enter_plane();
  next_ = state_;
  cells_are_kept_ = false;
  return same;
}

EngineReport CpuEngine::report() const {
  const auto& kernel = *settings_.kernel;
  EngineReport report;
  // Without labels: the panel has no line to spare, and the options above say nearly the same.
  report.facts = {{.key = "threads", .value = std::int64_t{kernel.threaded ? settings_.threads : 1}}};
  if (kernel.vectors)
    report.facts.push_back({.key = "instructions", .value = std::string(settings_.instructions->name)});
  stepper_.add_facts(report);
  if (kernel.approximate && timings_.evaluations > 0 && !mass_.empty())
    report.facts.push_back(summed_for_each_body(timings_.interactions, mass_.size()));
  return report;
}

const EngineKind& CpuEngine::kind() const { return cpu_engine_kind; }

constexpr EngineKind cpu_engine_kind{
    .name = cpu_traits.name,
    .meaning = "OpenMP on the CPU; always available.",
    .target_space = VertexTarget::Space::host,
    .unavailable = [] { return std::string(); },
    .make = [](const OptionTable& options) -> std::unique_ptr<Engine> {
      return std::make_unique<CpuEngine>(options);
    },
};

}  // namespace orrery::sim
