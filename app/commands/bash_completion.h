#pragma once

#include <string>
#include <vector>

// What the subcommands take, as data. The manual page and the completion are made from it, so that they say
// what the help says.
namespace orrery::app {

/// One argument of a subcommand.
struct ArgumentFacts {
  std::vector<std::string> names;  ///< "-o", "--output"; of a positional one its name for people: "DATA"
  std::string value;               ///< placeholder of the value: "FILE", "NUMBER"; empty: takes no value
  std::string meaning;
  bool positional = false;
  bool required = false;
  bool repeated = false;  ///< takes several values
};

/// One subcommand with its arguments, in the order of its help.
struct CommandFacts {
  std::string name;
  std::string meaning;
  std::string footer;  ///< text below the help; may be empty
  std::vector<ArgumentFacts> arguments;
};

/// Every subcommand, in the order of `orrery --help`.
std::vector<CommandFacts> command_facts();

/// The option that an argument is short for: "engine" of "... (--set engine=...)"; empty if it is no
/// shortcut.
std::string shortcut_of(const ArgumentFacts& argument);

/// A script for bash that completes commands, arguments, options of --set with their values, galaxies,
/// ladders and formats. Made from the same tables as the help; needs no other package.
std::string bash_completion();

}  // namespace orrery::app
