#include "sim/snapshots/csv_guess.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "sim/core/letters.h"
#include "sim/core/percentile.h"

namespace orrery::sim {

namespace {

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

/// The value that such a share of others does not exceed; 0 of none.
double at_share(std::vector<double> values, double share) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return 0.0;
  return nth_smallest(values, static_cast<std::size_t>(share * static_cast<double>(values.size())));
}

/// Statistics of a column; missing numbers are left out.
struct Numbers {
  std::vector<double> values;
  double least = INFINITY, most = -INFINITY;
  double middle = 0.0;  ///< the median of the magnitudes
  std::size_t distinct = 0;
  bool whole = true, rising = true;
  bool counts = true;   ///< 0, 1, 2, ... or 1, 2, 3, ...
  bool even = true;     ///< rises by the same from row to row
  bool smooth = false;  ///< changes little from row to row, as along an orbit

  explicit Numbers(std::vector<double> of_rows);
  /// The largest magnitude.
  double reach() const { return distinct == 0 ? 0.0 : std::max(-least, most); }
  bool are_bytes() const { return whole && least >= 0.0 && most < 256.0; }
};

Numbers::Numbers(std::vector<double> of_rows) : values(std::move(of_rows)) {
  std::set<double> different;
  std::vector<double> sizes;
  double next = values.front();
  counts = next == 0.0 || next == 1.0;
  for (const double value : values) {
    sizes.push_back(std::abs(value));
    whole = whole && is_integer(value);
    counts = counts && value == next++;
    if (std::isnan(value)) continue;
    rising = rising && !(value < most);
    least = std::min(least, value);
    most = std::max(most, value);
    different.insert(value);
  }
  distinct = different.size();
  middle = at_share(std::move(sizes), 0.5);
  const auto rows = values.size();
  const double rise =
      (values.back() - values.front()) / static_cast<double>(std::max<std::size_t>(rows - 1, 1));
  double way = 0.0;
  for (std::size_t i = 1; i < rows; ++i) {
    const double change = values[i] - values[i - 1];
    even = even && std::abs(change - rise) <= 1e-3 * std::abs(rise);
    way += std::abs(change);
  }
  // Of numbers in any order the mean change is a third of their range.
  constexpr double small_part = 0.15;
  even = even && rise > 0.0 && rows > few;
  smooth = rows >= some && way < small_part * static_cast<double>(rows) * (most - least);
}

/// The components of a vector that there are, x first.
using Vector = std::vector<const Numbers*>;

/// A layout with the columns that it names, and what the rows say of it.
struct Candidate {
  Columns columns;
  Vector places = {}, velocities = {};
  const Numbers* mass = nullptr;
  int doubts = 0;
  double unlikeness = 0.0;

  bool moves() const { return !velocities.empty(); }
  /// Velocities between the places or before them.
  bool is_mixed() const {
    const auto first_speed = std::ranges::find(columns, Column::vx);
    return std::find(first_speed, columns.end(), Column::y) != columns.end();
  }
};

/// The lengths of a vector in the rows, or those of the differences between rows that far from each other.
std::vector<double> lengths(const Vector& vector, std::size_t stride = 0) {
  std::vector<double> found;
  for (std::size_t i = stride; i < vector.front()->values.size(); ++i) {
    double squared = 0.0;
    for (const auto* const component : vector) {
      const double part = component->values[i] - (stride > 0 ? component->values[i - stride] : 0.0);
      squared += part * part;
    }
    found.push_back(std::sqrt(squared));
  }
  return found;
}

/// The factor by which components of a vector differ in such a measure; those that are all zero do not count.
template <typename Measure>
double spread(const Vector& vector, const Measure& measure) {
  double least = INFINITY, most = 0.0;
  for (const auto* const component : vector) {
    const double size = std::invoke(measure, *component);
    if (size > 0.0) least = std::min(least, size), most = std::max(most, size);
  }
  return most > 0.0 ? most / least : 1.0;
}

/// The product of the factors by which components of one vector differ, as a logarithm.
template <typename Measure>
double unlikeness(const Candidate& layout, const Measure& measure) {
  return std::log(spread(layout.places, measure)) + std::log(spread(layout.velocities, measure));
}

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

std::vector<double> ranks(const std::vector<double>& values) {
  auto sorted = values;
  std::ranges::sort(sorted);
  std::vector<double> found;
  for (const double value : values)
    found.push_back(static_cast<double>(std::ranges::lower_bound(sorted, value) - sorted.begin()));
  return found;
}

/// Tells how well a layout fits the rows.
class Evidence {
 public:
  Evidence(const std::vector<std::vector<double>>& columns, bool named)
      : rows_(columns.front().size()), named_(named), columns_(columns.begin(), columns.end()) {}

