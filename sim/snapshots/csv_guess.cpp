#include "sim/snapshots/csv_guess.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "sim/core/letters.h"

namespace orrery::sim {

namespace {

using Sample = std::span<const std::vector<double>>;
using Columns = std::vector<Column>;

/// The layouts in use: these are taken if they alone fit.
constexpr std::string_view usual =
    "x,y,z mass,x,y,z x,y,z,mass id,x,y,z x,y,z,id mass,x,y,vx,vy x,y,vx,vy,mass x,y,z,vx,vy,vz "
    "mass,x,y,z,vx,vy,vz x,y,z,vx,vy,vz,mass id,x,y,z,vx,vy,vz x,y,z,vx,vy,vz,id "
    "id,mass,x,y,z,vx,vy,vz id,x,y,z,vx,vy,vz,mass x,y,z,vx,vy,vz,mass,id mass,x,y,z,vx,vy,vz,-";
/// These are proposed, as are all of them with other columns before, after and between them.
constexpr std::string_view rare =
    "x,y x,y,vx,vy id,x,y,z,mass id,mass,x,y,z id,mass,x,y,vx,vy id,x,y,vx,vy,mass "
    "x,y,z,mass,vx,vy,vz time,x,y,z,vx,vy,vz time,x,y,z time,x,y,vx,vy time,x,y mass,x,y x,y,mass "
    "id,x,y x,vx,y,vy,z,vz mass,x,vx,y,vy,z,vz x,vx,y,vy,z,vz,mass vx,vy,vz,x,y,z "
    "mass,vx,vy,vz,x,y,z vx,vy,vz,x,y,z,mass";
constexpr std::size_t few = 3, some = 8, many = 16;
/// Components of one vector do not differ by more. In a factor of a hundred is a doubt.
constexpr double most_unlike = 1e6, doubtful = 100.0, clearly = 3.0;

constexpr std::array places{Column::x, Column::y, Column::z};
constexpr std::array velocities{Column::vx, Column::vy, Column::vz};

std::optional<std::size_t> where(const Columns& columns, Column column) {
  const auto found = std::ranges::find(columns, column);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

/// The columns of a vector's components that there are.
std::vector<std::size_t> parts(const Columns& columns, std::span<const Column> vector) {
  std::vector<std::size_t> found;
  for (const auto component : vector)
    if (const auto column = where(columns, component)) found.push_back(*column);
  return found;
}

/// Velocities between the places or before them.
bool is_mixed(const Columns& columns) {
  const auto first_speed = std::ranges::find(columns, Column::vx);
  return std::ranges::find(first_speed, columns.end(), Column::y) != columns.end();
}

/// The value that such a share of others does not exceed; 0 of none.
double at_share(std::vector<double> values, double share) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return 0.0;
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size()));
  std::ranges::nth_element(values, place);
  return *place;
}

/// Statistics of a column; missing numbers are left out.
struct Numbers {
  double least = INFINITY, most = -INFINITY;
  double middle = 0.0;  ///< the median of the magnitudes
  std::size_t distinct = 0;
  bool whole = true, rising = true;
  bool counts = true;   ///< 0, 1, 2, ... or 1, 2, 3, ...
  bool even = true;     ///< rises by the same from row to row
  bool smooth = false;  ///< changes little from row to row, as along an orbit

  Numbers(Sample sample, std::size_t column);
  /// The largest magnitude.
  double reach() const { return distinct == 0 ? 0.0 : std::max(-least, most); }
};

