#include "app/commands/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <string_view>
#include <vector>

#include "app/commands/catalogue.h"
#include "app/commands/old_spellings.h"
#include "app/commands/option_help.h"
#include "app/commands/process_group.h"
#include "sim/core/error.h"

namespace orrery::app {

namespace {

/// `orrery [view] [DATA...]`: what does not begin with a subcommand is for the viewer.
std::vector<std::string> arguments_with_subcommand(int argc, char** argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  constexpr std::array<std::string_view, 4> of_the_program{"-h", "--help", "--version", "--help-options"};
  const auto first = arguments.empty() ? std::string_view() : std::string_view(arguments.front());
  const bool has_subcommand =
      find_command(first) != nullptr || std::ranges::find(of_the_program, first) != of_the_program.end();
  if (!has_subcommand) arguments.insert(arguments.begin(), "view");
  return arguments;
}

/// A subcommand that the parser knows, with what it does if the command line names it.
struct Declared {
  const Command* command;
  const CLI::App* parser;
  Action action;
};

/// The help of the program lists all; arguments are declared of those alone that are named, to start quickly.
std::vector<Declared> declare_commands(CLI::App& program, const std::vector<std::string>& arguments) {
  std::vector<Declared> declared;
  for (const auto* command : commands()) {
    auto* parser = program.add_subcommand(std::string(command->name), std::string(command->meaning));
    if (std::ranges::find(arguments, command->name) == arguments.end()) continue;
    Arguments of_command(*parser);
    declared.push_back({command, parser, command->declare(of_command)});
  }
  return declared;
}

void describe_program(CLI::App& program) {
  program.name("orrery");
  program.set_version_flag("--version", "orrery " ORRERY_VERSION);
  program.add_flag_callback(
      "--help-options", [] { throw CLI::CallForHelp(); }, "List every option that --set takes");
  program.require_subcommand(1);
  program.footer(
      "`orrery COMMAND --help` explains a command; `orrery DATA...` is short for `orrery view DATA...`.");
}

std::string commands_that_share() {
  std::vector<std::string_view> names;
  for (const auto* command : commands()) {
    if (command->shares_work) names.push_back(command->name);
  }
  const auto last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

int run_parsed(const Declared& chosen) {
  const auto& command = *chosen.command;
  if (!command.shares_work) refuse_processes(command.name, commands_that_share());
  join_processes();
  return chosen.action();
}

/// `explanation`: what a person may want to know when the arguments are wrong.
int parse_and_run(std::vector<std::string> arguments, const std::string& explanation) {
  CLI::App program("Orrery: a live laboratory for galaxy N-body");
  describe_program(program);
  const auto declared = declare_commands(program, arguments);
  try {
    std::ranges::reverse(arguments);  // CLI11 takes them from the back
    program.parse(arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);
    throw sim::UsageError(fmt::format("{}; {}", error.what(), explanation));
  }
  return run_parsed(
      *std::ranges::find_if(declared, [](const Declared& each) { return each.parser->parsed(); }));
}

/// What is spelled as in earlier versions runs too. The hint comes last, where a long run leaves it in sight.
int run_command(std::vector<std::string> arguments) {
  const auto hint = renew_old_spelling(arguments);
  const int status = parse_and_run(std::move(arguments), hint.empty() ? "`orrery --help` explains" : hint);
  if (!hint.empty()) fmt::print(stderr, "{}\n", hint);
  return status;
}

/// Also after a subcommand and its arguments.
bool asks_for_options(const std::vector<std::string>& arguments) {
  const auto end = std::ranges::find(arguments, "--");
  return std::find(arguments.begin(), end, "--help-options") != end;
}

int run(const std::vector<std::string>& arguments) {
  if (!asks_for_options(arguments)) return run_command(arguments);
  fmt::print("{}", options_help());
  return 0;
}

/// A full disk shows only when the last of the output leaves the buffers.
void check_standard_output() {
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout)
    throw sim::Error("cannot write to standard output; is the disk full?");
}

int run_to_the_end(int argc, char** argv) {
  const int status = run(arguments_with_subcommand(argc, argv));
  check_standard_output();
  leave_processes();
  return status;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  quiet_all_but_first();
  try {
    return run_to_the_end(argc, argv);
  } catch (const std::exception& failure) {
    return report_failure(failure);
  }
}

}  // namespace orrery::app
