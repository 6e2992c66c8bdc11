#include "app/commands/command_facts.h"

#include <CLI/CLI.hpp>
#include <string_view>

#include "app/commands/catalogue.h"

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

}  // namespace orrery::app
