// Random configurations of all options, compared with double precision and with a reference run. Scenes have
// 23 to 611 bodies: multiples of nothing, and one of them fewer than any block.
#include "random_configurations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "lab/bench/bench_setup.h"
#include "lab/setup/starting_options.h"
#include "lab/verify/verification.h"
#include "lab/verify/verification_scenes.h"
#include "lab/verify/verification_set.h"
#include "sim/cpu/kernel.h"
#include "sim/galaxies/model.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::lab {
namespace {

#ifdef ORRERY_TEST_CUDA
constexpr const char* engine = "cuda";
constexpr std::size_t parts = 10, draws_of_part = 50;
#else
constexpr const char* engine = "cpu";
constexpr std::size_t parts = 2, draws_of_part = 60;
#endif

std::array<sim::Scene, 5> scenes() {
  return {unequal_plummer({.bodies = 611, .seed = 1}), unequal_plummer({.bodies = 23, .seed = 1}),
          unequal_galaxies({.bodies = 521, .seed = 1}), dominated_cloud({.bodies = 307, .seed = 1}),
          sim::make_galaxy("charges", {.bodies = 401, .seed = 1})};
}

struct Drawn {
  std::size_t scene = 0;
  NamedConfiguration configuration;
};

/// Each draw has a sequence of its own: what one machine refuses changes none of those after it.
Drawn draw(const std::array<sim::Scene, 5>& all, std::size_t k) {
  const auto& table = sim::checks::simulation_options();
  RandomConfigurations random(table, {engine}, {}, 1 + 0x9e3779b97f4a7c15U * k);
  const auto scene = random.below(all.size());
  auto start = table.defaults();
  apply_scene(start, all.at(scene));
  return {scene, random.next(start, option_context(all.at(scene)))};
}

class RandomConfigurationsTest : public testing::TestWithParam<std::size_t> {};

TEST_P(RandomConfigurationsTest, AreRightOrRefused) {
  const auto reason = engine == std::string_view("cuda") ? cuda_unavailable() : std::string();
  if (!reason.empty()) GTEST_SKIP() << reason;
  const auto all = scenes();
  std::vector<Verifier> verifiers;
  verifiers.reserve(all.size());
  for (const auto& scene : all)
    verifiers.emplace_back(sim::checks::simulation_options(), scene,
                           VerificationTask{.steps = 3, .of_radius = true});
  std::size_t right = 0;
  for (std::size_t k = GetParam() * draws_of_part; k < (GetParam() + 1) * draws_of_part; ++k) {
    const auto [scene, drawn] = draw(all, k);
    const auto result = verifiers.at(scene).verify(drawn.first, drawn.second);
    EXPECT_FALSE(result.failed()) << all.at(scene).title << ": " << verification_line(result);
    right += result.skipped.empty() && !result.failed() ? 1 : 0;
  }
  EXPECT_GT(right, draws_of_part * 3 / 4) << "options are drawn so that they fit";
}

INSTANTIATE_TEST_SUITE_P(Parts, RandomConfigurationsTest, testing::Range<std::size_t>(0, parts));

#ifndef ORRERY_TEST_CUDA
TEST(DrawnConfigurations, HaveAllKernelsSomeThatDoNotFitAndAreRepeatable) {
  const auto all = scenes();
  std::set<std::string> kernels, names;
  std::size_t refused = 0;
  for (std::size_t k = 0; k < 200; ++k) {
    const auto [scene, drawn] = draw(all, k);
    EXPECT_EQ(draw(all, k).configuration.first, drawn.first);
    names.insert(drawn.first);
    const auto context = option_context(all.at(scene));
    refused += sim::refusal_of(sim::checks::simulation_options(), drawn.second, context).empty() ? 0 : 1;
    kernels.insert(drawn.second.choice("kernel"));
  }
  EXPECT_GT(names.size(), 190U);
  EXPECT_GT(refused, 0U) << "refusals are tested too";
  for (const auto* kernel : sim::cpu_kernels())
    EXPECT_TRUE(kernels.contains(std::string(kernel->name))) << kernel->name;
}
#endif

}  // namespace
}  // namespace orrery::lab
