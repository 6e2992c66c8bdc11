#pragma once

#include <string>
#include <thread>

#include "lab/setup/dataset.h"
#include "lab/setup/progress_line.h"
#include "sim/core/progress.h"

namespace orrery::lab {

/// Follows work that tells a sim::Progress how far it is, with a line on the terminal, and asks it to stop
/// when a person interrupts (sim::interrupted). As long as it lives.
class Watch {
 public:
  /// `work` as for ProgressLine: "reading a.csv".
  explicit Watch(const std::string& work);

  /// The progress that the work reports to; valid as long as this object.
  sim::Progress* progress() { return &progress_; }

 private:
  void run(const std::stop_token& stop);

  sim::Progress progress_;
  ProgressLine line_;
  std::jthread thread_;  ///< last: it uses the rest
};

/// load_dataset with such a line. Throws sim::Cancelled when interrupted.
sim::Scene load_watched(const DatasetRequest& request);

}  // namespace orrery::lab
