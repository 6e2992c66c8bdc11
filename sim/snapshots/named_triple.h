#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace orrery::sim {

/// Three numbers a body that make sense together only, as a file has them one by one: a colour, or a velocity
/// by letters.
class NamedTriple {
 public:
  /// Part 0, 1 or 2 of a body. A part that is not put stays no number.
  void put(std::size_t part, std::size_t body, double value) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (body >= values_.size()) values_.resize(body + 1, {none, none, none});
    values_[body].at(part) = value;
  }
  /// The file's name of a part.
  void name(std::size_t part, const std::string& name) { names_.at(part) = name; }

  /// True if this part has a name.
  bool has(std::size_t part) const { return !names_.at(part).empty(); }
  bool complete() const { return has(0) && has(1) && has(2); }
  /// The names of the parts that exist.
  std::vector<std::string> names() const {
    std::vector<std::string> there;
    for (const auto& name : names_)
      if (!name.empty()) there.push_back(name);
    return there;
  }
  const std::vector<std::array<double, 3>>& values() const { return values_; }

 private:
  std::array<std::string, 3> names_;
  std::vector<std::array<double, 3>> values_;
};

}  // namespace orrery::sim
