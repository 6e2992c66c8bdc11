#include "sim/options/describe.h"

#include <utility>

#include "sim/options/form.h"

namespace orrery::sim {

namespace {

Option with_numbers(Option option, double minimum, double maximum, std::string unit, bool logarithmic) {
  option.minimum = minimum;
  option.maximum = maximum;
  option.unit = std::move(unit);
  option.logarithmic = logarithmic;
  return option;
}

}  // namespace

Option described(std::string name, std::string group, std::string label, std::string meaning) {
  Option option{.name = std::move(name), .group = std::move(group), .meaning = std::move(meaning)};
  option.label = std::move(label);
  return option;
}

Option shown(std::string name, std::string group, std::string label, std::string meaning) {
  auto option = described(std::move(name), std::move(group), std::move(label), std::move(meaning));
  option.scope = OptionScope::display;
  return option;
}

Option flag(Option option, bool value) {
  option.kind = OptionKind::boolean;
  option.default_value = value;
  return option;
}

Option whole(Option option, std::int64_t value, double minimum, double maximum, std::string unit,
             bool logarithmic) {
  option.kind = OptionKind::integer;
  option.default_value = value;
  return with_numbers(std::move(option), minimum, maximum, std::move(unit), logarithmic);
}

Option real(Option option, double value, double minimum, double maximum, std::string unit, bool logarithmic) {
  option.kind = OptionKind::real;
  option.default_value = value;
  return with_numbers(std::move(option), minimum, maximum, std::move(unit), logarithmic);
}

Option chosen(Option option, std::vector<std::string> choices, std::vector<std::string> meanings) {
  option.kind = OptionKind::choice;
  option.default_value = choices.front();
  option.choices = std::move(choices);
  option.choice_meanings = std::move(meanings);
  return option;
}

Option with_first(Option option, std::string choice, std::string meaning) {
  option.default_value = choice;
  option.choices.insert(option.choices.begin(), std::move(choice));
  option.choice_meanings.insert(option.choice_meanings.begin(), std::move(meaning));
  return option;
}

Option listed(Option option, std::vector<std::string> choices) {
  option.kind = OptionKind::list;
  option.default_value = std::string("all");
  option.choices = std::move(choices);
  return option;
}

Option formed(Option option, std::vector<OptionForm> forms) {
  option.kind = OptionKind::form;
  option.default_value = form_text(usual_value(forms.front()));
  option.forms = std::move(forms);
  return option;
}

Option unless(Option option, std::function<std::string(const Configuration&)> inactive) {
  option.inactive = std::move(inactive);
  return option;
}

}  // namespace orrery::sim
