#include "sim/physics/integrator.h"

#include <algorithm>
#include <array>

namespace orrery::sim {

extern const Integrator leapfrog;
extern const Integrator symplectic_euler;
extern const Integrator explicit_euler;

namespace {
constexpr std::array<const Integrator*, 3> all_integrators{&leapfrog, &symplectic_euler, &explicit_euler};
}  // namespace

std::span<const Integrator* const> integrators() { return all_integrators; }

const Integrator* find_integrator(std::string_view name) {
  const auto found =
      std::ranges::find_if(all_integrators, [&](const Integrator* each) { return each->name == name; });
  return found == all_integrators.end() ? nullptr : *found;
}

}  // namespace orrery::sim
