#include "lab/tuning/tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <span>

#include "sim/core/percentile.h"
#include "sim/options/configuration.h"
#include "sim/options/tree_options.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::lab {

namespace {

constexpr double search_share =
    0.8;  ///< share of the time for the search; the rest measures the finalists alternately
constexpr double worth_it = 1.005;  ///< less is noise
/// Fraction of a usual measurement's time that must be left to begin another. Less time can suffice, because
/// a slower candidate is cut short.
constexpr double worth_beginning = 0.25;
constexpr std::size_t most_starts = 3;
constexpr std::size_t finalists = 3;
constexpr int final_rounds = 5;

double median_of(std::vector<double> values) { return sim::median(values); }

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

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

  TuningResult run() {
    if (limits_.seconds > 0.0 && measure_start() && !axes_.empty())
      for (auto& configuration : starts()) descend(std::move(configuration));
    auto list = choose_finalists();
    if (list.size() > 1 && !interrupted_) measure_in_turns(list);
    return result_of(list);
  }

 private:
  struct Finalist {
    const TuningTrial* trial;
    double cost = 0.0;  ///< seconds of its measurement in the search
    std::vector<double> rates;

    /// By the measurements in turns, where there were some.
    MeasuredSpeed speed() const {
      if (rates.empty()) return {trial->measurement.gips, trial->measurement.spread, false};
      std::vector<double> times;
      for (const double each : rates) times.push_back(each > 0.0 ? 1.0 / each : 0.0);
      return {median_of(rates), spread_of_times(times), false};
    }
  };

  double elapsed() const { return limits_.clock() - begin_; }
  /// Seconds until so much of the time is used.
  double left(double share) const { return share * limits_.seconds - elapsed(); }
  bool goes_on() const { return !interrupted_ && left(search_share) > 0.0; }

  TuningMeasurement measure(const sim::Configuration& configuration, const TuningEffort& effort) {
    const auto measurement = measure_(configuration, effort);
    ++measured_;
    if (measurement.busy) ++busy_;
    return measurement;
  }

  /// An option without effect need not be tried.
  bool active(const SweepAxis& axis, const sim::Configuration& configuration) const {
    return sim::applies(table_.at(axis.option), configuration);
  }

  void remember(TuningTrial trial, double cost) {
    if (watch_) watch_(trial);
    effects_.push_back(sim::effective(table_, trial.configuration));
    costs_.push_back(cost);
    trials_.push_back(std::move(trial));
  }

  /// False if there was no time for it.
  bool measure_start() try {
    const double before = elapsed();
    TuningTrial trial{.configuration = start_,
                      .changes = {},
                      .measurement = measure(start_, {0.0, left(search_share)}),
                      .rejected = {}};
    if (!limits_.strict) limits_.error = std::max(limits_.error, 2.0 * trial.measurement.error_p99);
    trial.rejected = wrong(trial.measurement);
    remember(std::move(trial), elapsed() - before);
    return true;
  } catch (const TooSlow&) {
    left_out_ = true;
    return false;
  } catch (const sim::Cancelled&) {
    interrupted_ = true;
    return false;
  }

  double fastest() const {
    double best = 0.0;
    for (const auto& trial : trials_)
      if (trial.rejected.empty()) best = std::max(best, trial.measurement.gips);
    return best;
  }

  std::string wrong(const TuningMeasurement& measurement) const {
    // Written so that a NaN is wrong.
    if (measurement.error_p99 <= limits_.error) return {};
    return fmt::format("99th percentile of force error {:.1e} is above {:.1e}", measurement.error_p99,
                       limits_.error);
  }

  /// Seconds that a measurement takes, as far as is known.
  double usual_cost() const { return costs_.empty() ? 0.0 : median_of(costs_); }

  /// The time limit of a measurement: a much slower variant is hardly the fastest, and must not take the time
  /// of those to come.
  double patience() const {
    return std::min(left(search_share), std::max(0.25 * left(search_share), 3.0 * usual_cost()));
  }

  void try_out(const sim::Configuration& configuration) try {
    TuningTrial trial{.configuration = configuration,
                      .changes = sim::differences(table_, start_, configuration),
                      .measurement = {},
                      .rejected = {}};
    const double before = elapsed();
    try {
      trial.measurement = measure(configuration, {fastest(), patience()});
      trial.rejected = wrong(trial.measurement);
    } catch (const sim::Cancelled&) {
      throw;
    } catch (const TooSlow& error) {
      left_out_ = true;
      trial.rejected = error.what();
    } catch (const sim::Error& error) {
      trial.rejected = error.what();
    }
    remember(std::move(trial), elapsed() - before);
  } catch (const sim::Cancelled&) {
    interrupted_ = true;
  }