Numbers::Numbers(Sample sample, std::size_t column) {
  std::set<double> values;
  std::vector<double> sizes;
  double next = sample.front()[column];
  counts = next == 0.0 || next == 1.0;
  for (const auto& row : sample) {
    const double value = row[column];
    whole = whole && is_integer(value);
    counts = counts && value == next++;
    if (std::isnan(value)) continue;
    rising = rising && !(value < most);
    least = std::min(least, value);
    most = std::max(most, value);
    values.insert(value);
    sizes.push_back(std::abs(value));
  }
  distinct = values.size();
  middle = at_share(std::move(sizes), 0.5);
  const double first = sample.front()[column], last = sample.back()[column];
  const double rise = (last - first) / static_cast<double>(std::max<std::size_t>(sample.size() - 1, 1));
  double way = 0.0;
  for (std::size_t i = 1; i < sample.size(); ++i) {
    const double change = sample[i][column] - sample[i - 1][column];
    even = even && std::abs(change - rise) <= 1e-3 * std::abs(rise);
    way += std::abs(change);
  }
  // Of numbers in any order the mean change is a third of their range.
  constexpr double small_part = 0.15;
  even = even && rise > 0.0 && sample.size() > few;
  smooth = sample.size() >= some && way < small_part * static_cast<double>(sample.size()) * (most - least);
}

/// A layout with what the rows say of it.
struct Candidate {
  Columns columns;
  int doubts = 0;
  double unlikeness = 0.0;

  bool moves() const { return where(columns, Column::vx).has_value(); }
};

/// Correlation of two lists of numbers, from -1 to 1, and the slope of the second over the first.
struct Trend {
  double correlation = 0.0, slope = 0.0;
  std::size_t count = 0;
};
Trend trend_of(const std::vector<double>& a, const std::vector<double>& b) {
  double of_a = 0.0, of_b = 0.0, aa = 0.0, ab = 0.0, bb = 0.0;
  Trend trend;
  const auto usable = [&](std::size_t i) { return std::isfinite(a[i]) && std::isfinite(b[i]); };
  for (std::size_t i = 0; i < a.size(); ++i)
    if (usable(i)) ++trend.count, of_a += a[i], of_b += b[i];
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!usable(i)) continue;
    const double da = a[i] - of_a / static_cast<double>(trend.count),
                 db = b[i] - of_b / static_cast<double>(trend.count);
    aa += da * da, ab += da * db, bb += db * db;
  }
  trend.correlation = aa > 0.0 && bb > 0.0 ? ab / std::sqrt(aa * bb) : 0.0;
  trend.slope = aa > 0.0 ? ab / aa : 0.0;
  return trend;
}

/// Tells how well a layout fits the rows.
class Evidence {
 public:
  Evidence(Sample sample, bool named) : sample_(sample), rows_(sample.size()), named_(named) {
    for (std::size_t k = 0; k < sample.front().size(); ++k) columns_.emplace_back(sample, k);
  }

  /// Right ascension, declination and a distance, or longitude and latitude, in degrees.
  bool are_directions(const Columns& columns) const {
    const auto xyz = parts(columns, places);
    if (xyz.size() < 3 || rows_ < some) return false;
    const auto &longitude = columns_[xyz[0]], &latitude = columns_[xyz[1]];
    return longitude.least >= 0.0 && longitude.most > 180.0 && longitude.most <= 360.0 &&
           latitude.least < 0.0 && latitude.reach() <= 90.0 && columns_[xyz[2]].least > 0.0;
  }

  /// Places and velocities in turn give vectors whose components are more alike, by more than chance does.
  bool is_interleaved(const Columns& taken, const Columns& other) const {
    const auto unlike = [&](const Columns& columns) {
      return unlikeness(columns, [](const Numbers& numbers) { return numbers.middle; });
    };
    const auto is_usual = [&](std::size_t column) { return columns_[column].middle > 0.0; };
    return is_mixed(other) && rows_ >= some && std::ranges::all_of(parts(taken, places), is_usual) &&
           std::ranges::all_of(parts(taken, velocities), is_usual) &&
           unlike(other) < unlike(taken) - 5.0 / std::sqrt(static_cast<double>(rows_));
  }

  bool fits(const Columns& columns, bool usual_layout) const {
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (!fits(columns[k], k, usual_layout)) return false;
    const auto is_zero = [&](std::size_t column) { return columns_[column].reach() == 0.0; };
    const bool in_one_place = rows_ > 1 && std::ranges::all_of(parts(columns, places), is_zero);
    return !in_one_place && spread(columns, places, reach_of) <= most_unlike &&
           spread(columns, velocities, reach_of) <= most_unlike &&
           !(has_many_rows() && are_positive_velocities(columns));
  }

