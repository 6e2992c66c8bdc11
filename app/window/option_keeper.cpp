#include "app/window/option_keeper.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/gui.h"
#include "app/live/demo_run.h"
#include "app/live/laboratory.h"
#include "app/log.h"
#include "app/panels/option_widgets.h"
#include "app/picture/persistent_options.h"
#include "app/session/session.h"
#include "app/window/messages.h"
#include "app/window/settings.h"

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

std::optional<OptionHistory::Step> OptionHistory::go(std::vector<OptionChange>& from,
                                                     std::vector<OptionChange>& to,
                                                     sim::Configuration& configuration,
                                                     const Refusal& refusal) {
  if (from.empty()) return std::nullopt;
  Step step;
  auto wanted = configuration;
  for (const auto& [name, values] : from.back()) {
    step.change.emplace(name, std::pair(values.second, values.first));
    wanted.set(name, values.first);
  }
  from.pop_back();
  step.refusal = refusal(wanted);
  if (!step.refusal.empty()) return step;
  last_ = wanted;
  configuration = std::move(wanted);
  to.push_back(step.change);
  last_time_ = {};
  return step;
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

void OptionKeeper::use_kept() {
  auto& session = watched_.session;
  for (const auto& problem : apply_kept(session.table(), watched_.settings.display, session.configuration))
    log_warning(problem);
  accept();
}

void OptionKeeper::note() {
  watched_.gui.make_current();
  if (watched_.demo.running()) return accept();
  if (ImGui::IsAnyItemActive() || watched_.experiment.running()) return;
  keep(history_.note(watched_.session.configuration, OptionHistory::Clock::now()));
}

void OptionKeeper::keep(const OptionChange& change) {
  auto& display = watched_.settings.display;
  for (const auto& [name, values] : change) {
    const auto& option = watched_.session.table().at(name);
    if (!is_persistent(option)) continue;
    const auto value = kept_value(option, values.second, option.default_value);
    if (value == option.default_value)
      display.erase(name);
    else
      display[name] = sim::to_string(value);
  }
}

void OptionKeeper::accept() { history_.accept(watched_.session.configuration); }

void OptionKeeper::go(const char* what, OptionHistory::Way way) {
  note();
  auto& session = watched_.session;
  const auto step = (history_.*way)(session.configuration, [&](const sim::Configuration& wanted) {
    return sim::refusal_of(session.table(), wanted, session.context());
  });
  auto& messages = watched_.messages;
  if (!step) return messages.say(std::string("nothing to ") + what);
  if (!step->refusal.empty()) return log_warning(std::string(what) + " is not possible: " + step->refusal);
  keep(step->change);
  messages.say(std::string(what) + ": " + change_text(session.table(), step->change));
}

void OptionKeeper::reset_display() {
  auto& session = watched_.session;
  for (const auto& option : session.table().options())
    if (is_persistent(option))
      session.set_option(
          option, kept_value(option, session.default_of(option), session.configuration.value(option.name)));
  watched_.messages.say("the picture's options are as at first; Ctrl+Z takes it back");
}

}  // namespace orrery::app
