#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/run/file_arguments.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

// What a subcommand takes: declared once; parsing, checks and help follow from it. CLI11 stays behind it.
namespace orrery::app {

/// Arguments that name files, with what is done with these.
struct MarkedArgument {
  const CLI::Option* option;
  FileRole role;
  bool last_is_written = false;  ///< the last value names a file that is written
};

/// An argument that was just declared; its verbs say more about it and can be chained.
class Argument {
 public:
  Argument(CLI::Option* option, std::shared_ptr<std::vector<MarkedArgument>> marked)
      : option_(option), marked_(std::move(marked)) {}

  /// Sets the placeholder for the argument's value in the help, e.g. "FILE|-".
  Argument& shown_as(const std::string& text);
  Argument& required();
  /// The empty text is refused.
  Argument& not_empty();
  /// Refuses all texts but whole numbers from `low` to `high`.
  Argument& whole_number(std::uint64_t low, std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
  /// Refuses all texts but finite numbers from `low` up.
  Argument& real_number(double low);
  /// Refuses all texts but finite numbers above 0.
  Argument& positive_number();
  /// A list is given as "a,b,c"; what follows a space is another argument.
  Argument& comma_separated();
  /// A list takes one value each time that the argument is given.
  Argument& one_each_time();
  /// The argument may be given without a value, which then is the empty text.
  Argument& may_lack_value();
  /// A list takes exactly one value.
  Argument& just_one();
  /// Declares that the argument's values name files, and what the command does with them.
  Argument& names_file(FileRole role);
  /// Declares that the argument's values name files to read and, as the last one, a file to write.
  Argument& names_files_and_output();

 private:
  CLI::Option* option_;
  std::shared_ptr<std::vector<MarkedArgument>> marked_;
};

/// The arguments of one subcommand. What they are read into must live until the command has run.
class Arguments {
 public:
  explicit Arguments(CLI::App& command) : command_(&command) {}

  /// Declares a flag without a value, which sets `to` or calls `given`.
  void flag(const std::string& names, bool& to, const std::string& meaning);
  void flag(const std::string& names, const std::function<void()>& given, const std::string& meaning);

  /// Adds an argument with a value: "--steps" or "-o,--output". The value is a text, a path, a number, a
  /// std::optional or a std::vector of them, as arguments.cpp lists them.
  template <typename Value>
  Argument value(const std::string& names, Value& to, const std::string& meaning);
  /// Declares a positional argument, in the order of declaration; `name` is for the help.
  template <typename Value>
  Argument positional(const std::string& name, Value& to, const std::string& meaning) {
    return value(name, to, meaning).shown_as("");
  }

  /// Hands the text over; what `take` throws ends the program.
  Argument text(const std::string& names, const std::function<void(const std::string&)>& take,
                const std::string& meaning);
  /// Hands over all texts of an argument that may be given several times; what `take` throws ends the
  /// program.
  Argument texts(const std::string& names, const std::function<void(const std::vector<std::string>&)>& take,
                 const std::string& meaning);

  /// The heading in the help of what is declared from here on.
  void group(const std::string& name) { group_ = name; }
  /// Call after all other declarations: adds `--overwrite`, if files are written, and last `--help` itself.
  void end();

  /// Below the help.
  void footer(const std::string& text);

  /// After parsing: true if the command line named the argument.
  bool given(const std::string& name) const;
  /// After parsing: the names of all arguments on the command line.
  std::vector<std::string> all_given() const;
  /// After parsing: the files that the command line names.
  std::vector<FileArgument> files() const;
  /// After parsing: true if files that exist may be replaced.
  bool overwrites() const;

 private:
  /// Puts an option under the present heading.
  CLI::Option* grouped(CLI::Option* option) const;

  CLI::App* command_;
  std::string group_;
  std::shared_ptr<std::vector<MarkedArgument>> marked_ = std::make_shared<std::vector<MarkedArgument>>();
};

}  // namespace orrery::app
