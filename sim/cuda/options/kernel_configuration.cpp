#include "sim/cuda/options/kernel_configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/activity/map_options.h"
#include "sim/cuda/families/family.h"
#include "sim/cuda/options/cuda_options.h"
#include "sim/cuda/options/gpu_options.h"
#include "sim/options/physics_options.h"
#include "sim/options/tree_options.h"

namespace orrery::sim::cuda {

namespace {

/// Below this softening a squared distance may come near 1e-12, where 1 / r^3 overflows single precision.
constexpr double safe_softening = 1e-5;

int place_of(const Option& option, std::string_view choice) {
  const auto found = std::ranges::find(option.choices, choice);
  if (found == option.choices.end())
    throw std::out_of_range(fmt::format("option '{}' has no choice '{}'", option.name, choice));
  return static_cast<int>(found - option.choices.begin());
}

int number_of(const Option& option, const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<int>(*whole);
  return place_of(option, std::get<std::string>(value));
}

using ChoicePlaces = std::map<std::string, int, std::less<>>;

/// The place of each choice of each option, put together once: families ask at every launch.
const ChoicePlaces& places_of(std::string_view option) {
  static const auto all = [] {
    std::map<std::string, ChoicePlaces, std::less<>> places;
    for (const auto& each : cuda_options().options()) {
      for (const auto& choice : each.choices) places[each.name].emplace(choice, place_of(each, choice));
    }
    return places;
  }();
  const auto found = all.find(option);
  if (found == all.end()) throw std::out_of_range(fmt::format("'{}' is no option with choices", option));
  return found->second;
}

bool reaches_code(const Option& option, const Family& family) {
  return is_of_some_families(option.name) ? family.uses_option(option.name) : !option.macro.empty();
}

std::map<std::string, int, std::less<>> code_of(const Configuration& c, const Family& family) {
  std::map<std::string, int, std::less<>> code;
  for (const auto& option : cuda_options().options()) {
    if (!reaches_code(option, family)) continue;
    if (option.kind != OptionKind::form) {
      code.emplace(option.name, number_of(option, c.value(option.name)));
      continue;
    }
    const auto value = c.form(option.name);
    const auto* form = form_of(option, value);
    for (std::size_t k = 0; form != nullptr && k < form->numbers.size(); ++k)
      code.emplace(form->numbers[k].name, static_cast<int>(value.number(k)));
  }
  return code;
}

/// Bodies of a leaf; 0 for families without a tree.
int leaf_of(const Family& family, const Configuration& c) {
  if (!family.approximate) return 0;
  return static_cast<int>(tree_settings(c).leaf_size);
}

/// "tile=512"; nothing where it is the default. Numbers of a form ("WIDTH=2") are always shown.
std::string shown(std::string_view name, int number) {
  const auto* found = cuda_options().find(name);
  if (found == nullptr) return fmt::format(" {}={}", name, number);
  const auto& option = *found;
  if (number == number_of(option, option.default_value)) return {};
  if (option.kind == OptionKind::boolean) return fmt::format(" {}={}", name, number != 0 ? "on" : "off");
  if (option.choices.empty()) return fmt::format(" {}={}", name, number);
  return fmt::format(" {}={}", name, option.choices.at(static_cast<std::size_t>(number)));
}

}  // namespace

int KernelConfiguration::value(std::string_view option) const {
  const auto found = code.find(option);
  if (found == code.end())
    throw std::out_of_range(fmt::format("the family {} does not use '{}'", family->name, option));
  return found->second;
}

bool KernelConfiguration::chose(std::string_view option, std::string_view choice) const {
  const auto& places = places_of(option);
  const auto place = places.find(choice);
  if (place == places.end())
    throw std::out_of_range(fmt::format("option '{}' has no choice '{}'", option, choice));
  return value(option) == place->second;
}

bool KernelConfiguration::updates() const { return family->updates; }

KernelConfiguration kernel_configuration(const Configuration& c) {
  const auto& family = family_of(c);
  const auto tree = tree_settings(c);
  const auto physics = physics_of(c);
  const bool slopes = physics.integrator->has_slopes();
  const auto options = gpu_options(c);
  return {.family = &family,
          .law = physics.law,
          .layout = options.layout,
          .passing = options.passing,
          .constant_memory = options.has_constant_memory(),
          .constant_ranges = options.has_constant_ranges(),
          .fast_math = options.math == "fast",
          .flush_to_zero = options.math != "ieee",
          .precision = options.has_double_precision() ? 64 : 32,
          .block = family.uses_option("block") ? options.block : 0,
          .registers = options.registers,
          .dimensions = physics.dimensions,
          .early_launch = options.early_launch,
          .map_in_update = wants_map(c) && options.map_count == "update" && !slopes,
          .compensated = is_compensated(c) && !options.has_double_precision(),
          .field = physics.field,
          .slopes = slopes,
          .jerks = physics.integrator->has_jerks(),
          .adaptive = physics.step->parts == StepParts::shared,
          .block_steps = physics.step->parts == StepParts::own,
          .tree_group = family.approximate ? static_cast<int>(tree.group_size) : 0,
          .tree_leaf = leaf_of(family, c),
          .tree_third = family.approximate && tree.order == CellOrder::octupole,
          .guard = physics.softening < safe_softening,
          .code = code_of(c, family)};
}

std::string describe(const KernelConfiguration& c) {
  std::string text(c.family->name);
  if (c.updates()) text += " update=fused";
  if (c.law != &gravity_law) text += fmt::format(" force-law={}", c.law->name);
  if (c.dimensions == 2) text += " dimensions=2";
  if (c.precision == 64) text += " precision=double";
  for (const auto& [name, number] : c.code) text += shown(name, number);
  text += shown("registers", c.registers);
  if (c.fast_math) text += " math=fast";
  if (!c.flush_to_zero) text += " math=ieee";
  if (c.tree_group > 0) text += fmt::format(", groups of {}, leaves of {}", c.tree_group, c.tree_leaf);
  if (c.tree_third) text += ", third moments";
  if (c.guard) text += ", softening near 0";
  if (c.batched) text += ", batched";
  if (c.map_in_update) text += ", map in the update";
  if (c.compensated) text += ", compensated state";
  if (c.slopes) text += ", slopes";
  if (c.jerks) text += ", jerks";
  if (c.adaptive) text += ", adaptive steps";
  if (c.block_steps) text += ", block time steps";
  if (c.field->acts()) text += fmt::format(", external-field={}", c.field->name);
  return text;
}

}  // namespace orrery::sim::cuda
