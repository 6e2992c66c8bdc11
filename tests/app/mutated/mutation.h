#pragma once

#include <cstdint>
#include <string>

#include "sim/core/random.h"

namespace orrery::test {

/// Damages inputs. The same seed and calls give the same damage.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  /// Any file: bits, cuts, repeated and exchanged parts, bytes that steer terminals, numbers of all ones.
  std::string damaged_bytes(std::string bytes);
  /// A file of JSON: values of the wrong kind, names exchanged or repeated, numbers no reader expects,
  /// brackets without end. One of four is damaged as bytes, and so is what is no JSON.
  std::string damaged_json(const std::string& text);

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_.below(bound)); }
  void damage_once(std::string& bytes);

  sim::Random random_;
};

}  // namespace orrery::test