  /// Of two that fit: its masses have much fewer different values, else its vectors are more alike.
  bool is_likelier(const Candidate& a, const Candidate& b) const {
    if (rows_ < few) return false;
    const auto mass_a = where(a.columns, Column::mass), mass_b = where(b.columns, Column::mass);
    if (mass_a && mass_b && mass_a != mass_b) {
      const auto of_a = columns_[*mass_a].distinct, of_b = columns_[*mass_b].distinct;
      if (2 * of_a <= of_b || 2 * of_b <= of_a) return of_a < of_b;
    }
    if (a.doubts != b.doubts) return a.doubts < b.doubts;
    return a.unlikeness < b.unlikeness - std::log(clearly);
  }

  /// Masses of stars and planets differ by more powers of ten than their radii, numbers or inclinations; -1:
  /// there are none, or some are 0.
  double spread_of_masses(const Columns& columns) const {
    const auto mass = where(columns, Column::mass);
    if (!mass || columns_[*mass].least <= 0.0) return -1.0;
    return std::floor(std::log10(columns_[*mass].most / columns_[*mass].least));
  }

  Candidate judged(const Columns& columns) const {
    return {columns, doubts(columns), unlikeness(columns, reach_of)};
  }
  bool has_many_rows() const { return rows_ >= some; }

 private:
  /// Whole numbers, all different, which increase or are many; or all -1.
  bool holds_ids(std::size_t column) const {
    constexpr double most = 4294967296.0;  // masses in solar masses are above
    const auto& numbers = columns_[column];
    if (named_ || !numbers.whole) return false;
    if (numbers.least == -1.0 && numbers.most == -1.0) return true;
    return numbers.least >= 0.0 && numbers.most < most && numbers.distinct == rows_ &&
           (numbers.rising || rows_ >= many);
  }

  /// Ids count, or would repeat if they were drawn by chance. Places can be as whole: beside a column of the
  /// same kind numbers may be these.
  bool are_certain_ids(std::size_t column) const {
    const auto& numbers = columns_[column];
    const auto& next = columns_[column + 1 < columns_.size() ? column + 1 : column - 1];
    if (!holds_ids(column) || rows_ < few || (next.whole && next.distinct == rows_)) return false;
    if (numbers.counts) return true;
    // n numbers out of R are all different with a probability of exp(-n^2 / 2R).
    constexpr double sure = 7.0;
    const auto n = static_cast<double>(rows_);
    return rows_ >= many && n * n > 2.0 * sure * (numbers.most - numbers.least + 1.0);
  }

  /// The factor by which components of a vector differ in such a measure; those that are all zero do not
  /// count.
  template <typename Measure>
  double spread(const Columns& columns, std::span<const Column> vector, const Measure& measure) const {
    double least = INFINITY, most = 0.0;
    for (const auto column : parts(columns, vector)) {
      const double size = measure(columns_[column]);
      if (size > 0.0) least = std::min(least, size), most = std::max(most, size);
    }
    return most > 0.0 ? most / least : 1.0;
  }
  static double reach_of(const Numbers& numbers) { return numbers.reach(); }

  /// The product of the factors by which components of one vector differ, as a logarithm.
  template <typename Measure>
  double unlikeness(const Columns& columns, const Measure& measure) const {
    return std::log(spread(columns, places, measure)) + std::log(spread(columns, velocities, measure));
  }

  /// Velocities are negative somewhere; masses, radii and softenings nowhere.
  bool are_positive_velocities(const Columns& columns) const {
    const auto is_positive = [&](Column component) {
      const auto column = where(columns, component);
      return column && columns_[*column].least > 0.0;
    };
    return where(columns, Column::vz) ? std::ranges::all_of(velocities, is_positive)
                                      : std::ranges::any_of(velocities, is_positive);
  }

