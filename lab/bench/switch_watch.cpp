#include "lab/bench/switch_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/options/engine_option.h"

namespace orrery::lab {

namespace {

/// The first median after a switch is wanted soon; later ones are of more evaluations.
constexpr std::chrono::duration<double> first_median{0.4};
constexpr std::chrono::duration<double> next_median{1.0};
/// More options than that many are not named one by one.
constexpr std::size_t most_named = 2;

bool decides_physics(const sim::Option& option) {
  return sim::decides_result(option) && !sim::decides_engine(option);
}

/// Those of the options that `concerns` picks and that apply.
sim::Configuration part_of(const sim::OptionTable& table, const sim::Configuration& configuration,
                           sim::OptionFilter concerns) {
  sim::Configuration part;
  for (const auto& option : table.options())
    if (concerns(option) && sim::applies(option, configuration))
      part.set(option.name, configuration.value(option.name));
  return part;
}

/// "tile 128"; of an on/off option "pinned on".
std::string words(const sim::Option& option, const sim::OptionValue& value) {
  return fmt::format("{} {}", option.name, sim::to_string(value));
}

bool is_name(const std::string& option) {
  return option == "engine" || option == "kernel" || option == "family";
}

/// Options, besides the kernel's name, that apply in both and differ, or apply in one alone.
std::vector<std::string> differences(const sim::Configuration& a, const sim::Configuration& b) {
  std::vector<std::string> names;
  for (const auto& [name, value] : b.values())
    if (!is_name(name) && (!a.contains(name) || a.value(name) != value)) names.push_back(name);
  return names;
}

std::string words_of(const sim::OptionTable& table, const sim::Configuration& c,
                     const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most_named); ++k)
    text += (k == 0 ? "" : ", ") + words(table.at(names[k]), c.value(names[k]));
  if (names.size() > most_named) text += fmt::format(" and {} more", names.size() - most_named);
  return text;
}

}  // namespace

void SwitchWatch::restart() { *this = SwitchWatch(*table_); }

void SwitchWatch::update(const Feed& feed) {
  if (tried_.empty() || feed.configuration != seen_) look_at(feed);
  live_.update({.frame = feed.frame, .revision = feed.revision, .paused = feed.paused, .now = feed.now},
               [](const sim::Configuration&) { return std::string(); });
  take_rate(feed);
  take_error(feed);
}

/// Some option changed: perhaps one that computes.
void SwitchWatch::look_at(const Feed& feed) {
  auto computing = part_of(*table_, feed.configuration, sim::decides_engine);
  auto physics = part_of(*table_, feed.configuration, decides_physics);
  const auto raw = std::exchange(seen_, feed.configuration);
  const bool first = tried_.empty();
  if (!first && tried_[present_].computing == computing && tried_[present_].physics == physics) return;
  const bool same_physics = first || tried_[present_].physics == physics;
  const auto old = std::exchange(present_, place_of(std::move(computing), std::move(physics)));
  if (!first && tried_[old].computing != tried_[present_].computing) switch_from(old, raw, feed);
  // Numbers of another physics say nothing of a switch.
  if (!same_physics && last_ && tried_[old].computing == tried_[present_].computing) last_.reset();
  measured_ = checked_ = false;
  refusal_.clear();
  since_ = feed.revision;
  measure_anew(feed, first_median);
}

void SwitchWatch::switch_from(std::size_t old, const sim::Configuration& raw, const Feed& feed) {
  const bool passing = last_ && !measured_ && feed.now - last_->at < merging;
  const auto start = passing ? last_->before : old;
  if (!passing) before_ = raw;
  has_before_ = true;
  ++switches_;
  last_.reset();
  if (start == present_) return;
  const auto& was = tried_[start];
  const auto& is = tried_[present_];
  Switch step{.before = start, .after = present_, .was = was, .at = feed.now};
  step.from = sim::computing_name(before_);
  step.to = sim::computing_name(feed.configuration);
  if (step.from == step.to) {
    auto names = differences(was.computing, is.computing);
    std::erase_if(names, [&](const std::string& name) { return !was.computing.contains(name); });
    if (!names.empty()) {
      step.from += ", " + words_of(*table_, was.computing, names);
      step.to = words_of(*table_, is.computing, names);
    }
  }
  last_ = std::move(step);
}

