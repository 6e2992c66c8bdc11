#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "sim/cpu/kernel.h"
#include "sim/physics/integrators/integrator.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/sim/engines/exact_bodies.h"

/// Hashes of states after 100 steps of the CPU engine, written down. They are the same with every number of
/// threads, every kernel that sums in the order of the bodies, and every level of optimization: `dev` is
/// compiled with -O2, `asan` with -O1, `tsan` with -O0. A change of a bit is a change of the physics: write
/// the new hash down only if it was meant.
namespace orrery::sim {
namespace {

constexpr int steps = 100;

#ifdef __SANITIZE_THREAD__
// It does not see how OpenMP's threads wait for each other.
constexpr int most_threads = 1;
#else
constexpr int most_threads = 3;
#endif

using checks::exact_number, checks::exact_vector;

Bodies exact_bodies() {
  constexpr std::size_t count = 65;
  Bodies bodies = checks::ragged_bodies(count, 3);
  for (std::size_t i = 0; i < count; ++i) {
    bodies.position[i] = exact_vector(i);
    bodies.velocity[i] = exact_vector(count + i);
    bodies.mass[i] = (exact_number(6 * count + i) + 1.5F) * 0x1p-9F;
  }
  return bodies;
}

std::string hash_of(const Bodies& bodies) {
  Fnv1a<std::uint64_t> hash;
  for (const auto* vectors : {&bodies.position, &bodies.velocity}) checks::add_bits(*vectors, hash);
  return checks::text_of(hash);
}

/// Of a state in single precision, and of a compensated one.
struct Hashes {
  std::string single, compensated;
};

const std::map<std::string, Hashes> golden{
    {"leapfrog", {"9141641d17c66645", "708af689bbe8a6fa"}},
    {"symplectic-euler", {"7d7424e55ecd6c48", "b1e33cf02780e580"}},
    {"explicit-euler", {"a8a8c86fee359572", "35044db0c9a53926"}},
    {"forest-ruth", {"4ccd3b647d92fff3", "99f812b785b1091c"}},
    {"yoshida", {"cc6e061bebd903b3", "0e38efad0f4b4a5a"}},
    {"pefrl", {"6c7623027287b383", "0378f0f3053bcdd4"}},
    {"hermite", {"476fcc75f1fd3a46", "51e6c0e2a5890920"}},
    {"rk4", {"b69a208a25bf108a", "3f7b1b816f08c2b5"}},
    {"velocity-verlet", {"9141641d17c66645", "708af689bbe8a6fa"}},
};

class Golden : public testing::TestWithParam<std::string> {};

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const auto* each : integrators()) names.emplace_back(each->name);
  return names;
}

/// The bits with one kernel and some threads.
std::string after_steps(const CpuKernel& kernel, int threads, const std::string& integrator,
                        const std::string& state) {
  const checks::EngineCase engine_case{.assignments = {"engine=cpu", "kernel=" + std::string(kernel.name),
                                                       "threads=" + std::to_string(threads)}};
  const auto configuration = checks::configuration_of(
      engine_case,
      {"integrator=" + integrator, "time-step=0.0078125", "gravity=1", "state-precision=" + state});
  const auto bodies = exact_bodies();
  const auto engine = checks::loaded(configuration, bodies);
  return hash_of(checks::after(*engine, bodies, steps));
}

TEST_P(Golden, AHundredStepsHaveTheBitsThatWereWrittenDown) {
  const auto expected = golden.find(GetParam());
  ASSERT_NE(expected, golden.end()) << "a new integrator: write its hashes down";
  for (const auto* kernel : cpu_kernels()) {
    if (!kernel->same_bits || kernel->vectors) continue;
    for (int threads = 1; threads <= most_threads; ++threads) {
      EXPECT_EQ(after_steps(*kernel, threads, GetParam(), "single"), expected->second.single)
          << kernel->name << ", threads " << threads;
      EXPECT_EQ(after_steps(*kernel, threads, GetParam(), "compensated"), expected->second.compensated)
          << kernel->name << ", threads " << threads << ", compensated";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, Golden, testing::ValuesIn(integrator_names()), [](const auto& each) {
  std::string name = each.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace orrery::sim