  /// A component has one sign, or one value, where others have not.
  bool is_odd(const Columns& columns, std::span<const Column> vector) const {
    bool one_sign = false, both_signs = false, one_value = false, values = false;
    for (const auto column : parts(columns, vector)) {
      const auto& numbers = columns_[column];
      if (numbers.reach() == 0.0) continue;
      one_sign = one_sign || numbers.least > 0.0;
      both_signs = both_signs || numbers.least < 0.0;
      (numbers.distinct == 1 ? one_value : values) = true;
    }
    return rows_ >= few && ((one_sign && both_signs) || (one_value && values));
  }

  /// Masses that may be ids, since they are whole and all different, or kinds of bodies, since they are few.
  bool are_odd_masses(std::size_t column) const {
    constexpr double largest_id = 1e19, largest_kind = 16.0;
    constexpr std::size_t fewest = 5;
    const auto& numbers = columns_[column];
    if (named_ || !numbers.whole || rows_ < fewest) return false;
    const bool may_be_ids = numbers.distinct == rows_ && numbers.most < largest_id;
    const bool may_be_kinds = has_many_rows() && numbers.most < largest_kind && numbers.distinct > 1 &&
                              2 * numbers.distinct <= rows_;
    return may_be_ids || may_be_kinds;
  }

  /// The rows are one body at many times: the first column rises evenly, and the others change little.
  bool is_orbit(const Columns& columns) const {
    const auto x = where(columns, Column::x), y = where(columns, Column::y);
    return columns_.front().even && x && y && *x > 0 && columns_[*x].smooth && columns_[*y].smooth;
  }

  /// The lengths of a vector in the rows, or those of the differences between rows that far from each other.
  std::vector<double> lengths(const Columns& columns, std::span<const Column> vector,
                              std::size_t stride = 0) const {
    const auto components = parts(columns, vector);
    std::vector<double> found;
    for (std::size_t i = stride; i < rows_; ++i) {
      double squared = 0.0;
      for (const auto column : components) {
        const double part = sample_[i][column] - (stride > 0 ? sample_[i - stride][column] : 0.0);
        squared += part * part;
      }
      found.push_back(std::sqrt(squared));
    }
    return found;
  }

  /// Of bodies on orbits around one, v^2 r is about the same: where speed falls off faster than as 1 / r,
  /// places and velocities may have been taken for each other.
  bool is_turned(const Columns& columns) const {
    constexpr double steep = -1.0, sure = -0.9;
    constexpr std::size_t enough = 5;
    auto far = lengths(columns, places), fast = lengths(columns, velocities);
    for (auto* const each : {&far, &fast})
      for (auto& length : *each) length = std::log(length);
    const auto trend = trend_of(far, fast);
    return trend.count >= enough && trend.correlation < sure && trend.slope < steep;
  }

  /// In systems that hold together bodies can be far out, but none is fast for long: where velocities differ
  /// more from their usual differences than places do, these may have been taken for each other.
  bool are_far_flung(const Columns& columns) const {
    constexpr std::size_t enough = 50;
    constexpr double sure = 0.7;
    const auto tail = [&](std::span<const Column> vector) {
      std::vector<double> all;
      for (const std::size_t stride : {1U, 2U, 3U, 5U, 8U, 13U})
        std::ranges::copy(lengths(columns, vector, stride), std::back_inserter(all));
      const double middle = at_share(all, 0.5);
      return middle > 0.0 ? at_share(all, 0.95) / middle : 0.0;
    };
    const double of_places = tail(places);
    return rows_ >= enough && of_places > 0.0 && of_places < sure * tail(velocities);
  }

  /// A density falls, and a smoothing length rises, with the distance from the middle. Masses do so little.
  bool follow_distance(const Columns& columns, std::size_t mass) const {
    constexpr std::size_t enough = 30;
    constexpr double sure = 0.7;
    if (rows_ < enough || 2 * columns_[mass].distinct < rows_) return false;
    const auto ranks = [](const std::vector<double>& values) {
      auto sorted = values;
      std::ranges::sort(sorted);
      std::vector<double> found;
      for (const double value : values)
        found.push_back(static_cast<double>(std::ranges::lower_bound(sorted, value) - sorted.begin()));
      return found;
    };
    std::vector<double> distances(rows_), masses;
    for (const auto& row : sample_) masses.push_back(row[mass]);
    for (const auto column : parts(columns, places)) {
      std::vector<double> values;
      for (const auto& row : sample_) values.push_back(row[column]);
      const double middle = at_share(values, 0.5);
      for (std::size_t i = 0; i < rows_; ++i) distances[i] += (values[i] - middle) * (values[i] - middle);
    }
    const auto is_number = [](double value) { return std::isfinite(value); };
    return std::ranges::all_of(distances, is_number) && std::ranges::all_of(masses, is_number) &&
           std::abs(trend_of(ranks(distances), ranks(masses)).correlation) > sure;
  }

