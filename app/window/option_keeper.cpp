#include "app/window/option_keeper.h"

#include <imgui.h>

#include <string>

#include "app/log.h"
#include "app/picture/persistent_options.h"

namespace orrery::app {

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

void OptionKeeper::say_step(const char* what, const std::optional<OptionHistory::Step>& step) {
  auto& messages = watched_.messages;
  if (!step) return messages.say(std::string("nothing to ") + what);
  if (!step->refusal.empty()) return log_warning(std::string(what) + " is not possible: " + step->refusal);
  keep(step->change);
  messages.say(std::string(what) + ": " + change_text(watched_.session.table(), step->change));
}

void OptionKeeper::undo() {
  note();
  auto& session = watched_.session;
  say_step("undo", history_.undo(session.configuration, [&](const sim::Configuration& wanted) {
    return sim::refusal_of(session.table(), wanted, session.context());
  }));
}

void OptionKeeper::redo() {
  note();
  auto& session = watched_.session;
  say_step("redo", history_.redo(session.configuration, [&](const sim::Configuration& wanted) {
    return sim::refusal_of(session.table(), wanted, session.context());
  }));
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
