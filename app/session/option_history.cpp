#include "app/session/option_history.h"

#include <fmt/format.h>

namespace orrery::app {

namespace {

constexpr std::size_t most_changes = 500;
constexpr std::chrono::seconds one_movement{1};

OptionChange difference(const sim::Configuration& before, const sim::Configuration& after) {
  OptionChange change;
  for (const auto& [name, value] : after.values()) {
    const auto& old = before.value(name);
    if (old != value) change.emplace(name, std::pair(old, value));
  }
  return change;
}

/// A number, or the numbers of a form whose word stays.
bool is_number(const sim::OptionValue& value, const sim::OptionValue& before) {
  const auto *text = std::get_if<std::string>(&value), *old = std::get_if<std::string>(&before);
  if (text == nullptr || old == nullptr) return !std::holds_alternative<bool>(value);
  const auto form = sim::form_value(*text);
  return !form.numbers.empty() && form.word == sim::form_value(*old).word;
}

std::string short_text(const sim::OptionValue& value) {
  const auto* real = std::get_if<double>(&value);
  return real != nullptr ? fmt::format("{:.4g}", *real) : sim::to_string(value);
}

}  // namespace

std::string change_text(const sim::OptionTable& table, const OptionChange& change) {
  constexpr std::size_t most_names = 4;
  if (change.size() == 1) {
    const auto& [name, values] = *change.begin();
    return fmt::format("{} is {}", sim::label_of(table.at(name)), short_text(values.second));
  }
  std::string names;
  std::size_t count = 0;
  for (const auto& option : table.options()) {
    if (!change.contains(option.name) || ++count > most_names) continue;
    names += (count > 1 ? ", " : "") + sim::label_of(option);
  }
  return fmt::format("{} options ({}{})", change.size(), names, count > most_names ? ", ..." : "");
}

OptionChange OptionHistory::reversed(const OptionChange& change) {
  OptionChange back;
  for (const auto& [name, values] : change) back.emplace(name, std::pair(values.second, values.first));
  return back;
}

/// True if the same number goes on to change: a key that is held, a wheel.
bool OptionHistory::continues(const OptionChange& change, Clock::time_point when) const {
  if (done_.empty() || when - last_time_ > one_movement) return false;
  const auto& last = done_.back();
  return change.size() == 1 && last.size() == 1 && change.begin()->first == last.begin()->first &&
         is_number(change.begin()->second.second, change.begin()->second.first);
}

OptionChange OptionHistory::note(const sim::Configuration& now, Clock::time_point when) {
  if (!last_) last_ = now;
  if (*last_ == now) return {};
  auto change = difference(*last_, now);
  last_ = now;
  if (continues(change, when))
    done_.back().begin()->second.second = change.begin()->second.second;
  else
    done_.push_back(change);
  if (done_.size() > most_changes) done_.erase(done_.begin());
  undone_.clear();
  last_time_ = when;
  return change;
}

}  // namespace orrery::app
