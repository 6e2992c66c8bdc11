#include "app/commands/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/commands/catalogue.h"
#include "app/commands/help_text.h"
#include "app/commands/settings.h"
#include "app/commands/standard_streams.h"
#include "app/picture/display_options.h"
#include "app/run/interruption.h"
#include "app/run/process_group.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/interrupt.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

namespace {

/// Refuses a first word that is neither a command nor DATA.
void refuse_if_nothing(const std::string& first) {
  const bool may_be_data =
      first.empty() || first.starts_with('-') || first.find_first_of("/.") != std::string::npos;
  std::error_code failure;
  if (may_be_data || sim::find_galaxy_model(first) != nullptr || std::filesystem::exists(first, failure))
    return;
  auto names = sim::listed_names(commands());
  for (const auto* model : sim::galaxy_models()) names.emplace_back(model->name);
  if (const auto file = sim::nearest_file(first); !file.empty()) names.push_back(file.string());
  auto hint = sim::did_you_mean(first, names);
  if (hint.empty()) hint = "; `orrery --help` lists commands, `orrery view --help` galaxies";
  throw sim::UsageError(
      fmt::format("there is no command, file or built-in galaxy {}{}", sim::quoted(first), hint));
}

/// `orrery help` and `orrery help COMMAND`, as many programs have it.
std::vector<std::string> help_arguments(const std::vector<std::string>& words) {
  if (words.empty()) return {"--help"};
  if (words.size() > 1 || find_command(words.front()) == nullptr)
    throw sim::UsageError(fmt::format("`orrery help` takes one command: {}{}",
                                      fmt::join(sim::listed_names(commands()), ", "),
                                      sim::did_you_mean(words.front(), sim::listed_names(commands()))));
  return {words.front(), "--help"};
}

/// `orrery [view] [DATA...]`: what does not begin with a subcommand is for the viewer.
std::vector<std::string> arguments_with_subcommand(int argc, char** argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  if (!arguments.empty() && arguments.front() == "help")
    return help_arguments({arguments.begin() + 1, arguments.end()});
  constexpr std::array<std::string_view, 4> of_the_program{"-h", "--help", "--version", "--help-options"};
  const auto first = arguments.empty() ? std::string_view() : std::string_view(arguments.front());
  const bool has_subcommand =
      find_command(first) != nullptr || std::ranges::find(of_the_program, first) != of_the_program.end();
  if (!has_subcommand) refuse_if_nothing(std::string(first));
  if (!has_subcommand) arguments.insert(arguments.begin(), "view");
  return arguments;
}

/// A subcommand that the parser knows, with what it does if the command line names it.
struct Declared {
  const Command* command;
  const CLI::App* parser;
  Arguments arguments;
  Action action;
};

/// The help of the program lists all; arguments are declared of those alone that are named, to start quickly.
std::vector<Declared> declare_commands(CLI::App& program, const std::vector<std::string>& arguments) {
  std::vector<Declared> declared;
  for (const auto* command : commands()) {
    auto* parser = program.add_subcommand(std::string(command->name), std::string(command->meaning));
    if (std::ranges::find(arguments, command->name) == arguments.end()) continue;
    Arguments of_command(*parser);
    auto action = command->declare(of_command);
    of_command.end();
    declared.push_back({command, parser, of_command, std::move(action)});
  }
  return declared;
}

void describe_program(CLI::App& program) {
  program.name("orrery");
  program.formatter(help_formatter());
  program.set_version_flag("--version", "orrery " ORRERY_VERSION);
  program.add_flag_callback(
      "--help-options", [] { throw CLI::CallForHelp(); }, "List every option that --set takes");
  program.require_subcommand(1);
  program.footer(
      "`orrery help COMMAND` explains a command; `orrery DATA...` is short for `orrery view DATA...`.\n"
      "Exit status: 0; 1 for a failure; 2 for a mistake in the command, such as a name or a file that is not "
      "there; 3 if a run finished but forces exceeded the errors that their kernel states; 128 and the "
      "number "
      "of an ending signal (130: Ctrl+C, 143: SIGTERM, 129: a closed terminal).");
}

std::string commands_that_share() {
  std::vector<std::string_view> names;
  for (const auto* command : commands())
    if (command->shares_work) names.push_back(command->name);
  const auto last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

/// Before any work begins. Other processes of the job read only.
void check_files_of(const Arguments& arguments) {
  const auto files = arguments.files();
  check_files(files);
  if (!is_first_process()) return;
  if (arguments.overwrites()) sim::overwrite_named_outputs();
  check_existing(files);
  claim_outputs(files);
}

int run_parsed(const Declared& chosen) {
  const auto& command = *chosen.command;
  if (!command.shares_work) refuse_processes(command.name, commands_that_share());
  require_processes();
  check_files_of(chosen.arguments);
  return chosen.action();
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// True for what --set takes: options of the table, and settings.
bool is_settable(const std::string& name) {
  const auto table = all_options();
  const auto kinds = described_settings();
  return table.find(name) != nullptr || std::ranges::any_of(kinds, [&](const SettingKind& kind) {
           return find_setting(kind.settings, name) != nullptr;
         });
}

/// The text after the flag on the command line; "VALUE" if that is another flag, or nothing.
std::string value_after(const std::string& flag, const std::vector<std::string>& arguments) {
  if (const auto equals = flag.find('='); equals != std::string::npos) return flag.substr(equals + 1);
  const auto found = std::ranges::find(arguments, flag);
  if (found == arguments.end() || std::next(found) == arguments.end()) return "VALUE";
  const auto& next = *std::next(found);
  return next.starts_with("--") ? "VALUE" : next;
}

/// "; use --set softening=0.1" where the flag is called like an option; empty if it is not.
std::string as_assignment(const std::string& flag, const std::vector<std::string>& arguments) {
  const auto name = flag.substr(0, flag.find('='));
  if (!name.starts_with("--")) return {};
  if (is_settable(name.substr(2)))
    return fmt::format("; use --set {}={}", name.substr(2), value_after(flag, arguments));
  const std::string no = "--no-";
  if (name.starts_with(no) && is_settable(name.substr(no.size())))
    return fmt::format("; use --set {}=off", name.substr(no.size()));
  return {};
}

/// The parser's message, in other words where it is about something that people often do.
std::string in_plain_words(const CLI::App& program, const CLI::ParseError& error) {
  const std::string said = error.what();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
    for (const auto* command : program.get_subcommands())
      for (const auto& word : command->remaining())
        return fmt::format("`orrery {}` {} {}", command->get_name(),
                           word.starts_with("-") ? "has no option" : "has no place for", sim::quoted(word));
  const std::string conversion = "Could not convert: ", between = " = ";
  const auto middle = said.find(between);
  if (said.starts_with(conversion) && middle != std::string::npos)
    return fmt::format("{} does not take '{}'", said.substr(conversion.size(), middle - conversion.size()),
                       sim::readable(said.substr(middle + between.size()), 80));
  if (error.get_name() == "ArgumentMismatch" && said.ends_with(" missing"))
    return said.substr(0, said.find(':')) + " needs a value";
  return said;
}

/// Why the arguments are wrong: an option that there is not, with the one that was meant, or what the parser
/// says. `explanation`: what a person may want to know then.
std::string mistake(const CLI::App& program, const CLI::ParseError& error,
                    const std::vector<std::string>& arguments, const std::string& explanation) {
  for (const auto* command : program.get_subcommands()) {
    const bool takes_options = command->get_option_no_throw("--set") != nullptr;
    for (const auto& argument : command->remaining()) {
      if (!argument.starts_with("-")) continue;
      const auto name = argument.substr(0, argument.find('='));
      auto meant = takes_options ? as_assignment(argument, arguments) : std::string();
      if (meant.empty()) meant = sim::did_you_mean(name, option_names(*command));
      if (meant.empty()) continue;
      return fmt::format("`orrery {}` has no option {} ({}){}", command->get_name(), sim::quoted(name),
                         explanation, meant);
    }
  }
  return fmt::format("{}; {}", in_plain_words(program, error), explanation);
}

/// `explanation`: what a person may want to know when the arguments are wrong.
int parse_and_run(const std::vector<std::string>& arguments, const std::string& explanation) {
  CLI::App program("Orrery: a live laboratory for galaxy N-body");
  describe_program(program);
  const auto declared = declare_commands(program, arguments);
  try {
    // CLI11 takes them from the back.
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    program.parse(reversed);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);
    throw sim::UsageError(mistake(program, error, arguments, explanation));
  }
  return run_parsed(
      *std::ranges::find_if(declared, [](const Declared& each) { return each.parser->parsed(); }));
}

/// Where the mistake's subcommand is explained.
std::string where_explained(const std::vector<std::string>& arguments) {
  const bool of_command = !arguments.empty() && find_command(arguments.front()) != nullptr;
  return fmt::format("`orrery {}--help` explains", of_command ? arguments.front() + " " : "");
}

/// Also after a subcommand and its arguments.
bool asks_for_options(const std::vector<std::string>& arguments) {
  const auto end = std::ranges::find(arguments, "--");
  return std::find(arguments.begin(), end, "--help-options") != end;
}

int run(const std::vector<std::string>& arguments) {
  if (!asks_for_options(arguments)) return parse_and_run(arguments, where_explained(arguments));
  fmt::print("{}", options_help());
  return 0;
}

/// The library that prints throws when a full buffer does not get out.
int run_and_print(int argc, char** argv) {
  try {
    return run_or_throw(argc, argv);
  } catch (const std::system_error& failure) {
    if (std::ferror(stdout) == 0) throw;
    refuse_output(failure.code().value());
  }
}

}  // namespace

int run_or_throw(int argc, char** argv) {
  secure_standard_streams();
  // Beyond a limit on the size of files a write then fails, with a message, instead of ending the program.
  std::signal(SIGXFSZ, SIG_IGN);
  quiet_all_but_first();
  join_processes({argv + std::min(argc, 1), argv + argc});
  const int status = run(arguments_with_subcommand(argc, argv));
  check_standard_output();
  leave_processes();
  return status == 0 && sim::interrupt_signal() == SIGPIPE ? ClosedPipe::status() : status;
}

int run_command_line(int argc, char** argv) {
  try {
    return run_and_print(argc, argv);
  } catch (const ClosedPipe&) {
    return ClosedPipe::status();
  } catch (const sim::Cancelled& failure) {
    const int status = interrupted_when("before anything was written");
    return status != 0 ? status : report_failure(failure);
  } catch (const std::exception& failure) {
    return report_failure(failure);
  }
}

}  // namespace orrery::app
