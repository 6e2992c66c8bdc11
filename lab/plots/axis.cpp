#include "lab/plots/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace orrery::plots {

namespace {

/// Below this a power of ten is written as such.
constexpr int smallest_plain_exponent = -3;
constexpr int largest_plain_exponent = 5;

/// Digits behind the point that tell multiples of `step` apart.
int decimals_of(double step) {
  constexpr int most = 12;
  for (int digits = 0; digits < most; ++digits) {
    const double scaled = step * std::pow(10.0, digits);
    if (std::abs(scaled - std::round(scaled)) < 1e-6 * scaled) return digits;
  }
  return most;
}

/// With the sign that is as wide as a plus.
std::string with_minus(std::string text) {
  for (std::size_t at = 0; (at = text.find('-', at)) != std::string::npos;) text.replace(at, 1, "−");
  return text;
}

/// "3.5×10^{6}", or "10^{6}" where the factor is 1.
std::string power_text(double factor, int decimals, int exponent) {
  if (factor == 1.0 && decimals == 0) return with_minus(fmt::format("10^{{{}}}", exponent));
  return with_minus(fmt::format("{:.{}f}×10^{{{}}}", factor, decimals, exponent));
}

/// A multiple of `step` on an axis whose larger end is about 10^exponent.
std::string linear_text(double value, double step, int exponent) {
  if (value == 0.0) return "0";
  if (exponent > largest_plain_exponent || exponent < smallest_plain_exponent) {
    const double unit = std::pow(10.0, exponent);
    return power_text(value / unit, decimals_of(step / unit), exponent);
  }
  return with_minus(fmt::format("{:.{}f}", value, decimals_of(step)));
}

/// The smallest of 1, 2, 2.5, 5 times a power of ten that is not below `least`.
double round_step(double least) {
  const double unit = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (factor * unit >= least * (1.0 - 1e-9)) return factor * unit;
  return 10.0 * unit;
}

/// At multiples of the step; with too few of them on the axis, of a smaller one.
std::vector<Tick> linear_ticks(const Axis& axis, int wanted) {
  constexpr int most_wanted = 12;
  const double length = axis.high - axis.low;
  const double step = round_step(length / std::max(wanted, 1));
  const double larger = std::max(std::abs(axis.low), std::abs(axis.high));
  const int exponent = static_cast<int>(std::floor(std::log10(larger)));
  const double slack = 1e-9 * length / step;
  const auto first = std::llround(std::ceil(axis.low / step - slack));
  const auto last = std::llround(std::floor(axis.high / step + slack));
  std::vector<Tick> all;
  for (auto k = first; k <= last; ++k) {
    const double value = static_cast<double>(k) * step;
    all.push_back({value, linear_text(value, step, exponent)});
  }
  return all.size() > 1 || wanted > most_wanted ? all : linear_ticks(axis, wanted + 1);
}

/// With `powers` all but the smallest numbers are written as powers.
std::string log_text(double factor, int exponent, bool powers) {
  if (powers && exponent != 0 && exponent != 1)
    return power_text(factor, factor == std::floor(factor) ? 0 : 1, exponent);
  return fmt::format("{:.{}f}", factor * std::pow(10.0, exponent),
                     std::max(-exponent + (factor == std::floor(factor) ? 0 : 1), 0));
}

/// Those factors times every `stride`-th power of ten.
std::vector<Tick> log_ticks(const Axis& axis, std::span<const double> factors, int stride) {
  const double slack = 1e-9;
  const auto first = static_cast<int>(std::floor(std::log10(axis.low)));
  const auto last = static_cast<int>(std::floor(std::log10(axis.high) + slack));
  const bool powers = first < smallest_plain_exponent || last > largest_plain_exponent - 1;
  std::vector<Tick> all;
  for (int exponent = first; exponent <= last; ++exponent) {
    if (exponent % stride != 0) continue;
    for (const double factor : factors) {
      const double value = factor * std::pow(10.0, exponent);
      if (value >= axis.low * (1.0 - slack) && value <= axis.high * (1.0 + slack))
        all.push_back({value, log_text(factor, exponent, powers)});
    }
  }
  return all;
}

std::vector<Tick> log_ticks(const Axis& axis, int wanted) {
  constexpr std::array one{1.0};
  constexpr std::array few{1.0, 3.0};
  constexpr std::array some{1.0, 2.0, 5.0};
  constexpr std::array many{1.0, 1.5, 2.0, 3.0, 5.0, 7.0};
  const double decades = std::log10(axis.high / axis.low);
  if (decades < 0.3) return linear_ticks(axis, wanted);
  const auto count = static_cast<double>(std::max(wanted, 1));
  for (const auto factors :
       {std::span<const double>(many), std::span<const double>(some), std::span<const double>(few)}) {
    if (static_cast<double>(factors.size()) * decades > count) continue;
    if (auto all = log_ticks(axis, factors, 1); all.size() > 1) return all;
  }
  for (int stride = static_cast<int>(std::ceil(decades / (1.25 * count))); stride > 0; --stride)
    if (auto all = log_ticks(axis, one, stride); all.size() > 1) return all;
  for (const auto factors : {std::span<const double>(some), std::span<const double>(many)})
    if (auto all = log_ticks(axis, factors, 1); all.size() > 1) return all;
  return linear_ticks(axis, wanted);
}

/// Those of the values that lie on the axis, as far as their texts do not come too near to each other.
std::vector<Tick> given_ticks(const Axis& axis, int wanted) {
  const double apart = 0.7 / std::max(wanted, 1);
  std::vector<Tick> all;
  for (const double value : axis.at) {
    const double place = axis.place(value);
    if (place < -1e-6 || place > 1.0 + 1e-6) continue;
    if (!all.empty() && place - axis.place(all.back().value) < apart) continue;
    all.push_back({value, with_minus(fmt::format("{:g}", value))});
  }
  return all;
}

std::vector<Tick> category_ticks(const Axis& axis) {
  std::vector<Tick> all;
  for (std::size_t k = 0; k < axis.categories.size(); ++k)
    all.push_back({static_cast<double>(k), axis.categories[k]});
  return all;
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool empty() const { return low > high; }
};

Range range_of(Scale scale, std::span<const double> values) {
  Range range;
  for (const double value : values) {
    if (!std::isfinite(value) || (scale == Scale::logarithmic && value <= 0.0)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  return range;
}

/// Wide enough for ticks that differ in double precision.
void widen(Axis& axis) {
  if (axis.scale == Scale::logarithmic) {
    if (axis.high / axis.low > 1.0 + 1e-6) return;
    axis.low = std::max(axis.low / 3.0, std::numeric_limits<double>::min());
    axis.high = std::min(axis.high * 3.0, 1e300);
    return;
  }
  const double larger = std::max(std::abs(axis.low), std::abs(axis.high));
  if (axis.high - axis.low > 1e-9 * larger) return;
  const double by = larger > 0.0 ? 0.5 * larger : 1.0;
  axis.low -= by;
  axis.high += by;
}

}  // namespace

double Axis::place(double value) const {
  if (scale == Scale::linear) return (value - low) / (high - low);
  return std::log(std::max(value, std::numeric_limits<double>::min()) / low) / std::log(high / low);
}

double Axis::value_at(double place) const {
  if (scale == Scale::linear) return low + place * (high - low);
  return low * std::pow(high / low, place);
}

std::vector<Tick> ticks(const Axis& axis, int wanted) {
  if (axis.durations) {
    auto numbers = axis;
    numbers.durations = false;
    auto all = ticks(numbers, wanted);
    for (auto& tick : all) tick.text = duration_text(tick.value);
    return all;
  }
  if (!axis.categories.empty()) return category_ticks(axis);
  if (!axis.at.empty()) return given_ticks(axis, wanted);
  const bool has_length = std::isfinite(axis.high - axis.low) && axis.high > axis.low;
  if (!has_length || (axis.scale == Scale::logarithmic && axis.low <= 0.0)) return {};
  return axis.scale == Scale::linear ? linear_ticks(axis, wanted) : log_ticks(axis, wanted);
}

std::vector<double> minor_ticks(const Axis& axis) {
  constexpr double many_decades = 12.0;
  if (axis.scale == Scale::linear || !axis.categories.empty() || !axis.at.empty() ||
      std::log10(axis.high / axis.low) > many_decades)
    return {};
  constexpr std::array factors{2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0};
  std::vector<double> all;
  for (const auto& tick : log_ticks(axis, factors, 1)) all.push_back(tick.value);
  return all;
}

Axis fitted(std::string label, Scale scale, std::span<const double> values, double margin) {
  const auto range = range_of(scale, values);
  Axis axis{.label = std::move(label), .scale = scale};
  if (range.empty()) {
    if (scale == Scale::logarithmic) axis.low = 0.1;
    return axis;
  }
  axis.low = range.low;
  axis.high = range.high;
  widen(axis);
  const Axis tight = axis;
  axis.low = tight.value_at(-margin);
  axis.high = tight.value_at(1.0 + margin);
  return axis;
}

Axis from_zero(std::string label, Scale scale, std::span<const double> values, double margin) {
  const auto range = range_of(scale, values);
  Axis axis{.label = std::move(label), .scale = scale};
  if (scale == Scale::logarithmic) {
    if (range.empty()) return fitted(axis.label, scale, values);
    axis.low = std::pow(10.0, std::floor(std::log10(range.low) - 0.05));
    axis.high = axis.low * std::pow(std::max(range.high / axis.low, 10.0), 1.0 + margin);
    return axis;
  }
  axis.low = range.empty() ? 0.0 : std::min(range.low * (1.0 + margin), 0.0);
  axis.high = range.empty() ? 1.0 : std::max(range.high * (1.0 + margin), 0.0);
  if (axis.low == axis.high) axis.high = 1.0;
  return axis;
}

Axis of_categories(std::string label, std::vector<std::string> names) {
  const auto places = static_cast<double>(std::max<std::size_t>(names.size(), 1));
  return {.label = std::move(label),
          .low = -0.5,
          .high = places - 0.5,
          .categories = std::move(names),
          .grid = false};
}

std::string short_number(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const double size = std::abs(value);
  if (size == 0.0) return "0";
  // Of the rounded number: 9.999e5 is 10^6.
  const auto scientific = fmt::format("{:.2e}", value);
  const auto mark = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(mark + 1));
  if (exponent > largest_plain_exponent || exponent < smallest_plain_exponent)
    return with_minus(fmt::format("{}×10^{{{}}}", scientific.substr(0, mark), exponent));
  return with_minus(fmt::format("{:.{}f}", value, std::max(2 - exponent, 0)));
}

std::string duration_text(double seconds) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr std::array units{Unit{1.0, "s"}, Unit{1e-3, "ms"}, Unit{1e-6, "µs"}, Unit{1e-9, "ns"}};
  // The rounded number decides: 0.9999 s are 1 s.
  const auto found = std::ranges::find_if(
      units, [&](const Unit& unit) { return std::abs(seconds) >= 0.9995 * unit.seconds; });
  const auto& unit = seconds == 0.0 ? units.front() : found == units.end() ? units.back() : *found;
  const double value = seconds / unit.seconds;
  const auto number = std::abs(value) < 1000.0 ? fmt::format("{:.3g}", value) : short_number(value);
  return with_minus(number) + " " + unit.name;
}

std::string plain_text(const std::string& text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const auto rest = std::string_view(text).substr(at);
    const auto is = [&](std::string_view part) { return rest.starts_with(part); };
    if (is("−")) {
      plain += '-';
      at += std::string_view("−").size();
    } else if (is("×10^{")) {
      plain += 'e';
      at += std::string_view("×10^{").size();
    } else if (is("10^{")) {
      plain += "1e";
      at += std::string_view("10^{").size();
    } else {
      if (text[at] != '}') plain += text[at];
      ++at;
    }
  }
  return plain;
}

}  // namespace orrery::plots
