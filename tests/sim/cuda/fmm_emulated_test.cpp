// Fast multipoles on a GPU, their kernels run on the processor by an emulator of CUDA's threads: forces against
// sums over all pairs, and the parts of the method by themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernel_testing.h"
#include "sim/core/random.h"
#include "sim/cuda/families/fmm_layout.h"
#include "sim/cuda/families/tree_layout.h"
#include "sim/galaxies/model.h"
#include "sim/options/tree_options.h"
#include "tests/sim/cuda/emulator/emulated_forces.h"
#include "tests/sim/cuda/emulator/fmm_kernels.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim::cuda {
namespace {

struct How {
  TreeSettings tree{.alpha = 0.001, .leaf_size = 16};
  int order = 5;
  float eps2 = 4e-4F;
  unsigned seed = 1;
};

/// One evaluation by fast multipoles.
struct Evaluation : emulator::EmulatedForces {
  explicit Evaluation(Bodies all, const How& how = {})
      : EmulatedForces(std::move(all), how.tree, how.eps2, how.seed,
                       cuda::kernel({"family=fmm", "expansion=" + std::to_string(how.order)}),
                       [=](const std::string& name, void** arguments) {
                         return emulator::fmm_kernel(name, how.order, arguments);
                       }) {}
};

[[maybe_unused]] Bodies sphere(std::size_t bodies) { return make_galaxy("plummer", {.bodies = bodies, .seed = 3}).bodies; }

TEST(Sweep, Table) {
  const auto bodies = make_galaxy(std::getenv("MODEL") ? std::getenv("MODEL") : "plummer",
                                  {.bodies = std::size_t(std::atoi(std::getenv("BODIES"))), .seed = 3})
                          .bodies;
  for (int order = 3; order <= 6; ++order) {
    if (std::getenv("ORDER") && std::atoi(std::getenv("ORDER")) != order) continue;
    const Evaluation e(bodies, {.order = order});
    const auto errors = e.errors(11);
    std::printf("order %d median %.2e p99 %.2e max %.2e pulls %.0f\n", order, errors[errors.size() / 2],
                errors[errors.size() * 99 / 100], errors.back(), double(e.queue.pulls_summed) / double(bodies.size()));
  }
}

}  // namespace
}  // namespace orrery::sim::cuda