  std::size_t width() const { return columns_.size(); }
  /// The factor by which the usual sizes of the columns differ.
  double spread_of_columns() const {
    Vector all;
    for (const auto& numbers : columns_) all.push_back(&numbers);
    return spread(all, &Numbers::middle);
  }
  bool has_many_rows() const { return rows_ >= some; }

  /// Judges a layout by the rows; empty if it does not fit.
  std::optional<Candidate> judged(const Columns& columns, bool usual_layout) const {
    Candidate layout{columns};
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (!fits(columns[k], k, usual_layout)) return std::nullopt;
      if (columns[k] == Column::mass) layout.mass = &columns_[k];
      if (is_place(columns[k])) layout.places.push_back(&columns_[k]);
      if (is_velocity(columns[k])) layout.velocities.push_back(&columns_[k]);
    }
    const auto is_zero = [](const Numbers* numbers) { return numbers->reach() == 0.0; };
    if ((rows_ > 1 && std::ranges::all_of(layout.places, is_zero)) ||
        spread(layout.places, &Numbers::reach) > most_unlike ||
        spread(layout.velocities, &Numbers::reach) > most_unlike ||
        (has_many_rows() && are_positive_velocities(layout)))
      return std::nullopt;
    layout.doubts = doubts(layout);
    layout.unlikeness = unlikeness(layout, &Numbers::reach);
    return layout;
  }

  /// Right ascension, declination and a distance, or longitude and latitude, in degrees.
  bool are_directions(const Candidate& layout) const {
    const auto& xyz = layout.places;
    return xyz.size() == 3 && has_many_rows() && xyz[0]->least >= 0.0 && xyz[0]->most > 180.0 &&
           xyz[0]->most <= 360.0 && xyz[1]->least < 0.0 && xyz[1]->reach() <= 90.0 && xyz[2]->least > 0.0;
  }

  /// Places and velocities in turn give vectors whose components are more alike, by more than chance does.
  bool is_interleaved(const Candidate& taken, const Candidate& other) const {
    const auto is_usual = [](const Numbers* numbers) { return numbers->middle > 0.0; };
    return other.is_mixed() && has_many_rows() && std::ranges::all_of(taken.places, is_usual) &&
           std::ranges::all_of(taken.velocities, is_usual) &&
           unlikeness(other, &Numbers::middle) <
               unlikeness(taken, &Numbers::middle) - 5.0 / std::sqrt(static_cast<double>(rows_));
  }

  /// Of two that fit: its masses have much fewer different values, else its vectors are more alike.
  bool is_likelier(const Candidate& a, const Candidate& b) const {
    if (rows_ < few) return false;
    if (a.mass != nullptr && b.mass != nullptr && a.mass != b.mass) {
      const auto of_a = a.mass->distinct, of_b = b.mass->distinct;
      if (2 * of_a <= of_b || 2 * of_b <= of_a) return of_a < of_b;
    }
    if (a.doubts != b.doubts) return a.doubts < b.doubts;
    return a.unlikeness < b.unlikeness - std::log(clearly);
  }

  /// The layout of files that begin with numbers in lines of their own: N and R, or time and N, or step, N
  /// and time.
  std::string_view layout_of_block(std::span<const double> block) const {
    const bool are_two = block.size() == 2;
    const auto is_color = [&](std::size_t k) { return columns_[k].are_bytes(); };
    if (are_two && width() == 5) return "x,y,vx,vy,mass";
    if (are_two && width() == 8 && is_color(5) && is_color(6) && is_color(7))
      return "x,y,vx,vy,mass,red,green,blue";
    if (are_two && width() == 11) return "id,mass,x,y,z,vx,vy,vz,-,-,-";
    return block.size() >= 2 && width() == 8 ? "id,mass,x,y,z,vx,vy,vz" : std::string_view();
  }

 private:
  /// Whole numbers, all different, which increase or are many; or all -1.
  bool holds_ids(const Numbers& numbers) const {
    constexpr double most = 4294967296.0;  // masses in solar masses are above
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
    if (!holds_ids(numbers) || rows_ < few || (next.whole && next.distinct == rows_)) return false;
    if (numbers.counts) return true;
    // n numbers out of R are all different with a probability of exp(-n^2 / 2R).
    constexpr double sure = 7.0;
    const auto n = static_cast<double>(rows_);
    return rows_ >= many && n * n > 2.0 * sure * (numbers.most - numbers.least + 1.0);
  }

  /// Velocities are negative somewhere; masses, radii and softenings nowhere.
  static bool are_positive_velocities(const Candidate& layout) {
    const auto is_positive = [](const Numbers* numbers) { return numbers->least > 0.0; };
    return layout.velocities.size() == 3 ? std::ranges::all_of(layout.velocities, is_positive)
                                         : std::ranges::any_of(layout.velocities, is_positive);
  }

