#pragma once

#include <array>
#include <string>
#include <string_view>

#include "sim/bodies/bodies.h"

namespace orrery::sim {

/// A set of components. The default takes all.
class ComponentSet {
 public:
  ComponentSet() { wanted_.fill(true); }
  /// `only` and `without` are names, comma separated: those of component_name, "stars", and "dark" or "dm"
  /// for halo. An empty `only` means all. Throws UsageError for an unknown name, or if nothing is left.
  ComponentSet(std::string_view only, std::string_view without);

  /// True if bodies of that component are included.
  bool has(Component component) const { return wanted_.at(static_cast<std::size_t>(component)); }
  /// True if none is left out.
  bool all() const;

 private:
  std::array<bool, component_count> wanted_;
};

/// The component that a person or a file means: as component_from_name, and "stars", "dark", "dm".
std::optional<Component> component_meant(std::string_view name);

/// The components that there are, for messages: "halo, disk".
std::string component_names(const Bodies& bodies);

}  // namespace orrery::sim
