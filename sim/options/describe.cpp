#include "sim/options/describe.h"

#include <utility>

namespace orrery::sim {

Description&& Description::within(double low, double high, std::string of_unit) && {
  minimum = low;
  maximum = high;
  unit = std::move(of_unit);
  return std::move(*this);
}

Description&& Description::scaled(double low, double high, std::string of_unit) && {
  logarithmic = true;
  return std::move(*this).within(low, high, std::move(of_unit));
}

Description&& Description::chosen(std::vector<std::string> names, std::vector<std::string> meanings) && {
  kind = OptionKind::choice;
  if (!std::holds_alternative<std::string>(default_value)) default_value = names.front();
  choices = std::move(names);
  choice_meanings = std::move(meanings);
  return std::move(*this);
}

Description&& Description::with_first(std::string choice, std::string its_meaning) && {
  default_value = choice;
  choices.insert(choices.begin(), std::move(choice));
  choice_meanings.insert(choice_meanings.begin(), std::move(its_meaning));
  return std::move(*this);
}

Description&& Description::listed(std::vector<std::string> names) && {
  kind = OptionKind::list;
  default_value = std::string("all");
  choices = std::move(names);
  return std::move(*this);
}

Description&& Description::formed(std::vector<OptionForm> all) && {
  kind = OptionKind::form;
  default_value = form_text(usual_value(all.front()));
  forms = std::move(all);
  return std::move(*this);
}

Description&& Description::refused(OptionConflict conflict) && {
  conflicts.push_back(std::move(conflict));
  return std::move(*this);
}

FormNumber number(std::string name, double usual, double low, double high, std::string unit) {
  return {.name = std::move(name),
          .default_value = usual,
          .minimum = low,
          .maximum = high,
          .unit = std::move(unit)};
}

FormNumber scaled_number(std::string name, double usual, double low, double high, std::string unit) {
  auto scaled = number(std::move(name), usual, low, high, std::move(unit));
  scaled.logarithmic = true;
  return scaled;
}

FormNumber count(std::string name, double usual, double low, double high) {
  auto whole = scaled_number(std::move(name), usual, low, high);
  whole.whole = true;
  return whole;
}

FormNumber index_number(std::string name, double usual, double most) {
  auto index = number(std::move(name), usual, usual, most);
  index.whole = index.of_dataset = true;
  return index;
}

FormNumber edge(std::string name, double usual) {
  auto end = number(std::move(name), usual, -1e30, 1e30);
  end.required = end.of_dataset = true;
  return end;
}

Description described(std::string name, std::string group, std::string label, std::string meaning) {
  Description option;
  option.name = std::move(name);
  option.group = std::move(group);
  option.label = std::move(label);
  option.meaning = std::move(meaning);
  return option;
}

Description shown(std::string name, std::string group, std::string label, std::string meaning) {
  return described(std::move(name), std::move(group), std::move(label), std::move(meaning))
      .in_scope(OptionScope::display);
}

}  // namespace orrery::sim