  /// Counts what is unusual about a layout.
  int doubts(const Columns& columns) const {
    const auto mass = where(columns, Column::mass);
    return (is_odd(columns, places) ? 1 : 0) + (is_odd(columns, velocities) ? 1 : 0) +
           (rows_ >= few && are_positive_velocities(columns) ? 1 : 0) +
           (mass && (are_odd_masses(*mass) || follow_distance(columns, *mass)) ? 1 : 0) +
           (is_turned(columns) || are_far_flung(columns) ? 1 : 0) +
           (is_orbit(columns) && !where(columns, Column::time) ? 2 : 0);
  }

  bool fits(Column meaning, std::size_t column, bool usual_layout) const {
    const auto& numbers = columns_[column];
    switch (meaning) {
      case Column::mass:
        return numbers.least >= 0.0 && numbers.most > 0.0 && !are_certain_ids(column) && !numbers.even;
      case Column::time:
        return numbers.even;
      case Column::id:
        return holds_ids(column) && (rows_ >= few || columns_.size() >= some) &&
               (column == 0 || (numbers.counts && rows_ >= few));
      case Column::x:
        return !are_certain_ids(column);
      case Column::skip:  // a small number that tells kinds of bodies apart
        return !usual_layout ||
               (numbers.whole && numbers.least >= 0.0 && numbers.most < 256.0 && numbers.most > 0.0);
      default:
        return true;
    }
  }

  Sample sample_;
  std::size_t rows_;
  bool named_;
  std::vector<Numbers> columns_;
};

bool is_gap(Column column) { return column == Column::skip; }

/// The layout with so many columns more that are skipped, all at one of the places where no vector is cut.
void add_with_gaps(const Columns& layout, std::size_t width, std::vector<Columns>& all) {
  const auto inside = [](Column column) {
    return column == Column::y || column == Column::z || column == Column::vy || column == Column::vz;
  };
  for (std::size_t at = layout.size() + 1; at-- > 0;) {
    if (at < layout.size() && inside(layout[at])) continue;
    auto wider = layout;
    wider.insert(wider.begin() + static_cast<std::ptrdiff_t>(at), width - layout.size(), Column::skip);
    all.push_back(std::move(wider));
  }
}

/// All that may be proposed, the likeliest first.
std::vector<Candidate> proposals(const Evidence& evidence, std::size_t width) {
  std::vector<Columns> all;
  const auto add = [&](std::string_view text) {
    const auto layout = columns_of_option(text);
    if (std::ranges::any_of(layout, is_gap) || layout.size() > width) return;
    if (layout.size() == width)
      all.push_back(layout);
    else if (!is_mixed(layout))
      add_with_gaps(layout, width, all);
  };
  std::ranges::for_each(split_text(usual, ' '), add);
  std::ranges::for_each(split_text(rare, ' '), add);
  std::vector<Candidate> fitting;
  for (const auto& layout : all)
    if (evidence.fits(layout, false)) fitting.push_back(evidence.judged(layout));
  std::ranges::stable_sort(fitting, {}, [&](const Candidate& each) {
    const auto& layout = each.columns;
    return std::tuple(each.doubts, std::ranges::count_if(layout, is_gap), -evidence.spread_of_masses(layout),
                      is_gap(layout.front()),
                      each.unlikeness + (is_mixed(layout) ? std::log(doubtful) : 0.0));
  });
  return fitting;
}

