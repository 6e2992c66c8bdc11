#pragma once

#include <string>
#include <vector>

#include "lab/bench/factor.h"
#include "lab/figures/accuracy_speed_plot.h"

namespace orrery::app {

/// The outcome of a step of a demonstration.
struct DemoResult {
  std::string step;
  std::string kernel;
  double gips = 0.0;           ///< median of the kernel, 1e9 interactions per second; 0: not measured
  double seconds = 0.0;        ///< median time of a force evaluation
  double error = 0.0;          ///< median relative force error; 0: not known
  double limit_percent = 0.0;  ///< percentage of the device's first limit; 0 if no limit is known
  std::string refusal;         ///< not empty: the step could not be set, and why
  std::string label = {};      ///< name for the audience
  lab::Spread spread = {};     ///< of the rate
  bool busy = false;           ///< other programs used the cores meanwhile
};

/// "step,kernel,gips,ms,error_median,percent_of_limit,remark" and a line for each; what is not known is
/// empty. The remark says why a step could not be set, or that the machine was busy.
std::string demo_csv(const std::vector<DemoResult>& results);

/// The measured steps, as an audience compares them.
class DemoComparison {
 public:
  /// Compares the measured ones of `results`, and `present` if it is not null.
  DemoComparison(const std::vector<DemoResult>& results, const DemoResult* present);

  const std::vector<DemoResult>& rows() const { return rows_; }
  /// True if the steps evaluate different numbers of interactions, as a tree and all pairs do: then the times
  /// of an evaluation are compared, not the rates.
  bool by_time() const { return by_time_; }
  /// The quantity that is compared: "GInteractions/s", or "time for all forces".
  std::string quantity() const;
  /// "41.2", or "203 ms".
  std::string text(const DemoResult& row) const;
  /// The length of a step's bar, relative to that of the fastest: 0 to 1.
  double length(const DemoResult& row) const;
  /// The last over the first.
  lab::Factor factor() const;

 private:
  lab::MeasuredSpeed speed(const DemoResult& row) const;

  std::vector<DemoResult> rows_;
  bool by_time_ = false;
};

/// Error over time of the measured steps, each dot with its step's name for the audience: those of `results`,
/// and `present`, which computes now, if it is not null.
lab::AccuracySpeedPlot board_of(const std::vector<DemoResult>& results, const DemoResult* present);

/// "3.1e-7": the sign of the power, without a zero before it; "?" if it is not known.
std::string short_error(double error);

}  // namespace orrery::app
