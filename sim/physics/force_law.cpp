#include "sim/physics/force_law.h"

#include <algorithm>
#include <array>

namespace orrery::sim {

namespace {
constexpr std::array<const ForceLaw*, 2> all_laws{&gravity_law, &electric_law};
}  // namespace

std::span<const ForceLaw* const> force_laws() { return all_laws; }

const ForceLaw* find_force_law(std::string_view name) {
  const auto found = std::ranges::find(all_laws, name, &ForceLaw::name);
  return found == all_laws.end() ? nullptr : *found;
}

}  // namespace orrery::sim
