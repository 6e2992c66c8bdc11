#include "app/live/demo_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <numbers>
#include <utility>

#include "app/session/session.h"
#include "sim/core/error.h"

namespace orrery::app {

namespace {

constexpr double flight_seconds = 1.4;
/// A kernel may have to be compiled, and one evaluation may take long.
constexpr double longest_wait = 90.0;

double seconds_between(DemoRun::Clock::time_point from, DemoRun::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// Slow at both ends.
double eased(double part) { return part * part * (3.0 - 2.0 * part); }

std::string cell(double value, const char* format) {
  return value > 0.0 ? fmt::format(fmt::runtime(format), value) : std::string();
}

/// As CSV takes it.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

std::string demo_csv(const std::vector<DemoResult>& results) {
  std::string text = "step,kernel,gips,ms,error_median,percent_of_limit,remark\n";
  for (const auto& each : results) {
    text += fmt::format("{},{},{},{},{},{},{}\n", each.step, each.kernel, cell(each.gips, "{:.6g}"),
                        cell(1e3 * each.seconds, "{:.6g}"), cell(each.error, "{:.3e}"),
                        cell(each.limit_percent, "{:.1f}"), quoted(each.refusal));
  }
  return text;
}

void DemoRun::start(Demo demo, std::vector<lab::Ladder> ladders, bool by_itself) {
  *this = {};
  demo_ = std::move(demo);
  ladders_ = std::move(ladders);
  by_itself_ = by_itself;
  phase_ = Phase::loading;
}

void DemoRun::update(Session& session, const Switching& switching, const Hooks& hooks,
                     Clock::time_point now) {
  if (phase_ == Phase::idle || !session.has_dataset()) return;
  if (phase_ == Phase::loading) return begin(session, hooks, now);
  if (session.openings() != opening_) return end();
  move(session, now);
  wait(switching, now);
  if (!std::exchange(next_wanted_, false) && !(by_itself_ && ready_)) return;
  results_.push_back(result(session, switching));
  if (hooks.leave) hooks.leave();
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
  opening_ = session.openings();
  phase_ = Phase::playing;
  next_wanted_ = false;
  enter(session, hooks, now);
}

void DemoRun::enter(Session& session, const Hooks& hooks, Clock::time_point now) {
  since_ = moved_ = now;
  ready_ = false;
  waits_ = step().measured;
  entered_ = true;
  set_options(session);
  aim(session, hooks);
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

void DemoRun::aim(Session& session, const Hooks& hooks) {
  moving_ = step().camera.has_value();
  if (!moving_) return;
  from_ = session.camera;
  if (hooks.fit) hooks.fit();
  to_ = session.camera;
  if (!step().camera->view) to_.orientation = from_.orientation;
  if (step().camera->view) to_.look(*step().camera->view);
  to_.zoom(step().camera->zoom);
  // The first step begins where it looks.
  session.camera = current_ == 0 ? to_ : from_;
}

void DemoRun::move(Session& session, Clock::time_point now) {
  const double passed = seconds_between(std::exchange(moved_, now), now);
  if (!moving_) return;
  const double radians = std::min(passed, 0.1) * step().camera->turn * std::numbers::pi / 180.0;
  const double part = seconds_between(since_, now) / flight_seconds;
  if (current_ == 0 || part > 1.0) {
    session.camera.orbit(radians, 0.0);
    return;
  }
  const double share = eased(part);
  session.camera = to_;
  session.camera.orientation = glm::slerp(from_.orientation, to_.orientation, share);
  session.camera.target = glm::mix(from_.target, to_.target, share);
  session.camera.distance = from_.distance * std::pow(to_.distance / from_.distance, share);
}

void DemoRun::wait(const Switching& switching, Clock::time_point now) {
  // The switch of this step is seen one frame after it.
  if (std::exchange(entered_, false)) return;
  const auto& watch = switching.watch();
  const double waited = seconds_between(since_, now);
  const bool impossible = !refusal_.empty() || !watch.refusal().empty() || waited > longest_wait;
  waits_ = step().measured && !impossible && !(watch.measured() && watch.checked());
  ready_ = waited >= step().seconds && !waits_;
}

DemoResult DemoRun::result(const Session& session, const Switching& switching) const {
  DemoResult row{.step = step().name, .kernel = sim::computing_name(session.configuration)};
  const auto& watch = switching.watch();
  row.refusal = refusal_.empty() ? watch.refusal() : refusal_;
  if (!row.refusal.empty() || !watch.measured()) return row;
  row.gips = watch.present()->gips;
  row.seconds = watch.present()->seconds;
  if (watch.checked()) row.error = watch.present()->error;
  const auto& limits = session.frame().report.limits;
  if (!limits.empty() && limits.front().gips > 0.0)
    row.limit_percent = 100.0 * row.gips / limits.front().gips;
  return row;
}

double DemoRun::progress(Clock::time_point now) const {
  if (!playing() || step().seconds <= 0.0) return 1.0;
  return std::clamp(seconds_between(since_, now) / step().seconds, 0.0, 1.0);
}

}  // namespace orrery::app
