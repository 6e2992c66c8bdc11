#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/options/option.h"

namespace orrery::sim {

/// A value of an option of forms, taken apart: "sample:150" is the word "sample" and the number 150.
struct FormValue {
  std::string word;
  std::vector<double> numbers;
  /// The number at that place, 0 if the form has none.
  double number(std::size_t place) const { return place < numbers.size() ? numbers[place] : 0.0; }
};

/// Takes apart a value that OptionTable::parse or form_text has made.
FormValue form_value(std::string_view text);
/// The text of a value, with all its numbers.
std::string form_text(const FormValue& value);

/// The form that a value has; nullptr if the option has none of that word.
const OptionForm* form_of(const Option& option, const FormValue& value);
/// The number of that name in a value; none if its form has none.
std::optional<double> number_named(const Option& option, const FormValue& value, std::string_view name);
/// A value of the form whose numbers are the defaults.
FormValue usual_value(const OptionForm& form);
/// The values of all forms that can be written without numbers.
std::vector<OptionValue> usual_values(const Option& option);

/// Reads "sample", "sample:150" or "0:1" as a person writes it and returns it with all its numbers. Numbers
/// alone belong to the form without a word, or else to the first one. Throws UsageError.
std::string parse_form(const Option& option, std::string_view text);
/// Reads "all", "none" (Option::no_choice) or "disk,bulge" and returns it in the order of the choices, or as
/// it is written if the option is ordered. Throws UsageError.
std::string parse_list(const Option& option, std::string_view text);

/// The spellings of the option's values: "off, sample[:BODIES]".
std::string forms_text(const Option& option);
/// "sample[:BODIES]"
std::string form_pattern(const OptionForm& form);

/// True if a list, as parse_list returns it, has that name.
bool lists(std::string_view list, std::string_view name);

}  // namespace orrery::sim
