#include "sim/bodies/components.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/bodies/bodies.h"
#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"

namespace orrery::sim {

namespace {

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < component_count; ++i)
    names.emplace_back(component_name(static_cast<Component>(i)));
  names.insert(names.end(), {"stars", "dark", "dm"});
  return names;
}

Component known_component(std::string_view name) {
  if (const auto found = component_meant(name)) return *found;
  throw UsageError(fmt::format("there is no component '{}' (these are {}){}", printable(name),
                               fmt::join(known_names(), ", "), did_you_mean(name, known_names())));
}

template <typename Visit>
void for_each_name(std::string_view names, const Visit& visit) {
  while (!names.empty()) {
    const auto end = std::min(names.find(','), names.size());
    visit(known_component(names.substr(0, end)));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

}  // namespace

std::optional<Component> component_meant(std::string_view name) {
  if (name == "dark" || name == "dm") return Component::halo;
  if (name == "stars") return Component::star;
  return component_from_name(name);
}

ComponentSet::ComponentSet(std::string_view only, std::string_view without) {
  wanted_.fill(only.empty());
  for_each_name(only, [this](Component c) { wanted_.at(static_cast<std::size_t>(c)) = true; });
  for_each_name(without, [this](Component c) { wanted_.at(static_cast<std::size_t>(c)) = false; });
  if (std::ranges::none_of(wanted_, [](bool wanted) { return wanted; }))
    throw UsageError("only and without leave no component; name fewer in --set without=...");
}

bool ComponentSet::all() const {
  return std::ranges::all_of(wanted_, [](bool wanted) { return wanted; });
}

std::string component_names(const Bodies& bodies) {
  std::vector<std::string_view> names;
  const auto counts = bodies.component_counts();
  for (std::size_t i = 0; i < component_count; ++i) {
    if (counts.at(i) > 0) names.push_back(component_name(static_cast<Component>(i)));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace orrery::sim