/// The layouts in use that fit; one, if it is likelier than each of the others.
std::vector<Candidate> usual_ones(const Evidence& evidence, std::size_t width) {
  std::vector<Candidate> fitting;
  for (const auto text : split_text(usual, ' '))
    if (const auto layout = columns_of_option(text); layout.size() == width && evidence.fits(layout, true))
      fitting.push_back(evidence.judged(layout));
  for (const auto& each : fitting) {
    const auto is_best = [&](const Candidate& other) {
      return &other == &each || evidence.is_likelier(each, other);
    };
    if (std::ranges::all_of(fitting, is_best)) return {each};
  }
  return fitting;
}

/// Reading the rows otherwise is less unusual. Of few rows, as unusual is enough.
bool is_less_odd(const Candidate& taken, const Candidate& other, bool few_rows) {
  // Of five columns a softening or radius at the end leaves no room for velocities.
  const bool says_less = taken.moves() && !other.moves() && taken.columns.size() > 5;
  const int more = other.doubts - taken.doubts;
  return more + (says_less ? 1 : 0) < 0 || (few_rows && taken.doubts > 0 && more <= 0);
}

/// Reading the rows otherwise, with columns left over at the end at most, gives vectors that are much more
/// alike, or velocities to few bodies that have none.
bool gives_more(const Candidate& taken, const Candidate& other, bool few_rows) {
  const auto gap = std::ranges::find_if(other.columns, is_gap);
  if (few_rows && other.moves() && !taken.moves() && gap == other.columns.end()) return true;
  return (other.moves() || !taken.moves()) && std::all_of(gap, other.columns.end(), is_gap) &&
         other.unlikeness < taken.unlikeness - std::log(doubtful);
}

bool is_doubtful(const Evidence& evidence, const Candidate& taken, const std::vector<Candidate>& others) {
  const bool few_rows = !evidence.has_many_rows();
  return std::ranges::any_of(others, [&](const Candidate& other) {
    return other.columns != taken.columns &&
           (is_less_odd(taken, other, few_rows) || gives_more(taken, other, few_rows) ||
            evidence.is_interleaved(taken.columns, other.columns));
  });
}

/// Of files that begin with numbers in lines of their own: N and R, or time and N, or step, N and time.
std::string_view layout_of_block(const Sample& sample, std::span<const double> block) {
  const auto width = sample.front().size();
  const auto is_color = [&](std::size_t k) {
    return std::ranges::all_of(
        sample, [&](const auto& row) { return is_integer(row[k]) && row[k] >= 0.0 && row[k] < 256.0; });
  };
  if (block.size() == 2 && width == 5) return "x,y,vx,vy,mass";
  if (block.size() == 2 && width == 8 && is_color(5) && is_color(6) && is_color(7))
    return "x,y,vx,vy,mass,red,green,blue";
  if (block.size() == 2 && width == 11) return "id,mass,x,y,z,vx,vy,vz,-,-,-";
  return block.size() >= 2 && width == 8 ? "id,mass,x,y,z,vx,vy,vz" : std::string_view();
}

}  // namespace

ColumnGuess guess_columns(Sample sample, bool named, std::span<const double> block) {
  const auto width = sample.front().size();
  const Evidence evidence(sample, named);
  if (const auto text = layout_of_block(sample, block); !text.empty())
    if (const auto layout = columns_of_option(text); evidence.fits(layout, false))
      return {.clear = true, .candidates = {layout}};
  auto others = proposals(evidence, width);
  const auto fitting = usual_ones(evidence, width);
  if (fitting.size() == 1)
    std::stable_partition(others.begin(), others.end(), [&](const Candidate& each) {
      return evidence.is_interleaved(fitting.front().columns, each.columns);
    });
  ColumnGuess asked;
  asked.directions = fitting.size() == 1 && evidence.are_directions(fitting.front().columns);
  if (fitting.size() == 1 && !asked.directions && !is_doubtful(evidence, fitting.front(), others))
    return {.clear = true, .candidates = {fitting.front().columns}};
  for (const auto& each : others) asked.candidates.push_back(each.columns);
  return asked;
}

}  // namespace orrery::sim
