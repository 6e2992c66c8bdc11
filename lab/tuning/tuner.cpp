#include "lab/tuning/tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <span>

#include "sim/core/error.h"
#include "sim/core/percentile.h"
#include "sim/options/configuration.h"

namespace orrery::lab {

namespace {

constexpr double search_share = 0.8;  ///< of the time; the rest is for measuring side by side
constexpr double worth_it = 1.005;    ///< less is noise
constexpr std::size_t most_starts = 3;
constexpr std::size_t finalists = 3;
constexpr int final_rounds = 5;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median_of(std::vector<double> values) { return sim::median(values); }

class Search {
 public:
  Search(const sim::OptionTable& table, const sim::Configuration& start, const sim::OptionContext& context,
         const std::vector<SweepAxis>& axes, const MeasureFunction& measure, TuningLimits limits,
         const std::function<void(const TuningTrial&)>& watch)
      : table_(table),
        start_(start),
        context_(context),
        axes_(axes),
        measure_(measure),
        limits_(std::move(limits)),
        watch_(watch) {
    if (!limits_.clock) limits_.clock = steady_seconds;
    begin_ = limits_.clock();
  }

  TuningResult run();

 private:
  struct Finalist {
    sim::Configuration configuration;
    std::vector<double> rates;
  };

  bool time_left(double share) const { return limits_.clock() - begin_ < share * limits_.seconds; }
  bool active(const SweepAxis& axis, const sim::Configuration& configuration) const;
  void remember(TuningTrial trial);
  void measure_start();
  double rate(const sim::Configuration& configuration);
  TuningTrial try_out(const sim::Configuration& configuration) const;
  std::string wrong(const TuningMeasurement& measurement) const;
  double fastest() const;
  bool make_accurate(sim::Configuration& configuration) const;
  std::vector<sim::Configuration> starts();
  bool improve(const SweepAxis& axis, sim::Configuration& configuration);
  void descend(sim::Configuration configuration);
  std::vector<Finalist> choose_finalists() const;
  void measure_in_turns(std::vector<Finalist>& list) const;
  double final_rate(const sim::Configuration& configuration) const;