  /// A component has one sign, or one value, where others have not.
  bool is_odd(const Vector& vector) const {
    bool one_sign = false, both_signs = false, one_value = false, values = false;
    for (const auto* const numbers : vector) {
      if (numbers->reach() == 0.0) continue;
      one_sign = one_sign || numbers->least > 0.0;
      both_signs = both_signs || numbers->least < 0.0;
      (numbers->distinct == 1 ? one_value : values) = true;
    }
    return rows_ >= few && ((one_sign && both_signs) || (one_value && values));
  }

  /// Masses that may be ids, since they are whole and all different, or kinds of bodies, since they are few.
  bool are_odd_masses(const Numbers& numbers) const {
    constexpr double largest_id = 1e19, largest_kind = 16.0;
    constexpr std::size_t fewest = 5;
    if (named_ || !numbers.whole || rows_ < fewest) return false;
    const bool may_be_ids = numbers.distinct == rows_ && numbers.most < largest_id;
    const bool may_be_kinds = has_many_rows() && numbers.most < largest_kind && numbers.distinct > 1 &&
                              2 * numbers.distinct <= rows_;
    return may_be_ids || may_be_kinds;
  }

  /// The rows are one body at many times: the first column rises evenly, and the others change little.
  bool is_orbit(const Candidate& layout) const {
    const auto &x = *layout.places[0], &y = *layout.places[1];
    return columns_.front().even && &x != &columns_.front() && x.smooth && y.smooth;
  }

  /// Of bodies on orbits around one, v^2 r is about the same: where speed falls off faster than as 1 / r,
  /// places and velocities may have been taken for each other.
  static bool is_turned(const Candidate& layout) {
    constexpr double steep = -1.0, sure = -0.9;
    constexpr std::size_t enough = 5;
    auto far = lengths(layout.places), fast = lengths(layout.velocities);
    for (auto* const each : {&far, &fast})
      for (auto& length : *each) length = std::log(length);
    const auto trend = trend_of(far, fast);
    return trend.count >= enough && trend.correlation < sure && trend.slope < steep;
  }

  /// In systems that hold together bodies can be far out, but none is fast for long: where velocities differ
  /// more from their usual differences than places do, these may have been taken for each other. Of 16 rows
  /// of a sphere or disc that are right, fewer than 3 % seem to be so; of spheres that are not, more than
  /// half.
  bool are_far_flung(const Candidate& layout) const {
    constexpr double sure = 0.7;
    const auto tail = [](const Vector& vector) {
      std::vector<double> all;
      for (const std::size_t stride : {1U, 2U, 3U, 5U, 8U, 13U})
        std::ranges::copy(lengths(vector, stride), std::back_inserter(all));
      const double middle = at_share(all, 0.5);
      return middle > 0.0 ? at_share(all, 0.95) / middle : 0.0;
    };
    if (rows_ < many) return false;
    const double of_places = tail(layout.places);
    return of_places > 0.0 && of_places < sure * tail(layout.velocities);
  }

  /// A density falls, and a smoothing length rises, with the distance from the middle. Masses do so little.
  bool follow_distance(const Vector& place, const Numbers& mass) const {
    constexpr std::size_t enough = 30;
    constexpr double sure = 0.7;
    if (rows_ < enough || 2 * mass.distinct < rows_) return false;
    std::vector<double> distances(rows_);
    for (const auto* const component : place) {
      const double middle = at_share(component->values, 0.5);
      for (std::size_t i = 0; i < rows_; ++i) {
        const double part = component->values[i] - middle;
        distances[i] += part * part;
      }
    }
    const auto is_number = [](double value) { return std::isfinite(value); };
    return std::ranges::all_of(distances, is_number) && std::ranges::all_of(mass.values, is_number) &&
           std::abs(trend_of(ranks(distances), ranks(mass.values)).correlation) > sure;
  }

  /// Counts what is unusual about a layout.
  int doubts(const Candidate& layout) const {
    const auto* const mass = layout.mass;
    return (is_odd(layout.places) ? 1 : 0) + (is_odd(layout.velocities) ? 1 : 0) +
           (rows_ >= few && are_positive_velocities(layout) ? 1 : 0) +
           (mass != nullptr && (are_odd_masses(*mass) || follow_distance(layout.places, *mass)) ? 1 : 0) +
           (layout.moves() && (is_turned(layout) || are_far_flung(layout)) ? 1 : 0) +
           (is_orbit(layout) && !contains(layout.columns, Column::time) ? 2 : 0);
  }

