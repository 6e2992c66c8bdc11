#pragma once

#include <map>
#include <string>

#include "sim/physics/diagnostics/force_error.h"

namespace orrery::sim {

/// Tests over all checks of a run whether its forces have the errors that their kernel states: 99 % of all
/// bodies, and 98 % of each stratum (of one that is compared whole all but two), are below the stated 99th
/// percentile, and half of them below the stated median. One check draws too few bodies to see that twice as
/// many are above; the checks of a run draw others each time.
///
/// For each of these statements the likelihood of what was found is compared with that under it. If the
/// statement is true, a mixture of such ratios exceeds x at any check of a run with a probability of 1/x at
/// most (Ville's inequality; Robbins 1970). So a run whose statements are true is rejected with a
/// probability below least_chance, however long it is.
class StatementTest {
 public:
  /// Adds a check. Returns it with counts of all checks so far: `strata` have the bodies of all of them, and
  /// the bound above as their chance; `worst` is the worst of these. Median and 99th percentile stay those of
  /// this check. Where nothing is stated it comes back as it is.
  ForceError add(ForceError check);

 private:
  /// Counts of all checks, by the name of the stratum.
  struct Counts {
    std::size_t number = 0;  ///< from 1 on, as they appeared
    std::size_t sample = 0, above_median = 0, above_p99 = 0;
  };
  std::map<std::string, Counts> counts_;
};

}  // namespace orrery::sim