  /// The rate of a configuration, measured once; 0 if it is refused, wrong, or the time is up.
  double rate(const sim::Configuration& configuration) {
    const auto rate_of = [](const TuningTrial& trial) {
      return trial.rejected.empty() ? trial.measurement.gips : 0.0;
    };
    const auto known = std::ranges::find(effects_, sim::effective(table_, configuration));
    if (known != effects_.end()) return rate_of(trials_[static_cast<std::size_t>(known - effects_.begin())]);
    if (!sim::refusal_of(table_, configuration, context_).empty()) return 0.0;
    if (!goes_on() || left(search_share) < worth_beginning * usual_cost()) {
      left_out_ = true;
      return 0.0;
    }
    try_out(configuration);
    return interrupted_ ? 0.0 : rate_of(trials_.back());
  }

  /// Chooses the accurate value of every axis that has one and applies; false if there is none.
  bool make_accurate(sim::Configuration& configuration) const {
    bool changed = false;
    for (const auto& axis : axes_) {
      const auto& accurate = axis.accurate ? axis.accurate : table_.at(axis.option).accurate;
      if (!accurate || !active(axis, configuration)) continue;
      configuration.set(axis.option, *accurate);
      changed = true;
    }
    return changed;
  }

  /// The start with every value of the first axis, fastest first.
  std::vector<sim::Configuration> starts() {
    std::vector<std::pair<double, sim::Configuration>> list;
    if (const double its_rate = rate(start_); its_rate > 0.0) list.emplace_back(its_rate, start_);
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

  bool improve(const SweepAxis& axis, sim::Configuration& configuration) {
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
  void descend(sim::Configuration configuration) {
    bool improved = true;
    while (improved && goes_on()) {
      improved = false;
      for (const auto& axis : std::span(axes_).subspan(1))
        if (active(axis, configuration) && improve(axis, configuration)) improved = true;
    }
  }

  /// The start first, if it is right, then the fastest.
  std::vector<Finalist> choose_finalists() const {
    std::vector<Finalist> list;
    for (std::size_t k = 0; k < trials_.size(); ++k)
      if (trials_[k].rejected.empty()) list.push_back({&trials_[k], costs_[k], {}});
    const bool with_start = !list.empty() && list.front().trial->configuration == start_;
    std::stable_sort(list.begin() + (with_start ? 1 : 0), list.end(), [](const auto& a, const auto& b) {
      return a.trial->measurement.gips > b.trial->measurement.gips;
    });
    list.resize(std::min(list.size(), finalists + 1));
    return list;
  }

  /// In turns, so that a machine that slows down or warms up is the same for all. As many rounds as fit.
  void measure_in_turns(std::vector<Finalist>& list) {
    double cost = 0.0;
    for (const auto& finalist : list) cost += finalist.cost;
    for (int round = 0; round < final_rounds && left(1.0) > cost; ++round)
      if (!measure_round(list)) return;
  }

  /// False: it ended early, and does not count.
  bool measure_round(std::vector<Finalist>& list) try {
    std::vector<double> rates;
    for (const auto& finalist : list) rates.push_back(final_rate(finalist.trial->configuration));
    for (std::size_t k = 0; k < list.size(); ++k) list[k].rates.push_back(rates[k]);
    return true;
  } catch (const TooSlow&) {
    return false;
  } catch (const sim::Cancelled&) {
    interrupted_ = true;
    return false;
  }

  double final_rate(const sim::Configuration& configuration) try {
    return measure(configuration, {0.0, left(1.0)}).gips;
  } catch (const TooSlow&) {
    throw;
  } catch (const sim::Cancelled&) {
    throw;
  } catch (const sim::Error&) {
    if (configuration == start_) throw;
    return 0.0;
  }

  /// Why the outcome says nothing; empty if it does.
  std::string why_nothing() const {
    const auto right =
        std::ranges::count_if(trials_, [](const auto& trial) { return trial.rejected.empty(); });
    if (limits_.seconds <= 0.0) return "no time was given, so nothing was measured";
    const bool ended_early = left_out_ || interrupted_;
    if (ended_early && right < 2)
      return fmt::format("{} before anything was compared",
                         interrupted_ ? "it was interrupted" : "the time was up");
    // Some of it may be the program's own start.
    if (!limits_.under_load && 4 * busy_ > measured_)
      return fmt::format(
          "the machine is busy: other programs used the cores in {} of {} measurements (tune again when "
          "it is idle, or with --under-load)",
          busy_, measured_);
    if (right == 0) return fmt::format("no configuration has a force error of at most {:.1e}", limits_.error);
    return {};
  }

  TuningResult result_of(const std::vector<Finalist>& list) {
    const auto gips = [](const Finalist& each) { return each.speed().median; };
    TuningResult result{.best = start_,
                        .error_limit = limits_.error,
                        .complete = !left_out_ && !interrupted_ && limits_.seconds > 0.0,
                        .interrupted = interrupted_,
                        .nothing = why_nothing()};
    if (!list.empty()) {
      const bool with_start = list.front().trial->configuration == start_;
      auto best = *std::ranges::max_element(list, {}, gips);
      result.no_difference = with_start && best.trial != list.front().trial &&
                             !Factor(list.front().speed(), best.speed()).counts();
      if (result.no_difference) best = list.front();
      result.best = best.trial->configuration;
      result.best_gips = gips(best);
      result.error_median = best.trial->measurement.error_median;
      result.error_p99 = best.trial->measurement.error_p99;
      if (with_start) result.start_gips = gips(list.front());
    }
    result.trials = std::move(trials_);
    return result;
  }

  const sim::OptionTable& table_;
  const sim::Configuration& start_;
  const sim::OptionContext& context_;
  const std::vector<SweepAxis>& axes_;
  const MeasureFunction& measure_;
  TuningLimits limits_;
  const std::function<void(const TuningTrial&)>& watch_;
  double begin_ = 0.0;
  std::vector<TuningTrial> trials_;
  std::vector<double> costs_;                ///< seconds that each entry of trials_ took
  std::vector<sim::Configuration> effects_;  ///< effective configuration of each entry of trials_
  bool left_out_ = false;                    ///< something was not measured for want of time
  bool interrupted_ = false;
  std::size_t measured_ = 0, busy_ = 0;  ///< measurements, and those beside other programs
};

/// Those that are usually fast first.
std::vector<sim::OptionValue> values_to_try(const sim::Option& option, const sim::Configuration& start,
                                            bool approximate) {
  auto values = sweep_values(option, start);
  if (!approximate)
    std::erase_if(values, [&](const sim::OptionValue& value) {
      const auto* choice = std::get_if<std::string>(&value);
      return choice != nullptr && sim::is_approximate(option.name, *choice);
    });
  if (option.usual_rates.empty()) return values;
  const auto usual_rate = [&](const sim::OptionValue& value) {
    const auto at = std::ranges::find(option.choices, std::get<std::string>(value)) - option.choices.begin();
    return option.usual_rates.at(static_cast<std::size_t>(at));
  };
  std::ranges::stable_sort(values, std::ranges::greater{}, usual_rate);
  return values;
}

/// Medians whose 99th percentile may be within `error`: that is some 3 to 10 times the median.
SweepAxis accuracy_axis(const sim::Option& option, double error) {
  SweepAxis axis{.option = option.name, .values = {}};
  for (const double parts : {3.0, 5.0, 8.0})
    axis.values.emplace_back(std::clamp(error / parts, option.minimum, option.maximum));
  axis.accurate = axis.values.back();
  return axis;
}

}  // namespace

std::vector<std::string> tunable_options(const sim::OptionTable& table,
                                         const sim::Configuration& configuration) {
  std::vector<const sim::Option*> ranking;
  for (const auto& option : table.options())
    if (option.tuning_rank > 0 && sim::is_of_engine(option, configuration)) ranking.push_back(&option);
  std::ranges::stable_sort(ranking, {}, &sim::Option::tuning_rank);
  std::vector<std::string> names;
  names.reserve(ranking.size());
  for (const auto* option : ranking) names.push_back(option->name);
  return names;
}

std::vector<SweepAxis> tuning_axes(const sim::OptionTable& table, const sim::Configuration& start,
                                   const std::vector<std::string>& fixed, std::optional<double> error) {
  const auto is_fixed = [&](const std::string& name) {
    return std::ranges::any_of(fixed, [&](const auto& each) { return table.at(each).name == name; });
  };
  std::vector<SweepAxis> axes;
  for (const auto& name : tunable_options(table, start)) {
    if (is_fixed(name)) continue;
    axes.push_back({.option = name, .values = values_to_try(table.at(name), start, error.has_value())});
  }
  const auto* accuracy = table.find("accuracy");
  if (error && accuracy != nullptr && !is_fixed(accuracy->name))
    axes.push_back(accuracy_axis(*accuracy, *error));
  return axes;
}

TuningResult tune(const sim::OptionTable& table, const sim::Configuration& start,
                  const sim::OptionContext& context, const std::vector<SweepAxis>& axes,
                  const MeasureFunction& measure, const TuningLimits& limits,
                  const std::function<void(const TuningTrial&)>& watch) {
  return Search(table, start, context, axes, measure, limits, watch).run();
}

}  // namespace orrery::lab
