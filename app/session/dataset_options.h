#pragma once

#include <string>
#include <vector>

#include "lab/bench/tuned.h"
#include "sim/options/configuration.h"

namespace orrery::app {

struct LoadedDataset;

/// The options that a dataset opens with, from those of the dataset before it: what the scene suggests, what
/// `orrery tune` remembered, what suits its bodies, and what the command line assigned, which wins.
class DatasetOptions {
 public:
  /// `assignments` of the command line hold for every dataset.
  DatasetOptions(const sim::OptionTable& table, std::vector<std::string> assignments);

  /// Results of `orrery tune`, to start with where they fit. Set before the first dataset opens.
  void use_tuned(std::vector<lab::TunedResult> results) { tuned_ = std::move(results); }
  /// A person set this option: what computes is chosen for them no longer.
  void note_choice(const sim::Option& option);
  /// The options to open `dataset` with. `first`: no dataset was open before. Throws sim::UsageError.
  sim::Configuration options_for(const LoadedDataset& dataset, const sim::Configuration& present, bool first);
  /// Notes about the dataset, including the reason for its initial time step (lab::notes_of) and doubts about
  /// a requested step (lab::time_step_note), which are logged too.
  std::vector<std::string> notes_on(const LoadedDataset& dataset, const sim::Configuration& settings) const;

 private:
  void assign(sim::Configuration& settings) const;
  bool start_tuned(sim::Configuration& settings, const sim::OptionContext& context) const;
  void suit_number_of_bodies(sim::Configuration& settings, const LoadedDataset& dataset);
  void suit_precision(sim::Configuration& settings, const LoadedDataset& dataset);

  const sim::OptionTable& table_;
  std::vector<std::string> assignments_;
  std::vector<lab::TunedResult> tuned_;
  bool chose_kernel_ = false;     ///< this class, for a dataset of many bodies
  bool chose_precision_ = false;  ///< this class, for a scene that wants it
  bool kernel_by_hand_ = false;   ///< a person chose it since the start
};

/// Takes everything that computes (engine, its options, physics) and the pace from `wanted` into `settings`;
/// the display stays. Returns why it is refused, and changes nothing then.
std::string set_computing(const sim::OptionTable& table, const sim::OptionContext& context,
                          sim::Configuration& settings, const sim::Configuration& wanted);

}  // namespace orrery::app
