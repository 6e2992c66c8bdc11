#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "sim/scene/scene.h"
#include "sim/snapshots/vtk_values.h"

namespace orrery::sim {

/// Three numbers a body that make sense together only, as a file has them one by one: a colour, or a velocity
/// by letters.
class NamedTriple {
 public:
  /// Part 0, 1 or 2 of a body. A part that is not put stays no number.
  void put(std::size_t part, std::size_t body, double value);
  /// The file's name of a part, and the type of its numbers there; f64: any.
  void name(std::size_t part, const std::string& name, VtkType type = VtkType::f64);

  /// True if this part has a name.
  bool has(std::size_t part) const { return !names_.at(part).empty(); }
  bool complete() const { return has(0) && has(1) && has(2); }
  /// The number of bodies that have this part of the colour.
  std::size_t count(std::size_t part) const { return counts_.at(part); }
  /// The names of the parts that exist.
  std::vector<std::string> names() const;
  VtkType type() const { return type_; }
  const std::vector<std::array<double, 3>>& values() const { return values_; }

 private:
  std::array<std::string, 3> names_;
  std::array<std::size_t, 3> counts_{};
  VtkType type_ = VtkType::f64;
  std::vector<std::array<double, 3>> values_;
};

/// Takes red, green and blue as the colours of the bodies, which are as many: from 0 to 1, 255 or 65535, as
/// the type or else the numbers say, in sRGB. A note says what was assumed, or why they are left out. Bodies
/// with a part that is no number have no colour. Before bodies are put in another order.
void settle_colors(Scene& scene, const NamedTriple& colors);

/// Red, green and blue of a colour; white for none.
std::array<std::uint8_t, 3> rgb_of(Color color);

}  // namespace orrery::sim
