#include "app/live/demo_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/session/session.h"
#include "sim/core/error.h"
#include "sim/options/engine_option.h"

namespace orrery::app {

namespace {

/// A kernel may have to be compiled, and one evaluation may take long.
constexpr double longest_wait = 90.0;

double seconds_between(DemoRun::Clock::time_point from, DemoRun::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

DemoRoom room_of(const DemoRun::Hooks& hooks) { return hooks.room ? hooks.room() : DemoRoom(); }

}  // namespace

void DemoRun::start(Demo demo, std::vector<lab::Ladder> ladders, bool by_itself, std::uint64_t openings) {
  *this = {};
  demo_ = std::move(demo);
  ladders_ = std::move(ladders);
  by_itself_ = by_itself;
  opening_ = openings;
  phase_ = Phase::loading;
}

void DemoRun::update(Session& session, const Switching& switching, const Hooks& hooks,
                     Clock::time_point now) {
  if (phase_ == Phase::idle || !session.has_dataset()) return;
  if (phase_ == Phase::loading) {
    if (session.openings() > opening_) begin(session, hooks, now);
    return;
  }
  if (session.openings() != opening_) return end();
  camera_.move(session, room_of(hooks), now);
  wait(session, switching, now);
  note_energy(session);
  if (!std::exchange(next_wanted_, false) && !(by_itself_ && ready_)) return;
  // The last picture of the step has the result where the chart had it.
  if (step().measured || !refusal_.empty()) present_ = result(session, switching);
  if (hooks.leave) hooks.leave();
  if (present_) results_.push_back(*std::exchange(present_, std::nullopt));
  if (++current_ == steps_.size()) return end();
  enter(session, hooks, now);
}

void DemoRun::begin(Session& session, const Hooks& hooks, Clock::time_point now) {
  phase_ = Phase::idle;
  const auto& table = session.table();
  steps_ =
      complete_steps(table, demo_, ladders_, gpu_computes(table), session.configuration, session.context());
  if (steps_.empty())
    throw sim::Error(fmt::format("no step of the demo '{}' runs on this machine", demo_.name));
  compares_ = compares(steps_);
  opening_ = session.openings();
  phase_ = Phase::playing;
  next_wanted_ = false;
  enter(session, hooks, now);
}

void DemoRun::enter(Session& session, const Hooks& hooks, Clock::time_point now) {
  since_ = moved_at_ = now;
  ready_ = false;
  waits_ = step().measured;
  entered_ = true;
  set_options(session);
  if (step().reset) session.reset();
  old_baseline_ = step().reset ? session.frame().baseline : 0;
  start_time_ = time_ = step().reset ? session.scene().time : session.frame().time;
  if (plot() == DemoPlot::energy) energy_.push_back({.label = step().label, .points = {}});
  camera_.aim(session, step(), room_of(hooks), current_ == 0, now);
}

/// Sets the step's options. A setting that cannot run here is shown with its reason, and the demonstration
/// goes on.
void DemoRun::set_options(Session& session) {
  const auto& table = session.table();
  const auto& [step, rung, ladder] = steps_[current_];
  auto wanted = session.configuration;
  if (rung) wanted = lab::rung_configuration(table, *ladder, *rung, wanted);
  for (const auto& [name, value] : step.settings) table.assign(wanted, fmt::format("{}={}", name, value));
  refusal_ = rung && !rung->unavailable.empty() ? rung->unavailable
                                                : sim::refusal_of(table, wanted, session.context());
  if (refusal_.empty()) session.configuration = wanted;
}

void DemoRun::wait(const Session& session, const Switching& switching, Clock::time_point now) {
  const auto& frame = session.frame();
  part_done_ = session.part_done();
  if (std::exchange(steps_seen_, frame.steps) != frame.steps) moved_at_ = now;
  // The switch of this step is seen one frame after it.
  if (std::exchange(entered_, false)) return;
  if (session.is_up_to_date()) time_ = frame.time;
  const auto& watch = switching.watch();
  const double waited = seconds_between(since_, now);
  const bool impossible = !refusal_.empty() || !watch.refusal().empty() || waited > longest_wait;
  waits_ = step().measured && !impossible && !(watch.measured() && watch.checked());
  if (step().measured && watch.measured() && refusal_.empty()) present_ = result(session, switching);
  const bool arrived = step().until <= 0.0 || impossible || time_ >= step().until;
  ready_ = waited >= step().seconds && !waits_ && arrived;
}

/// Those of states since the step began: a check takes a while.
void DemoRun::note_energy(const Session& session) {
  if (plot() != DemoPlot::energy || energy_.empty()) return;
  const auto& health = session.health();
  if (!health || !health->drift_step || health->baseline != session.frame().baseline) return;
  if (health->baseline <= old_baseline_) return;
  const double since = health->time - start_time_;
  auto& points = energy_.back().points;
  if (!(since > 0.0) || (!points.empty() && points.back().x >= since)) return;
  points.push_back({since, std::max(std::abs(health->energy_drift), 1e-16)});
}

DemoResult DemoRun::result(const Session& session, const Switching& switching) const {
  DemoResult row{.step = step().name, .kernel = sim::computing_name(session.configuration)};
  row.label = step().label;
  const auto& watch = switching.watch();
  row.refusal = refusal_.empty() ? watch.refusal() : refusal_;
  if (!row.refusal.empty() || !watch.measured()) return row;
  row.gips = watch.present()->gips;
  row.seconds = watch.present()->seconds;
  row.spread = watch.present()->spread;
  row.busy = watch.present()->busy;
  if (watch.checked()) row.error = watch.present()->error;
  const auto& limits = session.frame().report.limits;
  if (!limits.empty() && limits.front().gips > 0.0)
    row.limit_percent = 100.0 * row.gips / limits.front().gips;
  return row;
}

bool DemoRun::measures() const {
  return std::ranges::any_of(steps_, [](const ReadyStep& each) { return each.step.measured; });
}

DemoPlot DemoRun::plot() const {
  if (!playing() || step().closing) return DemoPlot::none;
  if (step().plot != DemoPlot::automatic) return step().plot;
  return compares_ ? DemoPlot::rates : DemoPlot::none;
}

double DemoRun::progress(Clock::time_point now) const {
  if (!playing()) return 1.0;
  double part = step().seconds > 0.0 ? seconds_between(since_, now) / step().seconds : 1.0;
  if (step().until > start_time_) part = std::min(part, (time_ - start_time_) / (step().until - start_time_));
  return std::clamp(part, 0.0, 1.0);
}

double DemoRun::standing_still(Clock::time_point now) const { return seconds_between(moved_at_, now); }

}  // namespace orrery::app
