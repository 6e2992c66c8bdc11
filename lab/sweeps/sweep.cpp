#include "lab/sweeps/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::lab {

namespace {

constexpr std::size_t most_values = 64;

std::vector<sim::OptionValue> whole_numbers(const sim::Option& option) {
  constexpr std::int64_t few = 8;
  const auto low = static_cast<std::int64_t>(option.minimum);
  const auto high = static_cast<std::int64_t>(option.maximum);
  std::vector<sim::OptionValue> values;
  if (high - low < few) {
    for (auto value = low; value <= high; ++value) values.emplace_back(value);
    return values;
  }
  if (low == 0) values.emplace_back(std::int64_t{0});
  for (std::int64_t value = 1; value <= high; value *= 2)
    if (value >= low) values.emplace_back(value);
  return values;
}

std::vector<sim::OptionValue> real_numbers(const sim::Option& option, double middle) {
  std::vector<sim::OptionValue> values;
  for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0}) {
    const sim::OptionValue value = std::clamp(middle * factor, option.minimum, option.maximum);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

std::vector<sim::OptionValue> named_values(const sim::OptionTable& table, const sim::Option& option,
                                           std::string_view list) {
  std::vector<sim::OptionValue> values;
  // Values of a form have colons of their own: step=block:0.05/block:0.1.
  for (const auto text : sim::split_text(list, list.find('/') == std::string_view::npos ? ':' : '/')) {
    auto value = table.parse(option, text);
    if (std::ranges::find(values, value) != values.end())
      throw sim::UsageError(fmt::format("sweep names {}={} twice", option.name, sim::to_string(value)));
    values.push_back(std::move(value));
  }
  if (values.size() > most_values)
    throw sim::UsageError(fmt::format("sweep takes up to {} values of an option", most_values));
  return values;
}

SweepAxis parse_axis(const sim::OptionTable& table, std::string_view text, const sim::Configuration& start) {
  const auto equals = text.find('=');
  const auto& option = table.at(text.substr(0, equals));
  if (!sim::decides_result(option))
    throw sim::UsageError(
        fmt::format("sweep varies what computes; '{}' changes only what is seen", option.name));
  if (equals == std::string_view::npos)
    return {.option = option.name, .values = sweep_values(option, start), .named = false};
  return {
      .option = option.name, .values = named_values(table, option, text.substr(equals + 1)), .named = true};
}

std::vector<SweepCell> all_combinations(const sim::OptionTable& table, const Sweep& sweep,
                                        const sim::Configuration& start, const sim::OptionContext& context) {
  std::vector<SweepCell> cells;
  cells.reserve(sweep.row_count() * sweep.column_count());
  for (const auto& row : sweep.rows.values) {
    for (std::size_t column = 0; column < sweep.column_count(); ++column) {
      SweepCell cell{.configuration = start, .refusal = {}};
      cell.configuration.set(sweep.rows.option, row);
      if (!sweep.columns.values.empty())
        cell.configuration.set(sweep.columns.option, sweep.columns.values[column]);
      cell.refusal = sim::refusal_of(table, cell.configuration, context);
      cells.push_back(std::move(cell));
    }
  }
  return cells;
}

/// Why every combination with that value of that option is refused; empty if one is not.
std::string impossible(const Sweep& sweep, const std::string& option, const sim::OptionValue& value) {
  std::string reason;
  for (const auto& cell : sweep.cells) {
    if (cell.configuration.value(option) != value) continue;
    if (cell.refusal.empty()) return {};
    reason = cell.refusal;
  }
  return reason;
}

/// Takes what cannot be out of an axis that nobody named; true if something went.
bool prune(Sweep& sweep, SweepAxis& axis) {
  if (axis.named) return false;
  std::vector<sim::OptionValue> left;
  std::vector<std::string> gone;
  std::string why;
  for (const auto& value : axis.values) {
    auto reason = impossible(sweep, axis.option, value);
    if (reason.empty()) {
      left.push_back(value);
    } else {
      gone.push_back(sim::to_string(value));
      why = std::move(reason);
    }
  }
  // Where nothing is possible the reasons must show.
  if (gone.empty() || left.empty()) return false;
  sweep.notes.push_back(fmt::format("left out {} {}: {}", axis.option, fmt::join(gone, ", "), why));
  axis.values = std::move(left);
  return true;
}

void note_inactive(const sim::OptionTable& table, Sweep& sweep, const SweepAxis& axis) {
  const auto& option = table.at(axis.option);
  const auto& start = sweep.cells.front().configuration;
  const bool ever = std::ranges::any_of(
      sweep.cells, [&](const SweepCell& cell) { return sim::applies(option, cell.configuration); });
  if (!ever)
    sweep.notes.push_back(
        fmt::format("{} has no effect here: {}", axis.option, sim::why_inactive(option, start)));
}

}  // namespace

