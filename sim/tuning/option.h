#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace orrery::sim {

class Configuration;

/// The value of an option: on/off, a whole number, a real number, or one of a list of names.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

/// Which of these an option takes.
enum class OptionKind { boolean, integer, real, choice };

/// What changing an option can change: what is computed, how fast, what belongs to this machine, the display.
enum class OptionScope { result, speed, machine, display };

/// What a refusal may depend on besides the other options.
struct OptionContext {
  std::size_t bodies = 0;  ///< of the loaded dataset; 0: not known yet
  std::size_t galaxies = 0;
  std::uint64_t host_memory = 0;    ///< bytes; 0: not known
  std::uint64_t device_memory = 0;  ///< bytes of the GPU; 0: not known
  std::size_t ranks = 1;            ///< processes that share the dataset
};

/// A combination that cannot run. Stated at the option that is refused.
///
/// Given the value asked for, the rest of the configuration and the context: why it cannot be, in one line
/// that a person can act on, with the numbers that decide; empty if it can.
using OptionConflict = std::function<std::string(const OptionValue& value, const Configuration& rest,
                                                 const OptionContext& context)>;

/// One switch of the program, described once: the panel, the command line (--set NAME=VALUE), the help, state
/// files, sweeps and tests all read this.
struct Option {
  std::string name;     ///< lower case, hyphens: "time-step"
  std::string group;    ///< which panel shows it: "engine", an engine's name, "physics", "display", "run"
  std::string meaning;  ///< one or two sentences: what it does and what changing it means
  std::string unit;     ///< empty for pure numbers
  std::string label;    ///< for people: "Softening"; empty: made from the name by label_of()
  OptionScope scope = OptionScope::result;
  int tuning_rank = 0;  ///< 0: tuning leaves it alone; 1 is tried first
  std::string macro;    ///< of the device code: the number, or the place of the choice; empty: none
  OptionKind kind = OptionKind::boolean;
  OptionValue default_value = false;
  double minimum = 0.0;  ///< integer and real
  double maximum = 0.0;
  bool logarithmic = false;                  ///< the panel's slider moves by factors
  std::vector<std::string> choices;          ///< choice: the allowed names
  std::vector<std::string> choice_meanings;  ///< choice: one line each, same length as choices
  std::vector<OptionConflict> conflicts;
  /// Non-empty while the option does nothing (shown greyed, still settable): "sequential runs on one thread".
  std::function<std::string(const Configuration&)> inactive;
};

/// "4", "0.05", "on", "disk": as --set reads it back.
std::string to_string(const OptionValue& value);

}  // namespace orrery::sim
