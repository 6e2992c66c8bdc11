#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace orrery::sim {

struct GalaxyRange;
class Configuration;

/// The value of an option: on/off, a whole number, a real number, or a text: one of a list of names, some of
/// them, or a form (OptionForm).
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

/// The kind of value that an option takes.
enum class OptionKind {
  boolean,
  integer,
  real,
  choice,
  list,  ///< some of the choices: "all", "none" (Option::no_choice) or "disk,bulge"
  form   ///< one of the forms: "auto", "sample:150", "0:1"
};

/// A number in the value of an option that is a form.
struct FormNumber {
  std::string name;  ///< placeholder in the help: "BODIES"
  double default_value = 0.0;
  double minimum = 0.0;
  double maximum = 0.0;
  bool whole = false;
  bool logarithmic = false;  ///< the panel's slider moves by factors
  bool of_dataset = false;   ///< names a body or a galaxy of one dataset, so others do not take it over
  std::string unit = {};     ///< empty for pure numbers
  bool required = false;     ///< cannot be left out
};

/// A word, with numbers after colons, "sample:150". Numbers left out have their defaults.
struct OptionForm {
  std::string word;  ///< empty: only the numbers, "0.5:0.3"
  std::vector<FormNumber> numbers;
  std::string meaning;
};

/// The effect of changing an option.
enum class OptionScope {
  result,   ///< the numbers that are computed, if only in their last bits
  speed,    ///< affects the speed of computing the same bits
  machine,  ///< belongs to this machine (threads, device): ladders leave it alone; last bits may change
  display   ///< affects display and pace only, no result
};

/// Galaxies of one size.
struct AlikeGalaxies {
  std::size_t bodies = 0;    ///< bodies per galaxy
  std::size_t galaxies = 0;  ///< number of such galaxies
};
/// The sizes of a dataset's galaxies, the largest first.
std::vector<AlikeGalaxies> galaxy_sizes(std::span<const GalaxyRange> galaxies);

/// Facts that a refusal may depend on besides the other options.
struct OptionContext {
  std::size_t bodies = 0;  ///< bodies of the loaded dataset; 0: not known yet
  std::size_t galaxies = 0;
  std::uint64_t host_memory = 0;          ///< bytes; 0: not known
  std::uint64_t device_memory = 0;        ///< bytes of the GPU; 0: not known
  std::size_t ranks = 1;                  ///< processes that share the dataset
  std::vector<AlikeGalaxies> sizes = {};  ///< empty: all galaxies are as large
  bool lacks_colors = false;              ///< true: no body of the dataset has a colour of its own

  /// Bodies of the largest galaxy; 0: not known yet.
  std::size_t largest_galaxy() const;
  /// `sizes`, or what they are where all galaxies are as large.
  std::vector<AlikeGalaxies> all_sizes() const;
};

/// A combination that cannot run. Stated at the option that is refused.
///
/// Given the value asked for, the rest of the configuration and the context: why it cannot be, in one line
/// that a person can act on, with the numbers that decide; empty if it can.
using OptionConflict = std::function<std::string(const OptionValue& value, const Configuration& rest,
                                                 const OptionContext& context)>;

/// One switch of the program, described once: the panel, the command line (--set NAME=VALUE), the help, state
/// files, ladders, sweeps, tuning and tests all read this.
struct Option {
  std::string name;     ///< lower case, hyphens: "time-step"
  std::string group;    ///< section that shows it: "engine", an engine's name, "physics", "run", "light"
  std::string meaning;  ///< one or two sentences: what it does and what changing it means
  std::string unit;     ///< empty for pure numbers
  OptionKind kind = OptionKind::boolean;
  OptionValue default_value = false;
  double minimum = 0.0;  ///< integer and real
  double maximum = 0.0;
  bool logarithmic = false;                  ///< the panel's slider moves by factors
  std::vector<std::string> choices;          ///< choice and list: the allowed names
  std::vector<std::string> choice_meanings;  ///< choice: one line each, same length as choices
  std::vector<OptionForm> forms = {};        ///< form: those that a value may have, the usual one first
  std::vector<OptionConflict> conflicts;
  /// Non-empty while the option does nothing (shown greyed, still settable): "sequential runs on one thread".
  /// The one source of what an option applies to: whatever its value, an inactive option changes nothing.
  std::function<std::string(const Configuration&)> inactive;
  std::string label;  ///< label shown to people: "Softening"; empty: made from the name by label_of
  OptionScope scope = OptionScope::result;
  int tuning_rank = 0;  ///< 0: tuning leaves it alone; 1 is tried first
  /// choice: how fast each usually is, in any unit, same length as choices; tuning tries fast ones first.
  /// Empty: they are tried as they stand.
  std::vector<double> usual_rates = {};
  /// Name of the macro of the device code, its value the number or the index of the choice; empty: none.
  std::string macro;
  /// The values that sweeps and tuning try; empty: found from kind and limits (sweep_values).
  std::vector<OptionValue> trial_values;
  /// The value that tuning tries as well where an answer is too inaccurate; none: it makes none more
  /// accurate.
  std::optional<OptionValue> accurate;
  std::string no_choice = "none";  ///< list: the value that has none of the choices
  bool ordered = false;            ///< list: a value keeps the order in which it is written
};

/// "4", "0.05", "on", "disk": as --set reads it back.
std::string to_string(const OptionValue& value);

/// The name for people: the label, or the name with a capital and without hyphens ("Time step").
std::string label_of(const Option& option);

/// Why `option` does nothing in `configuration`; empty if it applies.
std::string why_inactive(const Option& option, const Configuration& configuration);
/// True if `option` has an effect in `configuration`.
bool applies(const Option& option, const Configuration& configuration);

/// Selects options.
using OptionFilter = bool (*)(const Option& option);
/// All that computes: everything but the display.
bool decides_result(const Option& option);
/// True for options that decide how a result is computed, not what it is: the engine and its own options,
/// without physics.
bool decides_engine(const Option& option);
/// True if the option can change a bit of the result: repeating steps with another value may end elsewhere.
bool decides_bits(const Option& option);
/// True if the option describes this machine and is no part of a ladder's rung.
bool belongs_to_machine(const Option& option);
}  // namespace orrery::sim
