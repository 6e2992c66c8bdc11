#include "sim/physics/integrators/step_rule.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/physics/fields/external_field.h"

namespace orrery::sim {

constinit const StepRule fixed_step{.name = "fixed", .meaning = "every step in one part"};
constinit const StepRule adaptive_step{
    .name = "adaptive",
    .meaning = "in parts of 1/2, 1/4, ... where forces are strong, chosen symmetric in time",
    .parts = StepParts::shared};
constinit const StepRule even_step{.name = "even",
                                   .meaning = "in as many equal parts as the strongest force asks for",
                                   .parts = StepParts::shared};
constinit const StepRule block_step{
    .name = "block",
    .meaning = "each body in parts of its own of 1/2, 1/4, ...: forces are computed where a part ends",
    .parts = StepParts::own};

namespace {
constexpr std::array<const StepRule*, 4> rules{&fixed_step, &adaptive_step, &even_step, &block_step};
}  // namespace

std::span<const StepRule* const> step_rules() { return rules; }

const StepRule* find_step_rule(std::string_view name) {
  const auto* const found = std::ranges::find(rules, name, &StepRule::name);
  return found == rules.end() ? nullptr : *found;
}

double StepCriterion::longest(double largest_acceleration) const {
  return largest_acceleration > 0.0 ? accuracy * std::sqrt(length / largest_acceleration)
                                    : std::numeric_limits<double>::infinity();
}

double largest_acceleration(std::span<const Vec3> acceleration, std::span<const Vec3> position,
                            const FieldAt* field) {
  double largest = 0.0;
  for (std::size_t i = 0; i < acceleration.size(); ++i) {
    DVec3 a(acceleration[i]);
    if (field != nullptr) a += field->acceleration(DVec3(position[i]));
    largest = std::max(largest, dot(a, a));
  }
  return std::sqrt(largest);
}

bool DyadicStep::too_long(double dt, double tau) const {
  return level_ < deepest && std::abs(dt) * part() > 2.0 * tau;
}

bool DyadicStep::counts(double dt, double before, double after) const {
  return level_ >= deepest || std::abs(dt) * part() <= 0.5 * (before + after);
}

void DyadicStep::accept() {
  at_ += whole >> level_;
  ++parts_;
  // From here the longest part that divides the time since the begin.
  level_ = deepest - std::min(std::countr_zero(at_), deepest);
}

}  // namespace orrery::sim
