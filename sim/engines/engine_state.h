#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/vec3.h"

namespace orrery::sim {

/// Names of arrays that hold accelerations begin with this (EngineState::forget_forces).
inline constexpr std::string_view forces_array = "acceleration";

/// All that the steps after a complete one depend on, besides the bodies that were loaded and the
/// configuration: what a checkpoint holds. Positions and velocities are in single precision, for any engine.
/// An engine that keeps more adds arrays of its own, with the bits that it computes with.
struct EngineState {
  /// Bytes as their engine keeps them.
  struct Array {
    std::string name;
    std::vector<std::byte> bytes;
    friend bool operator==(const Array&, const Array&) = default;
  };

  double time = 0.0;        ///< simulated
  std::uint64_t steps = 0;  ///< since the initial state
  std::vector<Vec3> position, velocity;
  std::string form;           ///< engine and layout that made `arrays`: only the same one accepts them
  std::vector<Array> arrays;  ///< engine-specific arrays in any order; empty: the state is complete without

  /// The array of that name, or nullptr.
  const Array* find(std::string_view name) const {
    const auto at = std::ranges::find(arrays, name, &Array::name);
    return at == arrays.end() ? nullptr : &*at;
  }
  /// Adds the bytes of a vector, array or span.
  template <typename Items>
  void add(std::string_view name, const Items& items) {
    const auto bytes = std::as_bytes(std::span(items));
    arrays.push_back({std::string(name), {bytes.begin(), bytes.end()}});
  }
  /// Copies the array of that name into `items`. False, and nothing is changed, where there is no array of
  /// that name and size.
  template <typename Items>
  bool read(std::string_view name, Items&& items) const {
    const auto* array = find(name);
    const auto to = std::as_writable_bytes(std::span(items));
    if (array == nullptr || array->bytes.size() != to.size()) return false;
    std::ranges::copy(array->bytes, to.begin());
    return true;
  }
  /// Leaves out what was computed with the options that were in force: for going on with other ones.
  void forget_forces() {
    std::erase_if(arrays, [](const Array& array) { return array.name.starts_with(forces_array); });
  }

  friend bool operator==(const EngineState&, const EngineState&) = default;
};

}  // namespace orrery::sim
