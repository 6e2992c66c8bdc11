#include "sim/physics/laws/force_law.h"

#include <algorithm>

#include "force_laws.h"

namespace orrery::sim {

std::span<const ForceLaw* const> force_laws() { return registry::force_laws; }

const ForceLaw* find_force_law(std::string_view name) {
  const auto found = std::ranges::find(registry::force_laws, name, &ForceLaw::name);
  return found == registry::force_laws.end() ? nullptr : *found;
}

}  // namespace orrery::sim
