#include "app/window/viewer.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/log.h"
#include "app/picture/persistent_options.h"

// Options that a person switched: kept for the next run, taken back and made again.
namespace orrery::app {

/// Records switches for undo, and keeps the looks for the next run.
void Viewer::note_changes() {
  gui_.make_current();
  // What a demonstration sets is nobody's taste, and not undone step by step.
  if (demo_.running()) return history_.accept(session_.configuration);
  if (ImGui::IsAnyItemActive() || laboratory_.experiment.running()) return;
  keep_looks(history_.note(session_.configuration, Clock::now()));
}

void Viewer::keep_looks(const OptionChange& change) {
  for (const auto& [name, values] : change) {
    const auto& option = table_.at(name);
    if (!is_persistent(option)) continue;
    const auto value = kept_value(option, values.second, option.default_value);
    if (value == option.default_value)
      settings_.display.erase(name);
    else
      settings_.display[name] = sim::to_string(value);
  }
}

/// Applies the persistent display options. Command line and dataset take precedence.
void Viewer::use_kept_display() {
  for (const auto& problem : apply_kept(table_, settings_.display, session_.configuration))
    log_warning(problem);
  history_.accept(session_.configuration);
}

void Viewer::say_step(const char* what, const std::optional<OptionHistory::Step>& step) {
  if (!step) return say(std::string("nothing to ") + what);
  if (!step->refusal.empty()) return log_warning(std::string(what) + " is not possible: " + step->refusal);
  keep_looks(step->change);
  say(std::string(what) + ": " + change_text(table_, step->change));
}

void Viewer::undo() {
  note_changes();
  say_step("undo", history_.undo(session_.configuration, [this](const sim::Configuration& wanted) {
    return sim::refusal_of(table_, wanted, session_.context());
  }));
}

void Viewer::redo() {
  note_changes();
  say_step("redo", history_.redo(session_.configuration, [this](const sim::Configuration& wanted) {
    return sim::refusal_of(table_, wanted, session_.context());
  }));
}

void Viewer::reset_display() {
  for (const auto& option : table_.options())
    if (is_persistent(option))
      session_.set_option(
          option, kept_value(option, session_.default_of(option), session_.configuration.value(option.name)));
  say("the picture's options are as at first; Ctrl+Z takes it back");
}

void Viewer::change_ui_scale(int direction) {
  settings_.ui_scale = next_ui_scale(settings_.ui_scale, direction);
  say(fmt::format("text and widgets: {:.0f} %", 100.0 * double{settings_.ui_scale}));
}

}  // namespace orrery::app
