#include "sim/simulation/sampled_error.h"

#include <algorithm>

#include "sim/cpu/cpu_options.h"
#include "sim/options/tree_options.h"

namespace orrery::sim {

double error_for_accuracy(const ForceSample& sample, double wanted) {
  constexpr double certainly_more = 1.5;
  const auto error = force_error(sample, available_processors());
  const double of_all = std::max(error.median, error.p99 / accurate_p99);
  if (!breaks_statement(error)) return of_all;
  const auto& worst = error.worst;
  return std::max({of_all, worst.median / stated_median, worst.p99 / stated_p99, certainly_more * wanted});
}

}  // namespace orrery::sim