  bool fits(Column meaning, std::size_t column, bool usual_layout) const {
    const auto& numbers = columns_[column];
    switch (meaning) {
      case Column::mass:
        return numbers.least >= 0.0 && numbers.most > 0.0 && !are_certain_ids(column) && !numbers.even;
      case Column::time:
        return numbers.even;
      case Column::id:
        return holds_ids(numbers) && (rows_ >= few || columns_.size() >= some) &&
               (column == 0 || (numbers.counts && rows_ >= few));
      case Column::x:
        return !are_certain_ids(column);
      case Column::skip:  // a small number that tells kinds of bodies apart
        return !usual_layout || (numbers.are_bytes() && numbers.most > 0.0);
      default:
        return true;
    }
  }

  std::size_t rows_;
  bool named_;
  std::vector<Numbers> columns_;
};

bool is_inside_vector(Column column) {
  return (is_place(column) && column != Column::x) || (is_velocity(column) && column != Column::vx);
}

bool is_gap(Column column) { return column == Column::skip; }

/// Masses of stars and planets differ by more powers of ten than their radii, numbers or inclinations; -1:
/// there are none, or some are 0.
double spread_of_masses(const Candidate& layout) {
  if (layout.mass == nullptr || layout.mass->least <= 0.0) return -1.0;
  return std::floor(std::log10(layout.mass->most / layout.mass->least));
}

/// All that may be proposed, the likeliest first: layouts with so many columns more that are skipped, all at
/// one of the places where no vector is cut.
std::vector<Candidate> proposals(const Evidence& evidence) {
  std::vector<Candidate> fitting;
  const auto add = [&](const Columns& layout) {
    if (auto each = evidence.judged(layout, false)) fitting.push_back(std::move(*each));
  };
  for (const auto texts : {usual, rare}) {
    for (const auto text : split_text(texts, ' ')) {
      const auto layout = columns_of_option(text);
      const auto more = evidence.width() - layout.size();
      if (std::ranges::any_of(layout, is_gap) || layout.size() > evidence.width()) continue;
      if (more == 0) add(layout);
      for (auto at = layout.size() + 1; more > 0 && !Candidate{layout}.is_mixed() && at-- > 0;) {
        if (at < layout.size() && is_inside_vector(layout[at])) continue;
        auto wider = layout;
        wider.insert(wider.begin() + static_cast<std::ptrdiff_t>(at), more, Column::skip);
        add(wider);
      }
    }
  }
  std::ranges::stable_sort(fitting, {}, [](const Candidate& each) {
    return std::tuple(each.doubts, std::ranges::count_if(each.columns, is_gap), -spread_of_masses(each),
                      is_gap(each.columns.front()),
                      each.unlikeness + (each.is_mixed() ? std::log(doubtful) : 0.0));
  });
  return fitting;
}

/// The layouts in use that fit; one, if it is likelier than each of the others.
std::vector<Candidate> usual_ones(const Evidence& evidence) {
  std::vector<Candidate> fitting;
  for (const auto text : split_text(usual, ' '))
    if (const auto layout = columns_of_option(text); layout.size() == evidence.width())
      if (auto each = evidence.judged(layout, true)) fitting.push_back(std::move(*each));
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
            evidence.is_interleaved(taken, other));
  });
}

/// Each row holds numbers of one size, as if it were a quantity of all bodies, and the columns are alike.
bool may_be_turned(const std::vector<std::vector<double>>& columns, const Evidence& evidence) {
  constexpr std::size_t fewest_quantities = 6, most_quantities = 8;
  const auto rows = columns.front().size();
  if (rows < fewest_quantities || rows > most_quantities) return false;
  std::vector<std::vector<double>> turned(rows);
  for (const auto& column : columns)
    for (std::size_t i = 0; i < rows; ++i) turned[i].push_back(column[i]);
  return Evidence(turned, false).spread_of_columns() > doubtful * evidence.spread_of_columns();
}

}  // namespace

ColumnGuess guess_columns(const std::vector<std::vector<double>>& columns, bool named,
                          std::span<const double> block) {
  const Evidence evidence(columns, named);
  if (const auto text = evidence.layout_of_block(block); !text.empty())
    if (const auto layout = columns_of_option(text); evidence.judged(layout, false))
      return {.clear = true, .candidates = {layout}};
  auto others = proposals(evidence);
  const auto fitting = usual_ones(evidence);
  ColumnGuess asked;
  if (fitting.size() == 1) {
    const auto& taken = fitting.front();
    std::stable_partition(others.begin(), others.end(),
                          [&](const Candidate& each) { return evidence.is_interleaved(taken, each); });
    asked.directions = evidence.are_directions(taken);
    asked.turned = may_be_turned(columns, evidence);
    if (!asked.directions && !asked.turned && !is_doubtful(evidence, taken, others))
      return {.clear = true, .candidates = {taken.columns}};
  }
  for (const auto& each : others) asked.candidates.push_back(each.columns);
  return asked;
}

}  // namespace orrery::sim
