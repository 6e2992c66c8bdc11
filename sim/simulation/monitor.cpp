#include "sim/simulation/monitor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>

#include "sim/core/threads.h"
#include "sim/cpu/cpu_options.h"
#include "sim/simulation/error_watch.h"

namespace orrery::sim {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Two roundings of a position in single precision, by no more than half a unit of the last place each.
double rounding_of(const Vec3& position) { return 0x1.0p-23 * norm(DVec3(position)); }

double error_of_body(const StepPair& pair, std::size_t i, double share_after) {
  const DVec3 moved = DVec3(pair.position_after[i]) - DVec3(pair.position_before[i]);
  const DVec3 right = pair.time_step * ((1.0 - share_after) * DVec3(pair.velocity_before[i]) +
                                        share_after * DVec3(pair.velocity_after[i]));
  const double off = std::max(norm(moved - right) - rounding_of(pair.position_after[i]), 0.0);
  if (!std::isfinite(norm(moved - right))) return infinite;
  const double size = norm(right);
  if (size == 0.0) return off == 0.0 ? 0.0 : infinite;
  return off / size;
}

double median_error(const StepPair& pair, double share_after) {
  std::vector<double> errors;
  errors.reserve(pair.position_before.size());
  for (std::size_t i = 0; i < pair.position_before.size(); ++i)
    errors.push_back(error_of_body(pair, i, share_after));
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::ranges::nth_element(errors, middle);
  return *middle;
}

/// Summing all pairs of this many bodies takes about a second of one thread.
constexpr std::size_t exact_potential_limit = 32'768;

using Seconds = std::chrono::duration<double>;

/// Waiting for a core is no work.
Seconds worked_by_this_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return Seconds(static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec));
}

double relative(double value, double scale) { return scale > 0.0 ? value / scale : 0.0; }

}  // namespace

double motion_error(const StepPair& pair) {
  if (pair.empty()) return 0.0;
  double best = infinite;
  for (const double share_after : std::array{0.0, 0.5, 1.0})
    best = std::min(best, median_error(pair, share_after));
  return best;
}

void set_drifts(Health& health, const Diagnostics& start, const Diagnostics& now) {
  const double size = start.kinetic + std::abs(start.potential);
  const double energy = std::abs(start.energy());
  const double scale = energy > 1e-3 * size ? energy : size;
  health.energy_drift = relative(now.energy() - start.energy(), scale);
  health.energy_drift_uncertainty =
      relative(std::hypot(start.potential_uncertainty, now.potential_uncertainty), scale);
  const double momentum_scale = std::sqrt(2.0 * start.kinetic * start.mass);
  health.momentum_drift = relative(norm(now.momentum - start.momentum), momentum_scale);
  health.angular_momentum_drift =
      relative(norm(now.angular_momentum - start.angular_momentum), momentum_scale * start.r90);
}

Verdict verdict(const ForceError& error) {
  using Limits = ForceErrorLimits;
  const bool breaks = breaks_statement(error);
  const bool dominated = error.mass_ratio > 0.0;
  const double median = dominated ? Limits::doubtful_dominant : Limits::doubtful_median;
  if (!breaks && error.median <= std::max(Limits::good_median, error.stated.median) &&
      error.p99 <= std::max(Limits::good_p99, Limits::scatter_p99 * error.stated.p99) &&
      error.dominant <= std::max(Limits::good_dominant, error.stated.p99))
    return Verdict::good;
  const bool worst_is_doubtful =
      !breaks || (error.worst.median <= median && error.worst.p99 <= Limits::doubtful_p99);
  if (worst_is_doubtful && error.median <= median && error.p99 <= Limits::doubtful_p99 &&
      error.dominant <= std::max(Limits::doubtful_dominant, error.stated.p99))
    return Verdict::doubtful;
  return Verdict::wrong;
}

Verdict verdict(const Health& health) {
  // Written so that a value that is no number is wrong.
  if (health.motion_error && !(*health.motion_error <= most_motion_error)) return Verdict::wrong;
  if (!health.problem.empty()) return Verdict::wrong;
  const auto forces = verdict(health.force_error);
  const bool lost = health.drift_step && loses_energy(health);
  return lost && forces == Verdict::good ? Verdict::doubtful : forces;
}

bool loses_energy(const Health& health) {
  constexpr double standard_errors = 3.0;
  // Written so that a value that is no number is wrong.
  return !(std::abs(health.energy_drift) <=
           most_energy_drift + standard_errors * health.energy_drift_uncertainty);
}

