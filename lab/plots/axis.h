#pragma once

#include <span>
#include <string>
#include <vector>

// Axes of plots: where a value lies, and at which values there are ticks. Knows nothing of drawing: figures
// in files (lab/figures) and plots in the panel use the same.
namespace orrery::plots {

/// Equal lengths for equal differences, or for equal ratios.
enum class Scale { linear, logarithmic };

/// A value that gets a mark and a text.
struct Tick {
  double value = 0.0;
  /// The tick's label, rounded to what the distance of the ticks needs. "10^{6}" and "2×10^{6}" have a
  /// raised part: see plain_text.
  std::string text;
};

/// An axis from `low` to `high`. Both are finite and differ; both are above 0 where it is logarithmic. With
/// `categories` it has a place for each of them: 0, 1, ...
struct Axis {
  std::string label;  ///< quantity with its unit: "bodies", "time, ms"
  Scale scale = Scale::linear;
  double low = 0.0;
  double high = 1.0;
  std::vector<std::string> categories = {};
  bool grid = true;             ///< lines through the figure at the ticks
  std::vector<double> at = {};  ///< ticks at these values instead of round ones; empty: round ones
  bool durations = false;       ///< values are seconds, and ticks name their unit: "20 ms", "5 s"

  /// 0 at `low`, 1 at `high`; outside of them below 0 or above 1. Of a logarithmic axis values of 0 and less
  /// lie far below.
  double place(double value) const;
  /// The value at that place.
  double value_at(double place) const;
};

/// About `wanted` ticks at round values between the ends: 1, 2, 2.5 or 5 times a power of ten apart; of a
/// logarithmic axis powers of ten, with 2 and 5 times them (and more) where there is room, and linear ticks
/// where the ends are less than twice apart. Of categories all that fit. At least two, unless there is one
/// category.
std::vector<Tick> ticks(const Axis& axis, int wanted);
/// The ticks between those of a logarithmic axis: 2, 3, ... 9 times the powers of ten, without texts. None
/// for linear axes.
std::vector<double> minor_ticks(const Axis& axis);

/// An axis that holds the finite ones of `values` (above 0 if logarithmic) with `margin` of its length at
/// both ends. One value, or none, gives an axis about it that has ticks.
Axis fitted(std::string label, Scale scale, std::span<const double> values, double margin = 0.04);
/// An axis from 0 without a margin there, for bars and times. Logarithmic: from the power of ten below.
Axis from_zero(std::string label, Scale scale, std::span<const double> values, double margin = 0.06);
/// A place for each name.
Axis of_categories(std::string label, std::vector<std::string> names);

/// Three significant digits for people, and all of a whole number: "0.0123", "1.23", "12345"; 1.23e7 as
/// "1.23×10^{7}".
std::string short_number(double value);
/// A duration with three significant digits, in the largest unit in which it is 1 or more: "20 ms", "1.5 s".
std::string duration_text(double seconds);
/// A text for where nothing can be raised, in ASCII: "−2×10^{−6}" as "-2e-6".
std::string plain_text(const std::string& text);

}  // namespace orrery::plots
