#include "app/window/palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "app/live/demo.h"
#include "app/panels/option_widgets.h"
#include "app/window/commands.h"
#include "app/window/viewer.h"
#include "sim/core/error.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

std::vector<Choice> demo_choices(Viewer& viewer) {
  std::vector<std::string> problems;
  std::vector<Choice> choices;
  for (auto& demo : all_demos(viewer.session().table(), problems)) {
    choices.push_back({.name = "demo:" + demo.name,
                       .title = demo.title,
                       .detail = demo.name,
                       .words = "demonstration " + demo.meaning,
                       .help = demo.meaning,
                       .act = closing([&viewer, demo] { viewer.start_demo(demo); })});
  }
  for (std::size_t k = 0; k < problems.size(); ++k)
    choices.push_back({.name = "demo-problem:" + std::to_string(k),
                       .title = "a demonstration that cannot be read",
                       .refusal = problems[k]});
  return choices;
}

ChoiceList demo_list(Viewer& viewer) {
  return {.name = demo_list_name,
          .title = "Demonstrations",
          .prompt = "choose one; Space goes on from step to step, Esc takes over",
          .choices = demo_choices(viewer)};
}

namespace {

using sim::Option;
using sim::OptionKind;
using sim::OptionValue;

/// As people read it: 4 digits of a real number, the words of a choice.
std::string value_text(const Option& option, const OptionValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{:.4g}", *real);
  if (option.kind == OptionKind::choice) return choice_text(option, std::get<std::string>(value));
  return sim::to_string(value);
}

std::string with_unit(const Option& option, const OptionValue& value) {
  const bool has_unit = !option.unit.empty() && option.unit.size() <= 12;
  return value_text(option, value) + (has_unit ? " " + option.unit : std::string());
}

std::string option_help(const Viewer& viewer, const Option& option) {
  auto text = option.meaning;
  const auto inactive = sim::why_inactive(option, viewer.session().configuration);
  if (!inactive.empty()) text += fmt::format(" No effect now: {}.", inactive);
  return text + fmt::format(" Command line: --set {}=...", option.name);
}

/// A line that sets a value and closes the lists.
Choice value_choice(Viewer& viewer, const Option& option, const OptionValue& value, std::string title) {
  return {.name = option.name + "=" + sim::to_string(value),
          .title = std::move(title),
          .help = option.meaning,
          .refusal = viewer.session().refusal(option, value),
          .current = viewer.session().configuration.value(option.name) == value,
          .act = closing([&viewer, &option, value] {
            if (viewer.session().set_option(option, value))
              viewer.messages().say(fmt::format("{}: {}", sim::label_of(option), with_unit(option, value)));
          })};
}

/// The typed value, or why it is none.
Choice typed_value(Viewer& viewer, const Option& option, const std::string& text) {
  try {
    const auto value = viewer.session().table().parse(option, text);
    return value_choice(viewer, option, value,
                        fmt::format("Set {} to {}", sim::label_of(option), with_unit(option, value)));
  } catch (const sim::UsageError& error) {
    return {.name = option.name + "=",
            .title = fmt::format("{}: {}", sim::label_of(option), text),
            .refusal = error.what()};
  }
}

std::string meaning_of_choice(const Option& option, std::size_t k) {
  return k < option.choice_meanings.size() ? option.choice_meanings[k] : std::string();
}

Choice choice_of(Viewer& viewer, const Option& option, std::size_t k) {
  auto choice = value_choice(viewer, option, option.choices[k], choice_text(option, option.choices[k]));
  choice.detail = meaning_of_choice(option, k);
  choice.words = option.choices[k];
  return choice;
}

ChoiceList choices_of(Viewer& viewer, const Option& option) {
  ChoiceList list{.name = "values", .title = sim::label_of(option), .prompt = "type to narrow the list"};
  for (std::size_t k = 0; k < option.choices.size(); ++k)
    list.choices.push_back(choice_of(viewer, option, k));
  return list;
}

/// The values that may be typed.
std::string prompt_of(const Option& option) {
  if (option.kind == OptionKind::form) return "type " + sim::forms_text(option);
  if (option.kind == OptionKind::list)
    return fmt::format("type all, {}, or some names with commas between them", option.no_choice);
  return fmt::format("type a number from {:g} to {:g}{}{}", option.minimum, option.maximum,
                     option.unit.empty() ? "" : ", in ", option.unit);
}

bool is_part_of_a_word(const Option& option, const std::string& text) {
  const auto begins = [&](const std::string& word) { return word.starts_with(text); };
  return std::ranges::any_of(option.forms, begins, &sim::OptionForm::word) ||
         std::ranges::any_of(option.choices, begins);
}

/// The forms of an option that need no numbers, with the usual ones.
std::vector<Choice> choices_of_forms(Viewer& viewer, const Option& option) {
  std::vector<Choice> choices;
  for (const auto& form : option.forms) {
    if (form.word.empty() || std::ranges::any_of(form.numbers, &sim::FormNumber::required)) continue;
    const OptionValue value = sim::form_text(sim::usual_value(form));
    choices.push_back(value_choice(viewer, option, value, sim::to_string(value)));
    choices.back().detail = form.meaning;
  }
  return choices;
}

/// For a number, a list or a form: a value to be typed, and the usual ones.
ChoiceList value_list(Viewer& viewer, const Option& option) {
  const auto& present = viewer.session().configuration.value(option.name);
  ChoiceList list{.name = "values",
                  .title = fmt::format("{}, now {}", sim::label_of(option), with_unit(option, present)),
                  .prompt = prompt_of(option)};
  list.from_text = [&viewer, &option](const std::string& text) -> std::optional<Choice> {
    auto typed = typed_value(viewer, option, text);
    // A part of a word narrows the list.
    if (!typed.refusal.empty() && is_part_of_a_word(option, text)) return std::nullopt;
    return typed;
  };
  const auto usual = viewer.session().default_of(option);
  list.choices.push_back(
      value_choice(viewer, option, usual, fmt::format("Default: {}", with_unit(option, usual))));
  for (auto& choice : choices_of_forms(viewer, option)) list.choices.push_back(std::move(choice));
  return list;
}

/// An option with its present value: switched at once if it is on or off, else its values show.
Choice option_choice(Viewer& viewer, const Option& option) {
  const auto& value = viewer.session().configuration.value(option.name);
  Choice choice{.name = option.name,
                .title = sim::label_of(option),
                .detail = with_unit(option, value),
                .words = option.name + " " + option.group,
                .help = option_help(viewer, option)};
  choice.rank = sim::applies(option, viewer.session().configuration) ? 6.0 : -6.0;
  if (option.kind == OptionKind::boolean) {
    choice.act = value_choice(viewer, option, !std::get<bool>(value), {}).act;
    choice.refusal = viewer.session().refusal(option, !std::get<bool>(value));
  } else if (option.kind == OptionKind::choice) {
    choice.act = [&viewer, &option](Chooser& chooser) { chooser.push(choices_of(viewer, option)); };
  } else {
    choice.act = [&viewer, &option](Chooser& chooser) { chooser.push(value_list(viewer, option)); };
  }
  return choice;
}

void add_options(Viewer& viewer, std::vector<Choice>& all) {
  for (const auto& option : viewer.session().table().options()) {
    all.push_back(option_choice(viewer, option));
    // A value is found by its own name too.
    auto values = choices_of_forms(viewer, option);
    for (std::size_t k = 0; k < option.choices.size(); ++k) values.push_back(choice_of(viewer, option, k));
    for (auto& choice : values) {
      choice.title = fmt::format("{}: {}", sim::label_of(option), choice.title);
      choice.only_found = true;
      choice.rank = -2.0;
      all.push_back(std::move(choice));
    }
  }
}

std::string capital(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

void add_keys(Viewer& viewer, std::vector<Choice>& all) {
  for (const auto& binding : key_bindings()) {
    all.push_back({.name = std::string("key:") + binding.name,
                   .title = capital(binding.meaning),
                   .detail = binding.name,
                   .act = closing([&viewer, act = binding.act] { act(viewer); })});
  }
}

void add_commands(Viewer& viewer, std::vector<Choice>& all) {
  for (const auto& command : viewer_commands()) {
    if (std::string_view(command.name) == "palette" || !is_offered(command, viewer)) continue;
    all.push_back({.name = std::string("command:") + command.name,
                   .title = command.title,
                   .words = command.name,
                   .help = command.meaning,
                   .act = closing([&viewer, act = command.act] { act(viewer); })});
  }
}

void add_sections(Viewer& viewer, std::vector<Choice>& all) {
  for (const auto* panel : panels()) {
    all.push_back({.name = fmt::format("section:{}", panel->title),
                   .title = fmt::format("Go to: {}", panel->title),
                   .detail = title_of(panel->tab),
                   .help = "Shows this section of the panel.",
                   .act = closing([&viewer, panel] {
                     viewer.settings().panel_shows() = true;
                     reveal(viewer.settings().panel, *panel);
                   })});
  }
}

Choice dataset_choice(Viewer& viewer, const lab::DatasetRequest& request, const std::string& title,
                      std::string help) {
  return {.name = "open:" + title,
          .title = "Open: " + title,
          .detail = request.built_in ? "built-in galaxy" : "file",
          .help = std::move(help),
          .act = closing([&viewer, request] { viewer.datasets().open(request); })};
}

void add_datasets(Viewer& viewer, std::vector<Choice>& all) {
  for (const auto* model : sim::galaxy_models()) {
    const lab::DatasetRequest request{.source = std::string(model->name), .built_in = true};
    all.push_back(dataset_choice(viewer, request, request.source, std::string(model->meaning)));
  }
  for (const auto& path : viewer.datasets().recent_files()) {
    all.push_back(
        dataset_choice(viewer, {.source = path}, std::filesystem::path(path).filename().string(), path));
  }
}

/// "softening=0.1" sets at once, with as much of the name as makes it plain.
std::optional<Choice> assignment(Viewer& viewer, const std::string& typed) {
  const auto sign = typed.find('=');
  if (sign == std::string::npos || sign + 1 == typed.size()) return std::nullopt;
  const auto name = typed.substr(0, sign);
  const auto& table = viewer.session().table();
  const auto* option = table.find(name);
  if (option == nullptr) {
    const auto begins = [&](const Option& each) { return each.name.starts_with(name); };
    if (std::ranges::count_if(table.options(), begins) != 1) return std::nullopt;
    option = &*std::ranges::find_if(table.options(), begins);
  }
  return typed_value(viewer, *option, typed.substr(sign + 1));
}

}  // namespace

ChoiceList palette_list(Viewer& viewer) {
  ChoiceList list{.name = "palette", .prompt = "type a few letters: options, galaxies, keys, commands"};
  add_keys(viewer, list.choices);
  add_commands(viewer, list.choices);
  add_options(viewer, list.choices);
  add_datasets(viewer, list.choices);
  for (auto& choice : demo_choices(viewer)) {
    choice.title = "Demonstration: " + choice.title;
    list.choices.push_back(std::move(choice));
  }
  add_sections(viewer, list.choices);
  list.from_text = [&viewer](const std::string& typed) { return assignment(viewer, typed); };
  return list;
}

}  // namespace orrery::app
