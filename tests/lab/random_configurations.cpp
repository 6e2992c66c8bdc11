#include "random_configurations.h"
#include "sim/options/tree_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "sim/options/engine_option.h"

namespace orrery::lab {

namespace {

/// Physics of its own that every scene can have.
constexpr std::array<std::string_view, 6> drawn_physics{"integrator",      "softening",      "dimensions",
                                                        "state-precision", "external-field", "step"};

bool is_machine_choice(const sim::Option& option) {
  // Threads are drawn; which GPU computes is not.
  return option.scope == sim::OptionScope::machine && option.name != "threads";
}

/// A power of two between the limits, or one of them.
std::int64_t power_between(sim::Random& random, const sim::Option& option) {
  std::vector<std::int64_t> values{static_cast<std::int64_t>(option.minimum)};
  for (std::int64_t power = 1; static_cast<double>(power) < option.maximum; power *= 2) {
    if (static_cast<double>(power) > option.minimum) values.push_back(power);
  }
  values.push_back(static_cast<std::int64_t>(option.maximum));
  return values[random.below(values.size())];
}

std::int64_t whole_between(sim::Random& random, const sim::Option& option) {
  constexpr double most = 4096.0;
  const double high = std::min(option.maximum, std::max(most, option.minimum));
  return static_cast<std::int64_t>(std::floor(random.uniform(option.minimum, high + 1.0)));
}

}  // namespace

RandomConfigurations::RandomConfigurations(const sim::OptionTable& table, std::vector<std::string> engines,
                                           const std::vector<std::string>& fixed, std::uint64_t seed)
    : table_(table), engines_(std::move(engines)), random_(seed) {
  for (const auto& each : fixed) fixed_.push_back(table_.at(each.substr(0, each.find('='))).name);
}

bool RandomConfigurations::is_drawn(const sim::Option& option,
                                    const sim::Configuration& configuration) const {
  if (std::ranges::find(fixed_, option.name) != fixed_.end()) return false;
  if (option.group == "physics") return std::ranges::find(drawn_physics, option.name) != drawn_physics.end();
  return sim::is_of_engine(option, configuration) && !is_machine_choice(option);
}

/// Mostly what people try, sometimes any number in between: what nobody thought of.
sim::OptionValue RandomConfigurations::draw(const sim::Option& option, const sim::Configuration& start) {
  if (option.name == "threads") return static_cast<std::int64_t>(1 + random_.below(8));
  switch (option.kind) {
    case sim::OptionKind::boolean:
      return random_.below(2) == 0;
    case sim::OptionKind::choice:
      return option.choices[random_.below(option.choices.size())];
    case sim::OptionKind::integer:
      if (random_.below(8) == 0) return whole_between(random_, option);
      if (option.trial_values.empty()) return power_between(random_, option);
      return option.trial_values[random_.below(option.trial_values.size())];
    case sim::OptionKind::list:
      return start.value(option.name);
    case sim::OptionKind::form:
      if (!option.trial_values.empty() && random_.below(8) != 0)
        return option.trial_values[random_.below(option.trial_values.size())];
      return draw_form(option);
    case sim::OptionKind::real:
      break;
  }
  const double factor = std::exp2(random_.uniform(-2.0, 2.0));
  return std::clamp(factor * start.real(option.name), option.minimum, option.maximum);
}

/// One of the forms, with numbers around its usual ones.
sim::OptionValue RandomConfigurations::draw_form(const sim::Option& option) {
  const auto& form = option.forms[random_.below(option.forms.size())];
  auto value = sim::usual_value(form);
  for (std::size_t k = 0; k < value.numbers.size(); ++k) {
    const double factor = std::exp2(random_.uniform(-2.0, 2.0));
    value.numbers[k] =
        std::clamp(factor * value.numbers[k], form.numbers[k].minimum, form.numbers[k].maximum);
    if (form.numbers[k].whole) value.numbers[k] = std::round(value.numbers[k]);
  }
  return sim::form_text(value);
}

NamedConfiguration RandomConfigurations::next(const sim::Configuration& start,
                                              const sim::OptionContext& context) {
  auto configuration = start;
  configuration.set("engine", engines_[random_.below(engines_.size())]);
  // Some keep what the table refuses: that it does is to be seen, too.
  const bool takes_all = random_.below(10) == 0;
  std::vector<std::string> drawn{"engine=" + sim::engine_name(configuration)};
  for (const auto& option : table_.options()) {
    // With all drawn at once nearly all would be refused; what does nothing says nothing.
    if (!is_drawn(option, configuration) || random_.below(3) != 0) continue;
    if (!sim::applies(option, configuration)) continue;
    auto with = configuration;
    const auto value = draw(option, start);
    with.set(option.name, value);
    if (!takes_all && !sim::refusal_of(table_, with, context).empty()) continue;
    drawn.push_back(fmt::format("{}={}", option.name, sim::to_string(value)));
    configuration = std::move(with);
  }
  return {fmt::format("{}", fmt::join(drawn, " ")), std::move(configuration)};
}

}  // namespace orrery::lab