  const sim::OptionTable& table_;
  const sim::Configuration& start_;
  const sim::OptionContext& context_;
  const std::vector<SweepAxis>& axes_;
  const MeasureFunction& measure_;
  TuningLimits limits_;
  const std::function<void(const TuningTrial&)>& watch_;
  double begin_ = 0.0;
  std::vector<TuningTrial> trials_;
  std::vector<sim::Configuration> effects_;  ///< of trials_: what each amounts to
};

/// An option without effect need not be tried.
bool Search::active(const SweepAxis& axis, const sim::Configuration& configuration) const {
  return sim::applies(table_.at(axis.option), configuration);
}

void Search::remember(TuningTrial trial) {
  if (watch_) watch_(trial);
  effects_.push_back(sim::effective(table_, trial.configuration));
  trials_.push_back(std::move(trial));
}

void Search::measure_start() {
  TuningTrial trial{
      .configuration = start_, .changes = {}, .measurement = measure_(start_, 0.0), .rejected = {}};
  limits_.error_median = std::max(limits_.error_median, 2.0 * trial.measurement.error_median);
  limits_.error_p99 = std::max(limits_.error_p99, 2.0 * trial.measurement.error_p99);
  remember(std::move(trial));
}

double Search::fastest() const {
  double best = 0.0;
  for (const auto& trial : trials_) {
    if (trial.rejected.empty()) best = std::max(best, trial.measurement.gips);
  }
  return best;
}

std::string Search::wrong(const TuningMeasurement& measurement) const {
  // Written so that a NaN is wrong.
  if (measurement.error_median <= limits_.error_median && measurement.error_p99 <= limits_.error_p99)
    return {};
  return fmt::format(
      "force error: median {:.1e}, 99th percentile {:.1e}; at most {:.1e} and {:.1e} are taken",
      measurement.error_median, measurement.error_p99, limits_.error_median, limits_.error_p99);
}

TuningTrial Search::try_out(const sim::Configuration& configuration) const {
  TuningTrial trial{.configuration = configuration,
                    .changes = differences(table_, start_, configuration),
                    .measurement = {},
                    .rejected = {}};
  try {
    trial.measurement = measure_(configuration, fastest());
    trial.rejected = wrong(trial.measurement);
  } catch (const sim::Error& error) {
    trial.rejected = error.what();
  }
  return trial;
}

/// The rate of a configuration, measured once; 0 if it is refused, wrong, or the time is up.
double Search::rate(const sim::Configuration& configuration) {
  const auto rate_of = [](const TuningTrial& trial) {
    return trial.rejected.empty() ? trial.measurement.gips : 0.0;
  };
  const auto known = std::ranges::find(effects_, sim::effective(table_, configuration));
  if (known != effects_.end()) return rate_of(trials_[static_cast<std::size_t>(known - effects_.begin())]);
  if (!sim::refusal_of(table_, configuration, context_).empty() || !time_left(search_share)) return 0.0;
  remember(try_out(configuration));
  return rate_of(trials_.back());
}

/// Chooses the accurate value of every axis that has one and applies; false if there is none.
bool Search::make_accurate(sim::Configuration& configuration) const {
  bool changed = false;
  for (const auto& axis : axes_) {
    const auto& accurate = table_.at(axis.option).accurate;
    if (!accurate || !active(axis, configuration)) continue;
    configuration.set(axis.option, *accurate);
    changed = true;
  }
  return changed;
}

/// The start with every value of the first axis, fastest first.
std::vector<sim::Configuration> Search::starts() {
  std::vector<std::pair<double, sim::Configuration>> list{{rate(start_), start_}};
  const auto& axis = axes_.front();
  for (const auto& value : axis.values) {
    auto configuration = start_;
    configuration.set(axis.option, value);
    double its_rate = rate(configuration);
    // Perhaps it is only too inaccurate.
    if (its_rate == 0.0 && make_accurate(configuration)) its_rate = rate(configuration);
    const bool other = !sim::same_effect(table_, configuration, start_, sim::decides_result);
    if (its_rate > 0.0 && other) list.emplace_back(its_rate, std::move(configuration));
  }
  std::ranges::stable_sort(list, std::ranges::greater{}, &std::pair<double, sim::Configuration>::first);
  if (list.size() > most_starts) list.resize(most_starts);
  std::vector<sim::Configuration> configurations;
  configurations.reserve(list.size());
  for (auto& [unused, configuration] : list) configurations.push_back(std::move(configuration));
  return configurations;
}

bool Search::improve(const SweepAxis& axis, sim::Configuration& configuration) {
  double best = rate(configuration);
  bool improved = false;
  const auto from = configuration;
  for (const auto& value : axis.values) {
    auto candidate = from;
    candidate.set(axis.option, value);
    const double its_rate = rate(candidate);
    if (its_rate <= best * worth_it) continue;
    best = its_rate;
    configuration = std::move(candidate);
    improved = true;
  }
  return improved;
}

/// Keeps to the first axis' value: the other values have descents of their own.
void Search::descend(sim::Configuration configuration) {
  bool improved = true;
  while (improved && time_left(search_share)) {
    improved = false;
    for (const auto& axis : std::span(axes_).subspan(1)) {
      if (active(axis, configuration) && improve(axis, configuration)) improved = true;
    }
  }
}

/// The start first, then the fastest.
std::vector<Search::Finalist> Search::choose_finalists() const {
  std::vector<const TuningTrial*> ranking;
  for (const auto& trial : trials_) {
    if (trial.rejected.empty() && trial.configuration != start_) ranking.push_back(&trial);
  }
  std::ranges::stable_sort(ranking, std::ranges::greater{},
                           [](const TuningTrial* trial) { return trial->measurement.gips; });
  std::vector<Finalist> list{{start_, {}}};
  for (const auto* trial : ranking) {
    if (list.size() <= finalists) list.push_back({trial->configuration, {}});
  }
  return list;
}

/// In turns, so that a machine that slows down or warms up is the same for all. One round always.
void Search::measure_in_turns(std::vector<Finalist>& list) const {
  for (int round = 0; round < final_rounds; ++round) {
    if (round > 0 && !time_left(1.0)) return;
    for (auto& finalist : list) finalist.rates.push_back(final_rate(finalist.configuration));
  }
}

double Search::final_rate(const sim::Configuration& configuration) const try {
  return measure_(configuration, 0.0).gips;
} catch (const sim::Error&) {
  if (configuration == start_) throw;
  return 0.0;
}

TuningResult Search::run() {
  measure_start();
  if (!axes_.empty()) {
    for (auto& configuration : starts()) descend(std::move(configuration));
  }
  const bool complete = time_left(search_share);
  auto list = choose_finalists();
  measure_in_turns(list);
  const auto* best = &list.front();
  for (const auto& finalist : list) {
    if (median_of(finalist.rates) > median_of(best->rates)) best = &finalist;
  }
  return {.best = best->configuration,
          .start_gips = median_of(list.front().rates),
          .best_gips = median_of(best->rates),
          .trials = std::move(trials_),
          .complete = complete};
}

}  // namespace

std::vector<std::string> tunable_options(const sim::OptionTable& table,
                                         const sim::Configuration& configuration) {
  std::vector<const sim::Option*> ranking;
  for (const auto& option : table.options()) {
    if (option.tuning_rank > 0 && sim::is_of_engine(option, configuration)) ranking.push_back(&option);
  }
  std::ranges::stable_sort(ranking, {}, &sim::Option::tuning_rank);
  std::vector<std::string> names;
  names.reserve(ranking.size());
  for (const auto* option : ranking) names.push_back(option->name);
  return names;
}

std::vector<SweepAxis> tuning_axes(const sim::OptionTable& table, const sim::Configuration& start,
                                   const std::vector<std::string>& fixed) {
  const auto is_fixed = [&](const std::string& name) {
    return std::ranges::any_of(fixed, [&](const auto& each) { return table.at(each).name == name; });
  };
  std::vector<SweepAxis> axes;
  for (const auto& name : tunable_options(table, start)) {
    if (is_fixed(name)) continue;
    axes.push_back({.option = name, .values = sweep_values(table.at(name), start), .named = false});
  }
  return axes;
}

TuningResult tune(const sim::OptionTable& table, const sim::Configuration& start,
                  const sim::OptionContext& context, const std::vector<SweepAxis>& axes,
                  const MeasureFunction& measure, const TuningLimits& limits,
                  const std::function<void(const TuningTrial&)>& watch) {
  return Search(table, start, context, axes, measure, limits, watch).run();
}

std::string differences(const sim::OptionTable& table, const sim::Configuration& start,
                        const sim::Configuration& configuration) {
  std::string text;
  for (const auto& option : table.options()) {
    const auto& value = configuration.value(option.name);
    if (value == start.value(option.name) || !sim::applies(option, configuration)) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", option.name, sim::to_string(value));
  }
  return text;
}

}  // namespace orrery::lab
