#include "sim/options/describe.h"

#include <utility>

#include "sim/options/form.h"

namespace orrery::sim {

Description&& Description::initially(bool value) && {
  kind = OptionKind::boolean;
  default_value = value;
  return std::move(*this);
}

Description&& Description::initially(std::int64_t value) && {
  kind = OptionKind::integer;
  default_value = value;
  return std::move(*this);
}

Description&& Description::initially(double value) && {
  kind = OptionKind::real;
  default_value = value;
  return std::move(*this);
}

Description&& Description::initially(const char* value) && {
  default_value = std::string(value);
  return std::move(*this);
}

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

Description&& Description::unless(std::function<std::string(const Configuration&)> reason) && {
  inactive = std::move(reason);
  return std::move(*this);
}

Description&& Description::refused(OptionConflict conflict) && {
  conflicts.push_back(std::move(conflict));
  return std::move(*this);
}

Description&& Description::tuned(int rank) && {
  tuning_rank = rank;
  return std::move(*this);
}

Description&& Description::labelled(std::string text) && {
  label = std::move(text);
  return std::move(*this);
}

Description&& Description::with_macro(std::string name_in_device_code) && {
  macro = std::move(name_in_device_code);
  return std::move(*this);
}

Description&& Description::tried(std::vector<OptionValue> values) && {
  trial_values = std::move(values);
  return std::move(*this);
}

Description&& Description::in_scope(OptionScope of_change) && {
  scope = of_change;
  return std::move(*this);
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
