#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery::sim {

/// The smallest level whose step dt / 2^level is at most tau; at most BlockLevels::deepest.
int block_level(double dt, double tau);

/// block time steps: while all bodies go through one step of dt, each takes steps of dt / 2^level of its own,
/// which begin at multiples of their length (Makino 1991, PASJ 43, 859). Bodies whose steps end together are
/// computed together.
class BlockLevels {
 public:
  static constexpr int deepest = 16;

  /// All bodies are at the begin of the step; their levels are to be set.
  void begin(std::size_t bodies);
  /// Sets the level of a body whose step begins now: `wanted`, or the next deeper one whose steps may begin
  /// now.
  void set(std::size_t body, int wanted);
  /// Advances to the next block time at which steps end. Returns the part of dt until then.
  double go_on();
  bool done() const { return now_ == whole; }
  /// The bodies whose steps end now, ascending; at the begin and at the end all.
  const std::vector<std::uint32_t>& active() const { return active_; }
  /// The length of a body's step, as a part of dt.
  double part(std::size_t body) const { return 1.0 / static_cast<double>(1U << level_[body]); }

  std::uint32_t now() const { return now_; }  ///< time within the step, in units of the shortest step

 private:
  static constexpr std::uint32_t whole = 1U << deepest;

  std::uint32_t now_ = 0;  ///< time within the step, in units of the shortest step
  std::vector<std::uint8_t> level_;
  std::array<std::size_t, deepest + 1> bodies_of_level_{};
  std::vector<std::uint32_t> active_;
};

}  // namespace orrery::sim
