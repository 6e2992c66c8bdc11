#include "app/live/live_sweep.h"

#include <algorithm>

#include "app/log.h"
#include "app/session/session.h"
#include "sim/options/tree_options.h"

namespace orrery::app {

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
