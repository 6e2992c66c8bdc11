#include "sim/engines/engine_state.h"

#include <algorithm>

namespace orrery::sim {

const EngineState::Array* EngineState::find(std::string_view name) const {
  const auto at = std::ranges::find(arrays, name, &Array::name);
  return at == arrays.end() ? nullptr : &*at;
}

void EngineState::forget_forces() {
  std::erase_if(arrays, [](const Array& array) { return array.name.starts_with(forces_array); });
}

}  // namespace orrery::sim