std::vector<sim::OptionValue> sweep_values(const sim::Option& option, const sim::Configuration& start) {
  if (!option.trial_values.empty()) return option.trial_values;
  switch (option.kind) {
    case sim::OptionKind::boolean:
      return {false, true};
    case sim::OptionKind::choice: {
      const auto choices = sim::own_choices(option);
      return {choices.begin(), choices.end()};
    }
    case sim::OptionKind::integer:
      return whole_numbers(option);
    case sim::OptionKind::list:
      return {start.value(option.name)};
    case sim::OptionKind::form:
      return sim::usual_values(option);
    case sim::OptionKind::real:
      break;
  }
  return real_numbers(option, start.real(option.name));
}

std::vector<SweepAxis> parse_sweep(const sim::OptionTable& table, std::string_view text,
                                   const sim::Configuration& start) {
  const auto parts = sim::split_text(text, ',');
  if (text.empty() || parts.size() > 2)
    throw sim::UsageError(
        "sweep takes one or two options, e.g. tile,unroll or tile=64:128:256,unroll=1:4:16");
  std::vector<SweepAxis> axes;
  axes.reserve(parts.size());
  for (const auto part : parts) axes.push_back(parse_axis(table, part, start));
  if (axes.size() == 2 && axes[0].option == axes[1].option)
    throw sim::UsageError(fmt::format("sweep needs two different options, not '{}' twice", axes[0].option));
  return axes;
}

bool Sweep::of_whole_steps() const {
  return rows.option.starts_with("map-") || columns.option.starts_with("map-");
}

const SweepCell* Sweep::best() const {
  const SweepCell* best = nullptr;
  for (const auto& cell : cells)
    if (cell.measured && (best == nullptr || cell.speed.median > best->speed.median)) best = &cell;
  return best;
}

std::vector<std::pair<std::string, std::size_t>> Sweep::reasons() const {
  std::vector<std::pair<std::string, std::size_t>> list;
  for (const auto& cell : cells) {
    if (cell.refusal.empty()) continue;
    const auto known = std::ranges::find(list, cell.refusal, &std::pair<std::string, std::size_t>::first);
    if (known == list.end())
      list.emplace_back(cell.refusal, 1);
    else
      ++known->second;
  }
  return list;
}

Sweep make_sweep(const sim::OptionTable& table, std::vector<SweepAxis> axes, const sim::Configuration& start,
                 const sim::OptionContext& context) {
  Sweep sweep;
  sweep.rows = std::move(axes.at(0));
  if (axes.size() > 1) sweep.columns = std::move(axes[1]);
  sweep.cells = all_combinations(table, sweep, start, context);
  const bool fewer_rows = prune(sweep, sweep.rows);
  const bool fewer_columns = !sweep.columns.values.empty() && prune(sweep, sweep.columns);
  if (fewer_rows || fewer_columns) sweep.cells = all_combinations(table, sweep, start, context);
  note_inactive(table, sweep, sweep.rows);
  if (!sweep.columns.values.empty()) note_inactive(table, sweep, sweep.columns);
  return sweep;
}

}  // namespace orrery::lab
