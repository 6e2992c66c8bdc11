#include "app/commands/bash_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string_view>

#include "app/commands/catalogue.h"
#include "app/commands/settings.h"
#include "app/picture/display_options.h"
#include "completion_functions.h"
#include "lab/setup/paths.h"
#include "sim/core/spelling.h"
#include "sim/galaxies/model.h"
#include "sim/snapshots/format.h"

namespace orrery::app {

namespace {

std::vector<std::string> names_of(const CLI::Option& option) {
  if (option.get_positional()) return {option.get_name(true)};
  std::vector<std::string> names;
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

ArgumentFacts facts_of(const CLI::Option& option) {
  const bool takes_value = option.get_items_expected_max() > 0;
  return {.names = names_of(option),
          .value = takes_value ? option.get_type_name() : std::string(),
          .meaning = option.get_description(),
          .positional = option.get_positional(),
          .required = option.get_required(),
          .repeated = option.get_expected_max() > 1};
}

CommandFacts facts_of(const Command& command) {
  CLI::App parser;
  Arguments declared(parser);
  const auto keeps_targets = command.declare(declared);
  declared.end();
  CommandFacts facts{.name = std::string(command.name),
                     .meaning = std::string(command.meaning),
                     .footer = parser.get_footer(),
                     .arguments = {}};
  for (const auto* option : parser.get_options()) facts.arguments.push_back(facts_of(*option));
  return facts;
}

/// The completion of an argument's value, as one word of the script: "set", "option=engine", or what the
/// help shows ("FILE", "auto|window|headless").
std::string kind_of(const ArgumentFacts& argument) {
  if (argument.value == "NAME=VALUE") return "set";
  if (const auto option = shortcut_of(argument); !option.empty()) return "option=" + option;
  return argument.positional ? argument.names.front() : argument.value;
}

/// The flags of a command with their kinds, "--steps:NUMBER --fullscreen:", and its positional arguments.
std::string case_of(const CommandFacts& command) {
  std::string flags;
  std::string positionals;
  for (const auto& argument : command.arguments) {
    if (argument.positional) {
      positionals += (positionals.empty() ? "" : " ") + kind_of(argument) + (argument.repeated ? "*" : "");
      continue;
    }
    for (const auto& name : argument.names)
      flags += fmt::format("{}{}:{}", flags.empty() ? "" : " ", name, kind_of(argument));
  }
  return fmt::format("    {})\n      flags='{}'\n      positionals='{}' ;;\n", command.name, flags,
                     positionals);
}

std::string values_of(const sim::Option& option) {
  if (option.kind == sim::OptionKind::boolean) return "on off";
  if (option.kind == sim::OptionKind::choice) return fmt::format("{}", fmt::join(option.choices, " "));
  if (option.kind == sim::OptionKind::list)
    return fmt::format("all {} {}", option.no_choice, fmt::join(option.choices, " "));
  std::vector<std::string> words;
  for (const auto& form : option.forms)
    if (!form.word.empty()) words.push_back(form.word);
  if (!words.empty()) return fmt::format("{}", fmt::join(words, " "));
  std::vector<std::string> tried;
  std::ranges::transform(option.trial_values, std::back_inserter(tried),
                         [](const auto& value) { return sim::to_string(value); });
  return fmt::format("{}", fmt::join(tried, " "));
}

/// The ladders that come with the program.
std::string ladder_names() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(lab::data_folder() / "ladders", ignored))
    names.push_back(file.path().stem().string());
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string command_names(const std::vector<CommandFacts>& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command.name);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string tables() {
  const auto commands = command_facts();
  const auto table = all_options();
  auto text = fmt::format("_orrery_commands='{}'\n_orrery_models='{}'\n_orrery_formats='{}'\n",
                          command_names(commands), fmt::join(sim::listed_names(sim::galaxy_models()), " "),
                          fmt::join(sim::listed_names(sim::snapshot_formats()), " "));
  text += "_orrery_views='fit face-on edge-on three-quarter'\n";
  text += fmt::format("_orrery_ladders='{}'\n", ladder_names());
  std::vector<std::string> options;
  std::string values;
  for (const auto& option : table.options()) {
    options.push_back(option.name);
    values += fmt::format("    {}) words='{}' ;;\n", option.name, values_of(option));
  }
  for (const auto& kind : described_settings()) {
    for (const auto& setting : kind.settings) {
      options.push_back(setting.name);
      values += fmt::format("    {}) words='{}' ;;\n", setting.name, fmt::join(setting.words, " "));
    }
  }
  text += fmt::format("_orrery_options='{}'\n\n", fmt::join(options, " "));
  text += "# Sets words: the values of an option.\n_orrery_values() {\n  case \"$1\" in\n" + values +
          "    *) words='' ;;\n  esac\n}\n\n";
  text += "# Sets flags and positionals of a command.\n_orrery_command() {\n  case \"$1\" in\n";
  for (const auto& command : commands) text += case_of(command);
  return text + "  esac\n}\n";
}

constexpr const char* const heading =
    "# bash completion for orrery " ORRERY_VERSION
    ", printed by `orrery completion bash`.\n# shellcheck shell=bash disable=SC2034,SC2207\n\n";

}  // namespace

std::vector<CommandFacts> command_facts() {
  std::vector<CommandFacts> all;
  for (const auto* command : commands()) all.push_back(facts_of(*command));
  return all;
}

std::string shortcut_of(const ArgumentFacts& argument) {
  constexpr std::string_view before = "(--set ";
  const auto start = argument.meaning.rfind(before);
  const auto end = argument.meaning.rfind("=...)");
  if (start == std::string::npos || end == std::string::npos) return {};
  return argument.meaning.substr(start + before.size(), end - start - before.size());
}

std::string bash_completion() { return heading + tables() + std::string(words::completion_bash); }

}  // namespace orrery::app
