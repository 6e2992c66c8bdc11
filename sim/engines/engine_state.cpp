#include "sim/engines/engine_state.h"

#include <algorithm>
#include <utility>

namespace orrery::sim {

const EngineState::Array* EngineState::find(std::string_view name) const {
  const auto at = std::ranges::find(arrays, name, &Array::name);
  return at == arrays.end() ? nullptr : &*at;
}

void EngineState::add(std::string name, std::span<const std::byte> bytes) {
  arrays.push_back({std::move(name), {bytes.begin(), bytes.end()}});
}

void EngineState::add(std::string name, const std::vector<Vec3>& vectors) {
  add(std::move(name), std::as_bytes(std::span(vectors)));
}

bool EngineState::read(std::string_view name, std::vector<Vec3>& vectors) const {
  const auto* array = find(name);
  const auto to = std::as_writable_bytes(std::span(vectors));
  if (array == nullptr || array->bytes.size() != to.size()) return false;
  std::ranges::copy(array->bytes, to.begin());
  return true;
}

void EngineState::forget_forces() {
  std::erase_if(arrays, [](const Array& array) { return array.name.starts_with(forces_array); });
}

}  // namespace orrery::sim
