#include "app/live/laboratory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/log.h"
#include "app/session/session.h"
#include "sim/options/configuration.h"
#include "sim/options/tree_options.h"

namespace orrery::app {

void Experiment::start(Session& session, Plan plan) {
  stop(session);
  before_ = session.configuration;
  paused_before_ = session.paused;
  opening_ = session.openings();
  asked_.reset();
  auto tasks = std::move(plan.tasks);
  if (plan.full_speed) {
    session.paused = false;
    for (auto& task : tasks) task.configuration.set("speed", 0.0);
  }
  plan_ = std::move(plan);
  live_.start(std::move(tasks), plan_.pace);
}

void Experiment::stop(Session& session) {
  if (!running()) return;
  live_.stop();
  if (session.openings() == opening_) put_back(session, plan_.restore);
}

void Experiment::update(Session& session, bool busy) {
  if (!running()) return;
  if (session.openings() != opening_) {
    plan_.owner = nullptr;
    return live_.stop();
  }
  if (asked_ && !session.computes_like(*asked_)) {
    log_info("measuring ends: the options were switched by hand");
    live_.stop();
    return put_back(session, false);
  }
  const lab::LiveMeasurement::Feed feed{.frame = session.frame(),
                                        .revision = session.revision(),
                                        .paused = session.paused,
                                        .now = lab::LiveMeasurement::Clock::now(),
                                        .busy = busy};
  live_.update(feed,
               [&](const sim::Configuration& configuration) { return switch_to(session, configuration); });
  if (!running()) put_back(session, plan_.restore);
}

std::string Experiment::switch_to(Session& session, const sim::Configuration& configuration) {
  auto reason = session.set_computing(configuration);
  if (reason.empty()) asked_ = configuration;
  return reason;
}

void Experiment::put_back(Session& session, bool computing) {
  if (computing) session.set_computing(before_);
  if (!plan_.full_speed) return;
  session.configuration.set("speed", before_.value("speed"));
  session.paused = paused_before_;
}

void PhysicsOverride::lend(const Session& session, const sim::Configuration& before,
                           const std::string& rung) {
  if (!active()) before_ = before;
  rung_ = rung;
  for (const auto& option : session.table().options()) {
    if (option.group != "physics") continue;
    const auto& value = session.configuration.value(option.name);
    if (const auto item = std::ranges::find(items_, option.name, &Item::option); item != items_.end())
      item->lent = value;
    else
      items_.push_back({option.name, before.value(option.name), value});
  }
  std::erase_if(items_, [](const Item& item) { return item.own == item.lent; });
}

void PhysicsOverride::update(const Session& session) {
  std::erase_if(items_,
                [&](const Item& item) { return session.configuration.value(item.option) != item.lent; });
}

void PhysicsOverride::restore(Session& session) {
  if (!active()) return;
  auto wanted = session.configuration;
  for (const auto& item : items_) wanted.set(item.option, item.own);
  items_.clear();
  const auto reason = session.set_computing(wanted);
  if (reason.empty()) return;
  log_warning("your physics does not run with this kernel, so the old one is back too: " + reason);
  session.set_computing(before_);
}

namespace {

constexpr lab::LiveMeasurement::Pace one_second{.each = std::chrono::duration<double>(1.0)};

}  // namespace

void LadderClimb::set_ladders(std::vector<lab::Ladder> ladders) {
  ladders_ = std::move(ladders);
  chosen_ = 0;
  if (!ladders_.empty()) forget();
}

void LadderClimb::choose(std::size_t ladder) {
  if (ladder >= ladders_.size()) return;
  chosen_ = ladder;
  by_hand_ = true;
  forget();
}

void LadderClimb::forget() {
  rungs_.assign(ladders_[chosen_].rungs.size(), {});
  rung_.reset();
  judged_ = results_fit_ = false;
}

void LadderClimb::update(const Session& session, const Experiment& experiment) {
  if (ladders_.empty() || !session.has_dataset()) return;
  if (session.openings() != opening_) {
    opening_ = session.openings();
    forget();
  }
  if (!std::exchange(judged_, true)) judge(session);
  if (experiment.owner() == this && results_fit_) {
    const auto& results = experiment.live().results();
    for (std::size_t k = 0; k < results.size(); ++k) take(results[k], first_task_ + k);
    follow(session, experiment);
  }
  loan_.update(session);
}

/// To the rung that is being measured.
void LadderClimb::follow(const Session& session, const Experiment& experiment) {
  const auto& live = experiment.live();
  if (!experiment.running() || live.current() >= live.results().size()) return;
  if (live.results()[live.current()].state != lab::LiveResult::State::running) return;
  rung_ = first_task_ + live.current();
  loan_.lend(session, experiment.before(), ladder().rungs[*rung_].name);
}

void LadderClimb::leave(Session& session, Experiment& experiment, bool sets_all) {
  if (sets_all)
    loan_.forget();
  else
    restore_physics(session, experiment);
}

void LadderClimb::restore_physics(Session& session, Experiment& experiment) {
  experiment.stop(session);
  loan_.update(session);
  loan_.restore(session);
}

void LadderClimb::take(const lab::LiveResult& result, std::size_t rung) {
  if (rung >= rungs_.size()) return;
  auto& state = rungs_[rung];
  if (result.state == lab::LiveResult::State::measured) {
    state.measured = true;
    state.speed = result.speed();
    state.gips_frame = result.gips_frame;
    state.seconds = result.seconds;
    state.too_slow.clear();
  } else if (result.state == lab::LiveResult::State::given_up) {
    state.too_slow = result.refusal;
  } else if (result.state == lab::LiveResult::State::refused && state.refusal.empty()) {
    state.refusal = result.refusal;
  }
}

std::vector<lab::LiveTask> LadderClimb::tasks(const Session& session) const {
  std::vector<lab::LiveTask> list;
  for (const auto& rung : ladder().rungs) {
    if (!rung.unavailable.empty()) {
      list.push_back({.configuration = session.configuration, .refusal = rung.unavailable});
      continue;
    }
    auto configuration = lab::rung_configuration(session.table(), ladder(), rung, session.configuration);
    auto refusal = sim::refusal_of(session.table(), configuration, session.context());
    list.push_back({.configuration = std::move(configuration), .refusal = std::move(refusal)});
  }
  return list;
}

/// Once for each dataset and ladder: too much for every frame.
void LadderClimb::judge(const Session& session) {
  if (!std::exchange(by_hand_, true)) choose_for(session);
  const auto list = tasks(session);
  for (std::size_t k = 0; k < list.size(); ++k) rungs_[k].refusal = list[k].refusal;
}

/// The first ladder of which all rungs run here, or else the one of which the largest part does.
void LadderClimb::choose_for(const Session& session) {
  double best = -1.0;
  auto found = chosen_;
  for (chosen_ = 0; chosen_ < ladders_.size(); ++chosen_) {
    const auto list = tasks(session);
    if (list.empty()) continue;
    const auto run =
        std::ranges::count_if(list, [](const lab::LiveTask& task) { return task.refusal.empty(); });
    const double part = static_cast<double>(run) / static_cast<double>(list.size());
    if (part <= best) continue;
    best = part;
    found = chosen_;
  }
  chosen_ = found;
  rungs_.assign(ladder().rungs.size(), {});
}

void LadderClimb::climb(Session& session, Experiment& experiment, int direction) {
  if (ladders_.empty() || !session.has_dataset() || rungs_.empty()) return;
  const auto count = static_cast<std::ptrdiff_t>(rungs_.size());
  // The first key press steps on the first rung.
  const auto from = rung_ ? static_cast<std::ptrdiff_t>(*rung_) : (direction > 0 ? -1 : 1);
  const auto refused = [&](std::ptrdiff_t rung) {
    return !rungs_[static_cast<std::size_t>(rung)].refusal.empty();
  };
  auto next = from + direction;
  while (next >= 0 && next < count && refused(next)) next += direction;
  if (next != from + direction) log_skipped(from + direction, next, direction);
  if (next >= 0 && next < count) climb_to(session, experiment, static_cast<std::size_t>(next));
}

/// One line for all, with the reason of the first.
void LadderClimb::log_skipped(std::ptrdiff_t first, std::ptrdiff_t end, int direction) const {
  std::string names;
  for (auto k = first; k != end; k += direction)
    names += (names.empty() ? "" : ", ") + ladder().rungs[static_cast<std::size_t>(k)].name;
  log_warning(fmt::format("{}: skipped {}: {}", ladder().name, names,
                          rungs_[static_cast<std::size_t>(first)].refusal));
}

void LadderClimb::climb_to(Session& session, Experiment& experiment, std::size_t rung) {
  if (!session.has_dataset() || rung >= rungs_.size()) return;
  auto all = tasks(session);
  const auto& name = ladder().rungs[rung].name;
  if (all[rung].refusal.empty()) {
    // An experiment under way is to put back its own changes first.
    experiment.stop(session);
    all = tasks(session);
    const auto before = session.configuration;
    all[rung].refusal = session.set_computing(all[rung].configuration);
    if (all[rung].refusal.empty()) loan_.lend(session, before, name);
  }
  rungs_[rung].refusal = all[rung].refusal;
  if (!all[rung].refusal.empty()) {
    log_warning(fmt::format("rung {} of {}: {}", name, ladder().name, all[rung].refusal));
    return;
  }
  rung_ = first_task_ = rung;
  log_info(fmt::format("rung {} of {}", name, ladder().name));
  Experiment::Plan plan{.owner = this, .tasks = {}, .pace = one_second};
  plan.tasks.push_back(std::move(all[rung]));
  experiment.start(session, std::move(plan));
  results_fit_ = true;
}

void LadderClimb::climb_all(Session& session, Experiment& experiment) {
  if (ladders_.empty() || !session.has_dataset()) return;
  experiment.stop(session);
  first_task_ = 0;
  experiment.start(
      session,
      {.owner = this, .tasks = tasks(session), .pace = one_second, .full_speed = true, .restore = true});
  results_fit_ = true;
}

lab::DatasetRequest LadderClimb::own_scene() const {
  lab::DatasetRequest request{.source = ladder().model};
  if (ladder().bodies > 0) request.bodies = ladder().bodies;
  request.galaxies = static_cast<std::uint32_t>(ladder().galaxies);
  return request;
}

void LiveSweep::update(const Session& session, const Experiment& experiment) {
  if (session.openings() != opening_) {
    opening_ = session.openings();
    sweep_.reset();
  }
  if (!sweep_ || experiment.owner() != this) return;
  const auto& results = experiment.live().results();
  for (std::size_t k = 0; k < std::min(results.size(), sweep_->cells.size()); ++k) {
    auto& cell = sweep_->cells[k];
    if (results[k].state == lab::LiveResult::State::measured && !cell.measured) {
      cell.measured = true;
      cell.speed = results[k].speed();
      const double gips = cell.speed.median;
      fastest_ = std::max(fastest_, gips);
      slowest_ = slowest_ > 0.0 ? std::min(slowest_, gips) : gips;
    } else if (!results[k].refusal.empty() && cell.refusal.empty()) {
      cell.refusal = results[k].refusal;
    }
  }
}

bool LiveSweep::is_candidate(const Session& session, const sim::Option& option) {
  const bool worth_it = option.tuning_rank > 0 || lab::sweep_values(option, session.configuration).size() > 1;
  return worth_it && sim::is_of_engine(option, session.configuration);
}

void LiveSweep::start(Session& session, Experiment& experiment) {
  if (!can_start() || !session.has_dataset()) return;
  // What is under way puts back its changes, so that they are no part of the start.
  experiment.stop(session);
  const auto& table = session.table();
  std::vector<lab::SweepAxis> axes;
  for (const auto& name : {rows, columns}) {
    axes.push_back(
        {.option = name, .values = lab::sweep_values(table.at(name), session.configuration), .named = false});
  }
  sweep_ = lab::make_sweep(table, std::move(axes), session.configuration, session.context());
  fastest_ = slowest_ = 0.0;
  for (const auto& note : sweep_->notes) log_info(note);
  Experiment::Plan plan{.owner = this, .tasks = {}, .pace = {}, .full_speed = true, .restore = true};
  for (const auto& cell : sweep_->cells)
    plan.tasks.push_back({.configuration = cell.configuration, .refusal = cell.refusal});
  experiment.start(session, std::move(plan));
}

void LiveSweep::apply(Session& session, Experiment& experiment, std::size_t cell) {
  if (!sweep_ || cell >= sweep_->cells.size()) return;
  experiment.stop(session);
  const auto& wanted = sweep_->cells[cell].configuration;
  // The two options only: others may have been switched since.
  auto configuration = session.configuration;
  for (const auto& name : {sweep_->rows.option, sweep_->columns.option})
    configuration.set(name, wanted.value(name));
  const auto reason = session.set_computing(configuration);
  if (!reason.empty()) log_warning(reason);
}

}  // namespace orrery::app