std::size_t SwitchWatch::place_of(sim::Configuration computing, sim::Configuration physics) {
  const auto found = std::ranges::find_if(tried_, [&](const MeasuredVariant& each) {
    return each.computing == computing && each.physics == physics;
  });
  const auto place = static_cast<std::size_t>(found - tried_.begin());
  if (found != tried_.end()) return place;
  auto name = name_of(computing);
  tried_.push_back(
      {.computing = std::move(computing), .physics = std::move(physics), .name = std::move(name)});
  return place;
}

/// The kernel, and what differs from the first of the same kernel that was tried.
std::string SwitchWatch::name_of(const sim::Configuration& computing) const {
  const auto kernel = [](const sim::Configuration& c) { return sim::computing_name(c); };
  const auto first = std::ranges::find_if(tried_, [&](const MeasuredVariant& each) {
    return sim::engine_name(each.computing) == sim::engine_name(computing) &&
           kernel(each.computing) == kernel(computing);
  });
  auto name = kernel(computing);
  if (first == tried_.end() || first->computing == computing) return name;
  const auto names = differences(first->computing, computing);
  return names.empty() ? name : name + ", " + words_of(*table_, computing, names);
}

void SwitchWatch::measure_anew(const Feed& feed, std::chrono::duration<double> each) {
  std::vector<LiveTask> task(1);
  live_.start(std::move(task), {.each = each});
  // Begins at once: the controls have been sent.
  live_.update({.frame = feed.frame, .revision = feed.revision, .paused = feed.paused, .now = feed.now},
               [](const sim::Configuration&) { return std::string(); });
}

void SwitchWatch::take_rate(const Feed& feed) {
  if (live_.running() || live_.results().empty()) return;
  const auto& result = live_.results().front();
  if (result.state == LiveResult::State::refused) {
    if (refusal_.empty()) {
      refusal_ = result.refusal;
      if (last_) last_->refusal = refusal_;
    }
    // Until the engine runs again, or the person chooses something else.
    if (!feed.frame.problem.empty()) return;
    refusal_.clear();
  }
  if (result.state == LiveResult::State::measured) {
    auto& present = tried_[present_];
    present.gips = result.gips_kernel;
    present.seconds = result.seconds;
    present.spread = result.spread;
    present.busy = feed.busy;
    measured_ = true;
    if (last_ && !std::exchange(last_->measured, true)) last_->measured_at = feed.now;
  }
  measure_anew(feed, next_median);
}

void SwitchWatch::take_error(const Feed& feed) {
  if (!feed.health || feed.health->revision < since_ || feed.health->force_error.sample == 0) return;
  // A step that went wrong altogether has an error that is no number.
  tried_[present_].error = feed.health->force_error.median;
  checked_ = true;
  if (last_) last_->checked = true;
}

std::optional<sim::Configuration> SwitchWatch::before(const sim::Configuration& present) const {
  if (!has_before_) return {};
  auto wanted = present;
  for (const auto& option : table_->options())
    if (sim::decides_engine(option)) wanted.set(option.name, before_.value(option.name));
  return wanted;
}

bool evaluates_other_interactions(const MeasuredVariant& a, const MeasuredVariant& b) {
  const double interactions_of_a = a.gips * a.seconds, interactions_of_b = b.gips * b.seconds;
  if (!(interactions_of_a > 0.0) || !(interactions_of_b > 0.0)) return false;
  return std::abs(interactions_of_a / interactions_of_b - 1.0) > 0.05;
}

std::string evaluation_text(double seconds) {
  if (seconds >= 0.9995) return fmt::format("{:#.3g} s", seconds);
  return fmt::format("{:.3g} ms", 1e3 * seconds);
}

Factor factor_of(const MeasuredVariant& was, const MeasuredVariant& is) {
  const bool by_time = evaluates_other_interactions(was, is);
  const auto speed_of = [&](const MeasuredVariant& each) {
    const double by_seconds = each.seconds > 0.0 ? 1.0 / each.seconds : 0.0;
    return MeasuredSpeed{by_time ? by_seconds : each.gips, each.spread, each.busy};
  };
  return {speed_of(was), speed_of(is)};
}

}  // namespace orrery::lab
