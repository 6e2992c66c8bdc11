#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/engines/engine.h"
#include "sim/options/configuration.h"
#include "sim/physics/diagnostics/statement_test.h"
#include "sim/ranks/communicator.h"
#include "sim/scene/scene.h"
#include "sim/simulation/approximate_kernels.h"

// Whether forces keep to the errors that their kernel states, and what is done where they do not.
namespace orrery::sim {

/// The exit status of a run that finished although forces exceeded the errors that their kernel states.
inline constexpr int stated_error_exceeded = 3;

/// Bounds of one comparison with sums in double precision.
struct CheckWork {
  double most_pairs = 0.0;
  std::size_t most_bodies = 0;
};
/// The work of a check of a run's first step, of later ones, and of a benchmark, which reports the 99th
/// percentile. If twice as many bodies are above it as stated, 20 checks of 384 bodies that are drawn evenly
/// find that with a probability of 0.99 (StatementTest).
inline constexpr CheckWork first_check{1e9, 576}, later_checks{3e8, 576}, benchmark_check{5e9, 1024};

/// The number of bodies that can be checked within these bounds, at least 32 (or all) of `bodies`.
std::size_t checkable_bodies(std::size_t bodies, const CheckWork& work);

/// The strata of a dataset with its bodies at these positions.
ErrorStrata strata_of(const Bodies& bodies, std::span<const Vec3> position);

/// Asks for the forces on some bodies of each stratum.
SampleRequest sample_of(const ErrorStrata& strata, std::size_t bodies, std::uint64_t seed, SampleFor what);

/// The sample to request in the first step of `configuration`: where a tree may compute, a stratified one of
/// as many bodies as `work` allows, else 256 bodies that are drawn evenly.
SampleRequest first_sample(const Configuration& configuration, const Bodies& bodies, const CheckWork& work);

/// "the forces on clump 2 (500 bodies) have errors of 1.0e+00 (median) and ..., and kernel=tree states: ...";
/// empty if they keep to what is stated.
std::string statement_problem(const ForceError& error, const Configuration& configuration);

/// Watches the forces of a run that steps by itself, without a window: on its first and on its last step, and
/// every few steps in between, the forces on a stratified sample are compared with double precision. If
/// they exceed what their kernel states it says so and tries safer configurations at the same bodies, each in
/// a step that it undoes. It continues with the first that keeps to what was stated, or else with the one
/// whose error is least at the bodies that failed. The first step is made again then. All of this depends on
/// numbers of steps and on bodies, not on time, so that a run stays reproducible. Where every pair is summed
/// nothing is watched. Several processes try nothing: they take the next one, which the next step checks.
///
/// With several processes, all make the same calls.
class ErrorWatch {
 public:
  /// A run from step `first` to step `last`.
  struct Run {
    const OptionTable& table;
    const Scene& scene;  ///< the scene with its initial bodies
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    /// True if `first` is the state of the scene: then the first step can be made again.
    bool fresh = true;
  };
  using Say = std::function<void(const std::string& line)>;

  /// `run` must outlive it; `say` is told what happens, in the first process.
  ErrorWatch(const Run& run, const Configuration& configuration, Communicator& ranks, Say say);

  /// Before a step. `owed`: the engine samples all forces for somebody else; these serve as well.
  void before_step(Engine& engine, bool owed);
  /// True if the watch has asked for forces that have not come.
  bool waits() const { return plan_ != nullptr; }
  /// After a step, with what was sampled in it. True if the step has to be made again: the engine is back at
  /// its beginning. Throws Error if an accuracy that was asked for is not reached in the first step.
  bool after_step(Engine& engine, const std::optional<ForceSample>& sample);

  /// The configuration in use.
  const Configuration& configuration() const { return configuration_; }
  /// True if configuration() computed every step: when it was changed, the first step was made again.
  bool from_the_start() const { return from_the_start_; }
  /// The first problem, from which step on, and what was done, in one line; empty: there was none.
  const std::string& note() const { return note_; }

 private:
  enum class Finding { nothing, right, wrong };
  bool is_due(std::uint64_t steps) const;
  Finding judge(Engine& engine, const std::optional<ForceSample>& sample);
  bool act(Engine& engine);
  bool fall_back(Engine& engine);
  ForceError error_of(const ForceSample& sample, const std::shared_ptr<const StratifiedSample>& plan) const;
  bool try_out(Engine& engine, const Configuration& next, const EngineState& state);
  bool take_next(Engine& engine);
  double times_of_every_pair(const Engine& engine) const;
  void wait_for_kernel(Engine& engine) const;
  void check_accuracy(const Engine& engine, std::uint64_t steps);
  void tell(std::uint64_t step, const std::string& action);

  Run run_;
  Configuration configuration_;
  Communicator& ranks_;
  Say say_;
  std::optional<ErrorStrata> strata_;              ///< strata of the last check, or of the initial bodies
  std::shared_ptr<const StratifiedSample> plan_;   ///< asked for, until it has come
  std::shared_ptr<const StratifiedSample> tried_;  ///< of the check that failed
  StatedError promised_;                           ///< by the configuration that was wrong first; 0: none was
  ForceError found_;                               ///< by the check or trial under way
  bool again_ = false;                             ///< the next step is to be checked
  bool gave_up_ = false;                           ///< nothing safer is left
  bool from_the_start_ = true;
  std::optional<std::vector<Configuration>> safer_;  ///< left to try; none: nothing was wrong yet
  std::uint64_t right_until_ = 0;                    ///< the last step that was checked and right
  StatementTest statement_;                          ///< of the checks of the present configuration
  std::string problem_;                              ///< problem found by the check under way
  std::string note_;
};

}  // namespace orrery::sim
