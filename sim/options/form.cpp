#include "sim/options/form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"

namespace orrery::sim {

namespace {

constexpr std::string_view all = "all";

/// "nan" and "inf" are words, which no form has.
bool begins_with_number(std::string_view part) {
  const auto value = number_in<double>(part);
  return value && std::isfinite(*value);
}

/// The form that numbers alone belong to.
const OptionForm* wordless_form(const Option& option) {
  const auto found = std::ranges::find_if(option.forms, [](const auto& form) { return form.word.empty(); });
  if (found != option.forms.end()) return &*found;
  if (option.forms.empty() || option.forms.front().numbers.empty()) return nullptr;
  // Who states numbers wants something: they never choose "off".
  return option.forms.front().word == "off" ? nullptr : &option.forms.front();
}

[[noreturn]] void refuse(const Option& option, std::string_view text) {
  std::vector<std::string> words;
  for (const auto& form : option.forms)
    if (!form.word.empty()) words.push_back(form.word);
  const auto word = split_text(text, ':').front();
  const bool is_known = std::ranges::find(words, word) != words.end();
  throw UsageError(fmt::format("option '{}' is {}, not '{}'{}", option.name, forms_text(option),
                               printable(text, 60), is_known ? std::string() : did_you_mean(word, words)));
}

double read_number(const Option& option, const FormNumber& number, std::string_view text) {
  const auto value = number_in<double>(text);
  if (!value || (number.whole && std::trunc(*value) != *value))
    throw UsageError(fmt::format("option '{}': {} is {}, not '{}'", option.name, number.name,
                                 number.whole ? "a whole number" : "a number", printable(text, 60)));
  // So also for what is no number.
  if (!(*value >= number.minimum && *value <= number.maximum))
    throw UsageError(fmt::format("option '{}': {} is {:g} to {:g}{}{}, not {}", option.name, number.name,
                                 number.minimum, number.maximum, number.unit.empty() ? "" : " ", number.unit,
                                 *value));
  return *value;
}

std::string missing_number(const Option& option, const OptionForm& form) {
  return fmt::format("option '{}': numbers are missing; write {}", option.name, form_pattern(form));
}

[[noreturn]] void refuse_name(const Option& option, std::string_view text, std::string_view name) {
  throw UsageError(fmt::format("option '{}' is all, {}, or some of {}, with commas between them, not '{}'{}",
                               option.name, option.no_choice, fmt::join(option.choices, ", "),
                               printable(text, 60), did_you_mean(name, option.choices)));
}

}  // namespace

FormValue form_value(std::string_view text) {
  FormValue value;
  for (const auto part : split_text(text, ':')) {
    if (value.word.empty() && value.numbers.empty() && !number_in<double>(part))
      value.word = part;
    else
      value.numbers.push_back(number_in<double>(part).value_or(0.0));
  }
  return value;
}

std::string form_text(const FormValue& value) {
  auto text = value.word;
  for (const double number : value.numbers) text += fmt::format("{}{}", text.empty() ? "" : ":", number);
  return text;
}

const OptionForm* form_of(const Option& option, const FormValue& value) {
  const auto found = std::ranges::find(option.forms, value.word, &OptionForm::word);
  return found == option.forms.end() ? nullptr : &*found;
}

std::optional<double> number_named(const Option& option, const FormValue& value, std::string_view name) {
  const auto* form = form_of(option, value);
  if (form == nullptr) return std::nullopt;
  const auto found = std::ranges::find(form->numbers, name, &FormNumber::name);
  if (found == form->numbers.end()) return std::nullopt;
  return value.number(static_cast<std::size_t>(found - form->numbers.begin()));
}

FormValue usual_value(const OptionForm& form) {
  FormValue value{.word = form.word, .numbers = {}};
  for (const auto& number : form.numbers) value.numbers.push_back(number.default_value);
  return value;
}

std::vector<OptionValue> usual_values(const Option& option) {
  std::vector<OptionValue> values;
  for (const auto& form : option.forms)
    if (std::ranges::none_of(form.numbers, &FormNumber::required))
      values.emplace_back(form_text(usual_value(form)));
  return values;
}

std::string parse_form(const Option& option, std::string_view text) {
  auto parts = split_text(text, ':');
  const bool wordless = begins_with_number(parts.front());
  const auto* form =
      wordless ? wordless_form(option) : form_of(option, {.word = std::string(parts.front()), .numbers = {}});
  if (form == nullptr || (!wordless && form->word.empty())) refuse(option, text);
  if (!wordless) parts.erase(parts.begin());
  if (parts.size() > form->numbers.size()) refuse(option, text);
  auto value = usual_value(*form);
  for (std::size_t i = 0; i < form->numbers.size(); ++i) {
    const auto& number = form->numbers[i];
    if (i < parts.size())
      value.numbers[i] = read_number(option, number, parts[i]);
    else if (number.required)
      throw UsageError(missing_number(option, *form));
  }
  return form_text(value);
}

std::string parse_list(const Option& option, std::string_view text) {
  if (text == all || text == option.no_choice) return std::string(text);
  const auto names = split_text(text, ',');
  for (const auto name : names)
    if (std::ranges::find(option.choices, name) == option.choices.end()) refuse_name(option, text, name);
  std::vector<std::string_view> chosen;
  const auto add = [&](std::string_view name) {
    if (std::ranges::find(chosen, name) == chosen.end()) chosen.push_back(name);
  };
  if (option.ordered) {
    std::ranges::for_each(names, add);
    return fmt::format("{}", fmt::join(chosen, ","));
  }
  for (const auto& choice : option.choices)
    if (std::ranges::find(names, choice) != names.end()) add(choice);
  return chosen.size() == option.choices.size() ? std::string(all)
                                                : fmt::format("{}", fmt::join(chosen, ","));
}

std::string form_pattern(const OptionForm& form) {
  auto text = form.word;
  std::string closing;
  for (const auto& number : form.numbers) {
    const auto* const colon = text.empty() ? "" : ":";
    if (number.required || text.empty()) {
      text += colon + number.name;
    } else {
      text += fmt::format("[{}{}", colon, number.name);
      closing += "]";
    }
  }
  return text + closing;
}

std::string forms_text(const Option& option) {
  std::vector<std::string> patterns;
  std::ranges::transform(option.forms, std::back_inserter(patterns), form_pattern);
  return fmt::format("{}", fmt::join(patterns, ", "));
}

bool lists(std::string_view list, std::string_view name) {
  if (list == all) return true;
  const auto names = split_text(list, ',');
  return std::ranges::find(names, name) != names.end();
}

}  // namespace orrery::sim
