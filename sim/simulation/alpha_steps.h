#pragma once

#include <optional>
#include <vector>

// alpha on a grid of quarters of a factor of two: the same alpha is found again from an error that differs in
// its last digits, and a checkpoint keeps a whole number.
namespace orrery::sim {

/// alpha = 0.01 2^(step / 4).
double alpha_of_step(int step);
/// The nearest step, of those from 1e-8 to 0.1.
int step_of_alpha(double alpha);

/// Ratios of error to requested error between which alpha stays.
struct AccuracyBand {
  double low = 0.0, high = 0.0;
};
/// Bands of the first search and of later checks, which are wider so that alpha does not oscillate about an
/// edge.
inline constexpr AccuracyBand first_band{0.6, 1.0}, later_band{0.45, 1.3};

/// The step to try where `step` gave `error`: the same within the band, at most a factor of 16 in alpha away.
int corrected_step(int step, double error, double wanted, const AccuracyBand& band);

/// The search for the largest alpha within the requested error. It ends on a step that was tried.
class AlphaSearch {
 public:
  /// Begins with `step`, which is to be tried. The first trial is judged by `first`, those after a correction
  /// by first_band.
  AlphaSearch(int step, double wanted, const AccuracyBand& first);

  /// The step to try, and at the end the one that was found.
  int step() const { return step_; }
  /// Takes the error that was found for step(). True if another step is to be tried.
  bool goes_on(double error);
  /// The error of the step that was found.
  double error() const { return error_; }

 private:
  struct MeasuredAlpha {
    int step = 0;
    double error = 0.0;
  };
  int next_step(double error) const;
  void end();

  int step_;
  double wanted_, error_;
  AccuracyBand band_;
  std::vector<MeasuredAlpha> tried_;
  /// The largest step within the requested error, and the smallest with a larger one.
  std::optional<int> good_, bad_;
};

/// The number of bodies of a galaxy from which on a tree with this alpha is faster than direct sums, as was
/// measured (docs/trees.md). Infinite for alpha = 0.
double fewest_for_tree(double alpha, bool on_gpu);

}  // namespace orrery::sim