Verdict energy_verdict(double drift) {
  const double size = std::abs(drift);
  if (size < 1e-3) return Verdict::good;
  return size < 1e-2 ? Verdict::doubtful : Verdict::wrong;
}

Seconds rest_after(Seconds work, bool baseline) { return baseline ? work : 19.0 * work; }

MonitorTimes times_of_this_machine() { return {&std::chrono::steady_clock::now, &worked_by_this_thread}; }

void Monitor::Lane::start(std::function<void(const HealthCheck&)> examine) {
  examine_ = std::move(examine);
  thread_ = start_thread("checks of the simulation", [this] { run(); });
}

void Monitor::Lane::end() {
  quit_ = true;
  ++signal_;
  signal_.notify_one();
  thread_.join();
  delete inbox_.exchange(nullptr);
}

void Monitor::Lane::submit(std::unique_ptr<HealthCheck> check) {
  inbox_ = check.release();
  ++signal_;
  signal_.notify_one();
}

void Monitor::Lane::run() {
  lower_thread_priority(10);
  for (unsigned seen = 0; !quit_; seen = signal_) {
    busy_ = true;
    const std::unique_ptr<HealthCheck> check(inbox_.exchange(nullptr));
    try {
      if (check != nullptr) examine_(*check);
    } catch (const std::exception&) {
      // The monitor is being destroyed, or there is no memory for the check: the last result stays.
    }
    busy_ = false;
    signal_.wait(seen);
  }
}

Monitor::Monitor(MonitorTimes times) : times_(std::move(times)) {
  forces_.start([this](const HealthCheck& check) { examine_forces(check); });
  bodies_.start([this](const HealthCheck& check) { examine_bodies(check); });
}

Monitor::~Monitor() {
  quit_ = true;
  forces_.end();
  bodies_.end();
}

/// Facts about the bodies and facts about the forces are merged.
void Monitor::submit(std::unique_ptr<HealthCheck> check) {
  if (check->forces.index.empty()) return bodies_.submit(std::move(check));
  if (!check->bodies.empty() && takes_bodies()) {
    bodies_.submit(std::make_unique<HealthCheck>(HealthCheck{.bodies = std::move(check->bodies),
                                                             .galaxies = check->galaxies,
                                                             .physics = check->physics,
                                                             .time = check->time,
                                                             .step = check->step,
                                                             .baseline = check->baseline}));
  }
  forces_.submit(std::move(check));
}

void Monitor::update(const std::function<void(Health&)>& change) {
  const std::lock_guard lock(mutex_);
  change(health_);
  results_.send(health_);
}

void Monitor::examine_forces(const HealthCheck& check) {
  // Only this thread changes label and revision.
  const bool same = check.revision != 0 && check.label == health_.label && check.revision == health_.revision;
  if (!same) statement_ = {};
  const auto error = statement_.add(force_error(check.forces, available_processors()));
  const auto motion = check.motion.empty() ? std::nullopt : std::optional(motion_error(check.motion));
  update([&](Health& health) {
    health.force_error = error;
    health.problem = check.problem;
    if (check.label != health.label || check.revision != health.revision) health.motion_error.reset();
    if (motion) health.motion_error = motion;
    health.label = check.label;
    health.revision = check.revision;
  });
  if (check.scene) strata_.send(strata_of(check.scene->bodies, check.forces.position));
}

void Monitor::examine_bodies(const HealthCheck& check) {
  if (check.new_baseline || times_.now() >= next_diagnosis_.load()) return diagnose_state(check);
  update([&](Health& health) { health.time = check.time; });
}

void Monitor::diagnose_state(const HealthCheck& check) {
  const auto start = times_.worked();
  const auto diagnostics =
      diagnose(view_of(check.bodies, check.galaxies),
               {.physics = check.physics, .exact_limit = exact_potential_limit, .interrupt = &quit_});
  if (check.new_baseline) baseline_ = diagnostics;
  const auto rest = rest_after(times_.worked() - start, check.new_baseline);
  next_diagnosis_ = times_.now() + std::chrono::duration_cast<MonitorTimes::Now::duration>(rest);
  update([&](Health& health) {
    health.time = check.time;
    health.diagnostics = diagnostics;
    health.conserves_momentum =
        check.physics.law->conserves_momentum(check.physics.constants()) && !check.physics.field->acts();
    health.baseline = check.baseline;
    health.drift_step = check.new_baseline ? std::nullopt : std::optional(check.step);
    set_drifts(health, baseline_, health.diagnostics);
  });
}

}  // namespace orrery::sim
