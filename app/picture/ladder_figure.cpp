#include "app/picture/ladder_figure.h"

#include <algorithm>

#include "app/picture/roofline_figure.h"
#include "sim/core/error.h"
#include "sim/options/engine_option.h"

namespace orrery::app {

void check_ladder_figure(const std::filesystem::path& path, const std::vector<lab::LadderProblem>& problems) {
  if (path.empty()) return;
  const auto runs_on_gpu = [](const lab::LadderProblem& problem) {
    return std::ranges::any_of(problem.ladder().rungs, [&](const lab::Rung& rung) {
      return problem.refusal(rung).empty() && sim::is_on_gpu(problem.configuration(rung, {}));
    });
  };
  if (std::ranges::none_of(problems, runs_on_gpu))
    throw sim::UsageError(
        "--figure shows kernels of a GPU, and no rung of the ladder can run on one here; leave --figure out, "
        "or use a machine that has a GPU");
  check_figure(path);
}

}  // namespace orrery::app
