#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/verify/verification_set.h"
#include "sim/core/random.h"
#include "sim/options/configuration.h"

namespace orrery::lab {

/// Draws configurations from all options of the engines, and from the physics that every scene can have:
/// integrator, softening, dimensions, precision of the state, external field. The same seed and table give
/// the same ones. One in ten may be a combination that the table refuses; the others leave out options that
/// do not fit those drawn before.
class RandomConfigurations {
 public:
  /// `engines`: one of them is drawn each time. `fixed`: assignments of options that are not drawn.
  RandomConfigurations(const sim::OptionTable& table, std::vector<std::string> engines,
                       const std::vector<std::string>& fixed, std::uint64_t seed);

  /// Varies `start` for a scene with that context; the name says what is drawn, as --set takes it.
  NamedConfiguration next(const sim::Configuration& start, const sim::OptionContext& context);
  /// A number below `bound`, of the same sequence.
  std::size_t below(std::size_t bound) { return random_.below(bound); }

 private:
  bool is_drawn(const sim::Option& option, const sim::Configuration& configuration) const;
  sim::OptionValue draw(const sim::Option& option, const sim::Configuration& start);
  sim::OptionValue draw_form(const sim::Option& option);

  const sim::OptionTable& table_;
  std::vector<std::string> engines_;
  std::vector<std::string> fixed_;  ///< names
  sim::Random random_;
};

}  // namespace orrery::lab
