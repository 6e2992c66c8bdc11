#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/core/vec3.h"

namespace orrery::sim {

struct FieldAt;  // sim/physics/fields/external_field.h

/// The parts of a step, as whoever makes it has to know them.
enum class StepParts {
  one,     ///< the step itself
  shared,  ///< of all bodies together; one may be taken back
  own      ///< of each body by itself, in levels (block_levels.h)
};

/// Division of a step of dt: one part, or as many as the forces ask for. Either way it ends dt later, so that
/// everything that counts steps (films, series, clocks, states) also counts time.
struct StepRule {
  std::string_view name;     ///< as in --set step=NAME
  std::string_view meaning;  ///< one line for the panel and the help
  StepParts parts = StepParts::one;
};

/// One part, the default.
extern const StepRule fixed_step;
/// Parts as DyadicStep cuts them, by StepCriterion.
extern const StepRule adaptive_step;
/// Equal parts, by StepCriterion.
extern const StepRule even_step;
/// Each body in steps of its own, as BlockLevels arranges them, by StepCriterion.
extern const StepRule block_step;

/// All rules, the default first.
std::span<const StepRule* const> step_rules();
/// The rule of that name, or nullptr.
const StepRule* find_step_rule(std::string_view name);

/// The longest allowed part: tau = eta sqrt(l / |a|) for the largest |a| of a body (Power et al. 2003, MNRAS
/// 338, 14, eq. 13, where l is the softening; also Gadget's). About a point mass tau is proportional to the
/// distance.
struct StepCriterion {
  double accuracy = 0.2;  ///< eta
  double length = 0.0;    ///< l, above 0

  /// tau where the largest |a| is this; endless where it is 0.
  double longest(double largest_acceleration) const;
};

/// The largest |a| of these bodies. `field` acts besides the accelerations; may be null.
double largest_acceleration(std::span<const Vec3> acceleration, std::span<const Vec3> position,
                            const FieldAt* field);

/// Cuts a step into parts of 2^-k, symmetric in time (Makino, Hut, Kaplan & Saygin 2006, New Astronomy 12,
/// 124, with one step for all bodies). A part is tried from where its length divides the time since the
/// begin, longest first. It counts if it is no longer than the mean of tau before and after it. If not, its
/// two halves are tried in its position. Back from its end the same part is tried, and found as good: so a
/// symmetric integrator stays reversible but for parts that are nearly too long, and its energy has no drift.
class DyadicStep {
 public:
  static constexpr int deepest = 20;  ///< parts of a millionth; they count whatever tau is

  bool done() const { return at_ == whole; }
  /// The part to be tried now, as a share of the step.
  double part() const { return 1.0 / static_cast<double>(1U << level_); }
  /// True if the part ends the step.
  bool ends_step() const { return at_ + (whole >> level_) == whole; }
  /// True if the part need not be tried: it is longer than what the mean can be unless tau grows threefold in
  /// it.
  bool too_long(double dt, double tau) const;
  /// True if the part counts, with tau before and after it.
  bool counts(double dt, double before, double after) const;
  void accept();
  void reject() { ++level_; }
  /// Parts that counted so far.
  std::uint32_t parts() const { return parts_; }

 private:
  static constexpr std::uint32_t whole = 1U << deepest;
  std::uint32_t at_ = 0;  ///< time within the step, in units of the shortest part
  int level_ = 0;
  std::uint32_t parts_ = 0;
};

}  // namespace orrery::sim
