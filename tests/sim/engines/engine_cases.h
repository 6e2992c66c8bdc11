#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "sim/engines/engine.h"
#include "sim/options/configuration.h"
#include "sim/physics/diagnostics/force_error.h"
#include "sim/physics/physics.h"
#include "tests/sim/physics/physics_assertions.h"

/// The configurations over which the engine suite runs: every engine, kernel and thread count of this
/// machine.
namespace orrery::sim::checks {

/// The options of the simulation; lives as long as the program.
const OptionTable& simulation_options();

struct EngineCase {
  std::string name;                      ///< for the test's name: letters, digits, '_'
  std::vector<std::string> assignments;  ///< what makes the configuration
  bool cuda = false;                     ///< needs a CUDA device
  bool orbits = true;                    ///< also runs the tests of many thousand steps
  bool products = false;                 ///< forces from products of half precision: right on average
  bool same_bits = true;                 ///< the forces equal those of the sequential kernel bit for bit
  bool any_threads = true;               ///< the number of threads changes no bit
};
/// Test listings show the name instead of bytes.
inline void PrintTo(const EngineCase& engine_case, std::ostream* out) { *out << engine_case.name; }

/// Bound of a case, for single precision sums of up to some thousand terms: of the largest relative error of
/// a force; for `products` of the median one, since single pairs are off by up to 2^-11 and where pulls
/// cancel that is much of what is left.
double force_bound(const EngineCase& engine_case);
/// The error that this bound is for.
double bounded_error(const EngineCase& engine_case, const ForceError& error);
/// The largest error of the sampled forces, each relative to the sum of the magnitudes of the pulls on its
/// body: where pulls cancel, this is the relative error of the pairs. Infinite where a force is not finite.
/// Gravity.
double largest_error_of_pulls(const ForceSample& sample);
/// Bound of largest_error_of_pulls for `products`: a weight is rounded by up to 2^-10, and the squared
/// distance of a pair near the limit below which it is computed in FP32 is off by up to 3e-3
/// (docs/kernels.md).
inline constexpr double pull_bound = 5e-3;
/// True for the families on tensor cores.
bool uses_products(std::string_view family);

std::vector<EngineCase> engine_cases();
/// The CUDA engine: every family with every layout, and every other switch once.
std::vector<EngineCase> cuda_cases();
/// The same on an emulated GPU: every family in its usual layout, and what kernels have in other forms once.
std::vector<EngineCase> emulated_cases();
/// Configurations that also compute charges: CPU kernels, or every CUDA family, layout and other switch once.
std::vector<EngineCase> electric_cases(bool cuda);
/// Two dimensions, gravity and charges: every CPU kernel, or every CUDA family and layout.
std::vector<EngineCase> planar_cases(bool cuda);
/// Why the case cannot run here; empty if it can.
std::string why_not_here(const EngineCase& engine_case);

/// Defaults with the case's assignments and these. With ORRERY_TEST_GPU=emulated in the environment, what is
/// for engine=cuda is for an emulated GPU: so the tests of test_gpu run without one. GPUs are those of
/// RepeatedGpu.
Configuration configuration_of(const EngineCase& engine_case, const std::vector<std::string>& more = {});
/// The assignment that chooses a field with those numbers that it reads.
std::string field_setting(const ExternalField& field, Physics numbers);

/// `count` bodies of different masses in a ball, seeded, in `galaxies` galaxies of uneven sizes.
Bodies ragged_bodies(std::size_t count, std::uint32_t galaxies = 1);
/// Body i of `side`^3 at a place of its own on a lattice of unit distances.
Vec3 lattice_place(std::size_t i, std::size_t side);

/// The same with charges of both signs, every seventh body neutral, and speeds at which the magnetic force
/// counts.
Bodies charged_bodies(std::size_t count, std::uint32_t galaxies = 1);

/// An engine of that configuration that holds `bodies` at time 0.
std::unique_ptr<Engine> loaded(const Configuration& configuration, const Bodies& bodies);
/// The bodies after so many steps, each of which must be completed.
Bodies after(Engine& engine, Bodies bodies, int steps);
/// All accelerations of one force evaluation.
ForceSample all_forces(const Configuration& configuration, const Bodies& bodies);
bool same_bits(const std::vector<Vec3>& a, const std::vector<Vec3>& b);
/// The largest |a - b|.
double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b);

/// Advances by means of an engine, for the physics checks.
Advance advance_by(const Configuration& configuration);

}  // namespace orrery::sim::checks
