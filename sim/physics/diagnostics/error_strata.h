#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/core/vec3.h"

namespace orrery::sim {

/// Bodies of one kind whose force error is judged by itself.
struct Stratum {
  std::string name;                 ///< "component halo", "clump 3 (1000 bodies)", "densest bodies (1 of 5)"
  std::vector<std::size_t> bodies;  ///< indices within the sample, ascending
  bool whole = false;               ///< all of the stratum
};

/// Bodies whose forces are to be checked: some drawn evenly, and some of each stratum.
struct StratifiedSample {
  std::size_t of = 0;               ///< bodies of the dataset
  std::vector<std::size_t> evenly;  ///< ascending; they represent all bodies
  std::vector<Stratum> strata;

  /// All of them, ascending.
  std::vector<std::size_t> bodies() const;
};

/// The figures of one check, or the test of a run by all of its checks (StatementTest).
enum class SampleFor { figures, run };

/// The strata of a dataset at some moment: each clump (sim/physics/diagnostics/clumps.h), each component and
/// each decade of the local density that has `fewest_judged` bodies or more. Groups of fewer bodies that are
/// far denser than what is around them are one stratum.
///
/// If there are more than `most_looked_at` bodies, that many are drawn evenly. The result depends on the
/// bodies alone, not on the number of threads.
class ErrorStrata {
 public:
  static constexpr std::size_t fewest_judged = 8;
  static constexpr std::size_t most_whole = 64;
  static constexpr std::size_t most_looked_at = 100'000;

  /// No bodies, and so no strata.
  ErrorStrata() = default;
  /// All spans have one length, but `component` may be empty. Positions that are not finite are left out.
  ErrorStrata(std::span<const Vec3> position, std::span<const float> mass,
              std::span<const Component> component, std::span<const GalaxyRange> galaxies, int threads);

  /// Draws `count` bodies at most, half of them evenly, and all bodies if there are no more. For a run two
  /// thirds are drawn evenly, and strata of no more than `most_whole` bodies are drawn whole, where there is
  /// room. Where there are too many strata for `fewest_judged` bodies of each, the seed chooses some of the
  /// strata.
  StratifiedSample sample(std::size_t count, std::uint64_t seed, SampleFor what = SampleFor::figures) const;

  /// A stratum with bodies to draw from.
  struct Group {
    std::string name;
    std::vector<std::uint32_t> bodies;  ///< ascending; of many a part
  };
  std::span<const Group> groups() const { return groups_; }

 private:
  void add(const std::string& name, std::vector<std::uint32_t> bodies);

  std::size_t bodies_ = 0;
  std::vector<Group> groups_;
};

/// `count` different indices below `size` (all of them if size <= count), ascending, drawn with `seed`.
std::vector<std::size_t> sample_indices(std::size_t size, std::size_t count, std::uint64_t seed);

}  // namespace orrery::sim
