#include "app/live/demo_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/live/switching.h"
#include "app/session/session.h"
#include "lab/bench/rates.h"
#include "lab/bench/switch_watch.h"
#include "sim/core/error.h"
#include "sim/options/engine_option.h"

namespace orrery::app {

namespace {

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

/// A kernel may have to be compiled, and one evaluation may take long.
constexpr double longest_wait = 90.0;

double seconds_between(DemoRun::Clock::time_point from, DemoRun::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

DemoRoom room_of(const DemoRun::Hooks& hooks) { return hooks.room ? hooks.room() : DemoRoom(); }

}  // namespace

std::string demo_csv(const std::vector<DemoResult>& results) {
  std::string text = "step,kernel,gips,ms,error_median,percent_of_limit,remark\n";
  for (const auto& each : results) {
    const auto remark = each.refusal.empty() && each.busy ? std::string("machine busy") : each.refusal;
    text += fmt::format("{},{},{},{},{},{},{}\n", each.step, each.kernel, cell(each.gips, "{:.6g}"),
                        cell(1e3 * each.seconds, "{:.6g}"), cell(each.error, "{:.3e}"),
                        cell(each.limit_percent, "{:.1f}"), quoted(remark));
  }
  return text;
}

DemoComparison::DemoComparison(const std::vector<DemoResult>& results, const DemoResult* present) {
  for (const auto& each : results)
    if (each.gips > 0.0 && each.seconds > 0.0) rows_.push_back(each);
  if (present != nullptr && present->gips > 0.0 && present->seconds > 0.0) rows_.push_back(*present);
  if (rows_.empty()) return;
  const auto interactions = [](const DemoResult& row) { return row.gips * row.seconds; };
  const double first = interactions(rows_.front());
  by_time_ = std::ranges::any_of(
      rows_, [&](const DemoResult& row) { return std::abs(interactions(row) / first - 1.0) > 0.05; });
}

std::string DemoComparison::text(const DemoResult& row) const {
  return by_time_ ? lab::evaluation_text(row.seconds) : lab::rate_text(row.gips, 3);
}

lab::MeasuredSpeed DemoComparison::speed(const DemoResult& row) const {
  return {by_time_ ? 1.0 / row.seconds : row.gips, row.spread, row.busy};
}

double DemoComparison::length(const DemoResult& row) const {
  double fastest = 0.0;
  for (const auto& each : rows_) fastest = std::max(fastest, speed(each).median);
  return fastest > 0.0 ? speed(row).median / fastest : 0.0;
}

lab::Factor DemoComparison::factor() const {
  if (rows_.size() < 2) return {{}, {}};
  return {speed(rows_.front()), speed(rows_.back())};
}

lab::AccuracySpeedPlot board_of(const std::vector<DemoResult>& results, const DemoResult* present) {
  lab::AccuracySpeedPlot plot;
  const auto add = [&](const DemoResult& row) {
    plot.tried.push_back({.name = row.label.empty() ? row.step : row.label,
                          .gips = row.gips,
                          .seconds = row.seconds,
                          .error = row.error});
  };
  std::ranges::for_each(results, add);
  plot.present = plot.tried.size();
  if (present != nullptr) add(*present);
  return plot;
}

std::string short_error(double error) {
  if (!(error > 0.0)) return "?";
  auto text = fmt::format("{:.1e}", error);
  if (const auto zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

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
