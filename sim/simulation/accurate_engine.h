#pragma once

#include <cstdint>
#include <memory>

#include "sim/engines/engine_decorator.h"

namespace orrery::sim {

/// An engine that finds what `accuracy` and kernel=auto (or family=auto) ask for. The engine within is told
/// alpha, and tree or direct sums.
///
/// Before the first step, and again every `check_interval` steps, steps are made on trial: the forces on a
/// stratified sample are compared with double precision, the state is put back, and alpha follows from the
/// error. The alpha that is chosen is one that was tried, and so are direct sums where kernel=auto takes
/// them. If none reaches the accuracy, the most accurate one is used, and the report says so
/// (EngineReport::shortfall). All of this depends on bodies, options and numbers of steps alone: not on
/// threads or time. It is kept in saved states. Where accuracy is 0 and nothing is automatic, everything goes
/// through untouched.
class AccurateEngine final : public EngineDecorator {
 public:
  static constexpr std::uint64_t check_interval = 512;

  /// `options` must outlive this engine; `configuration` is what the engine within has.
  AccurateEngine(std::unique_ptr<Engine> engine, const OptionTable& options,
                 const Configuration& configuration);

  void load(const Bodies& bodies, double time) override;
  /// Ends the measurement of errors: one process knows forces on its own bodies only.
  void set_partition(BodyRange targets, StateExchange& exchange) override {
    EngineDecorator::set_partition(targets, exchange);
    shared_ = true;
  }
  void configure(const Configuration& configuration) override;
  bool advance(const WorkBudget& budget) override;
  EngineState save_state() override;
  bool restore_state(const EngineState& state) override;
  EngineReport report() const override;
  void observe(const SampleRequest& wanted) override;
  Samples poll() override;

 private:
  /// The choice that was found, in the form of a checkpoint.
  struct Choice {
    std::int32_t step = 0;    ///< alpha (alpha_of_step)
    std::int32_t direct = 0;  ///< 1: every pair is summed
    std::uint64_t check = 0;  ///< the number of steps at which the error is looked at next
    double wanted = 0.0;      ///< the accuracy that it was found for; 0: none is asked for
    double error = 0.0;       ///< measured error; 0: not measured
  };

  static bool is_few(const Configuration& configuration, const Choice& choice, std::size_t bodies);
  Choice first_choice(const Configuration& configuration, std::size_t bodies) const;
  Configuration within(const Configuration& configuration, const Choice& choice) const;
  void choose(const Choice& choice);
  bool is_due() const;
  bool measure(const std::atomic<bool>* interrupt);
  bool search_alpha(const EngineState& state, const std::atomic<bool>* interrupt);
  bool try_direct(const EngineState& state, const std::atomic<bool>* interrupt);
  bool make_trial(const EngineState& state, const std::atomic<bool>* interrupt, double& error);
  bool reaches(const Choice& choice) const;
  std::string shortfall() const;
  void keep(Samples arrivals);

  const OptionTable& options_;
  Configuration configuration_;  ///< as asked for
  Choice choice_;
  std::size_t largest_ = 0;  ///< bodies of the largest galaxy
  std::vector<float> mass_;  ///< mass_, component_ and galaxies_: the loaded bodies, for samples
  std::vector<Component> component_;
  std::vector<GalaxyRange> galaxies_;
  std::uint64_t steps_ = 0;  ///< steps begun and completed by this engine
  bool shared_ = false;      ///< the bodies are shared with other processes
  bool under_way_ = false;   ///< a step has begun and is not complete
  SampleRequest asked_;      ///< outstanding request for a force sample
  Samples kept_;             ///< samples that arrived while the error was measured
};

}  // namespace orrery::sim
