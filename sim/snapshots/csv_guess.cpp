#include "sim/snapshots/csv_guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace orrery::sim {

namespace {

using Sample = std::vector<std::vector<double>>;

template <typename Test>
bool every_row(const Sample& sample, std::size_t column, Test test) {
  return std::ranges::all_of(sample, [&](const auto& row) { return test(row[column]); });
}

std::size_t distinct(const Sample& sample, std::size_t column) {
  std::set<double> values;
  for (const auto& row : sample) {
    if (!std::isnan(row[column])) values.insert(row[column]);
  }
  return values.size();
}

bool not_negative(double value) { return value >= 0.0; }

bool is_zero(double value) { return value == 0.0; }

/// The largest magnitude in a column.
double reach(const Sample& sample, std::size_t column) {
  double most = 0.0;
  for (const auto& row : sample) most = std::max(most, std::abs(row[column]));
  return most;
}

/// The dissimilarity of the columns [first, first + count) that should form one vector: 0 if all have the
/// same range. A column of zeros is neutral.
double unlikeness(const Sample& sample, std::size_t first, std::size_t count) {
  double least = INFINITY, most = 0.0;
  for (std::size_t k = first; k < first + count; ++k) {
    const double far = reach(sample, k);
    if (far > 0.0) least = std::min(least, far);
    most = std::max(most, far);
  }
  return most > 0.0 ? std::log(most / least) : 0.0;
}

/// The same of all columns but the one of masses, as vectors of `axes` numbers each.
double unlikeness(const Sample& sample, bool mass_last, std::size_t axes) {
  double sum = 0.0;
  const std::size_t end = sample.front().size() - (mass_last ? 1 : 0);
  for (std::size_t first = mass_last ? 0 : 1; first + axes <= end; first += axes)
    sum += unlikeness(sample, first, axes);
  return sum;
}

enum class MassEnd : std::uint8_t { first, last, unknown, neither };

/// By what the columns reach: those of one vector reach about as far, where rows are enough to tell.
MassEnd mass_end_by_reach(const Sample& sample, std::size_t axes) {
  constexpr std::size_t enough = 3;
  constexpr double clear = 1.1;  // about three times as far
  if (sample.size() < enough) return MassEnd::unknown;
  const double first = unlikeness(sample, false, axes), last = unlikeness(sample, true, axes);
  if (std::abs(first - last) < clear) return MassEnd::unknown;
  return last < first ? MassEnd::last : MassEnd::first;
}

/// Few different values, compared with the other end, are masses.
MassEnd mass_end_by_values(const Sample& sample) {
  const auto first = distinct(sample, 0), last = distinct(sample, sample.front().size() - 1);
  if (2 * last <= first) return MassEnd::last;
  if (2 * first <= last) return MassEnd::first;
  return MassEnd::unknown;
}

/// Which end holds the masses: the one that is nowhere negative, else the one that is not all zero, else the
/// one of much fewer different values, else by what the columns reach.
MassEnd mass_end(const Sample& sample, std::size_t axes) {
  const std::size_t last = sample.front().size() - 1;
  const bool first_fits = every_row(sample, 0, not_negative);
  const bool last_fits = every_row(sample, last, not_negative);
  if (!first_fits && !last_fits) return MassEnd::neither;
  if (first_fits != last_fits) return last_fits ? MassEnd::last : MassEnd::first;
  const bool first_is_zero = every_row(sample, 0, is_zero);
  const bool last_is_zero = every_row(sample, last, is_zero);
  if (first_is_zero != last_is_zero) return first_is_zero ? MassEnd::last : MassEnd::first;
  const auto by_values = mass_end_by_values(sample);
  return by_values != MassEnd::unknown ? by_values : mass_end_by_reach(sample, axes);
}

/// Places can be as whole as ids, and as different.
bool next_column_is_alike(const Sample& sample) {
  return every_row(sample, 1, is_integer) && distinct(sample, 1) == sample.size();
}

/// True if the last column is 0, 1, 2, ... or 1, 2, 3, ... in three rows or more.
bool last_counts_up(const Sample& sample) {
  const std::size_t last = sample.front().size() - 1;
  double next = sample.front()[last];
  if (sample.size() < 3 || (next != 0.0 && next != 1.0)) return false;
  return every_row(sample, last, [&next](double value) { return value == next++; });
}

/// 0, 1, 2, ... or 1, 2, 3, ...; two rows could be masses. Of many rows, whole numbers that are all
/// different.
bool counts_up(const Sample& sample) {
  constexpr std::size_t many = 16;
  constexpr double most = 4294967296.0;  // masses in solar masses are above
  const auto is_id = [](double value) { return is_integer(value) && value >= 0.0 && value < most; };
  if (sample.size() >= many && every_row(sample, 0, is_id) && distinct(sample, 0) == sample.size() &&
      !next_column_is_alike(sample))
    return true;
  const double start = sample.front()[0];
  if (sample.size() < 3 || (start != 0.0 && start != 1.0)) return false;
  double next = start;
  return every_row(sample, 0, [&next](double value) { return value == next++; });
}

/// Ids and no masses: they count, and the last column is none of masses either. Equal masses after places
/// that count are.
bool ids_without_masses(const Sample& sample) {
  const std::size_t last = sample.front().size() - 1;
  const auto positive = [](double value) { return value > 0.0; };
  const bool last_holds_masses = every_row(sample, last, positive) && distinct(sample, last) < sample.size();
  return counts_up(sample) && !last_holds_masses;
}

/// Ids: all -1, or increasing.
bool looks_like_ids(const Sample& sample) {
  if (!every_row(sample, 0, is_integer)) return false;
  const bool all_same = distinct(sample, 0) == 1;
  if (all_same) return sample.front()[0] == -1.0 || sample.size() == 1;
  return std::ranges::adjacent_find(sample, [](auto& a, auto& b) { return a[0] >= b[0]; }) == sample.end();
}

bool is_small_integer(double v) { return is_integer(v) && v >= 0.0 && v < 256.0; }

constexpr std::string_view with_id = "id,mass,x,y,z,vx,vy,vz";
constexpr std::string_view mass_first = "mass,x,y,z,vx,vy,vz";

LayoutGuess guess_of_eight(const Sample& sample, const Preamble& preamble) {
  const auto is_color = [&](std::size_t column) { return every_row(sample, column, is_small_integer); };
  if (preamble.numbers.size() == 2 && is_color(5) && is_color(6) && is_color(7)) {
    return {"x,y,vx,vy,mass,red,green,blue", "N, R, then x y vx vy mass r g b"};
  }
  if (preamble.numbers.size() >= 2 || looks_like_ids(sample)) return {with_id, "id mass x y z vx vy vz"};
  if (is_color(7)) return {"mass,x,y,z,vx,vy,vz,-", "mass x y z vx vy vz label"};
  return {};
}

constexpr std::string_view mass_first_plane = "mass,x,y,vx,vy";

/// Numbers that say less than names: which of two layouts they have.
class Guesser {
 public:
  Guesser(const FileView& file, const Preamble& preamble, const Sample& sample)
      : file_(file), preamble_(preamble), sample_(sample) {}

  LayoutGuess guess() const;

 private:
  LayoutGuess by_mass(std::size_t axes, const LayoutGuess& first, const LayoutGuess& last) const;
  LayoutGuess of_five() const;
  LayoutGuess of_six() const;
  bool is_positive(std::size_t column) const;
  LayoutGuess with_ids() const;
  void refuse_ids_at_the_end() const;
  [[noreturn]] void refuse(std::string_view why, std::string_view first, std::string_view last) const;

  const FileView& file_;
  const Preamble& preamble_;
  const Sample& sample_;
};

void Guesser::refuse(std::string_view why, std::string_view first, std::string_view last) const {
  refuse_line(file_, preamble_.data_line + 1,
              fmt::format("{} columns without names, and {}; name them, as in --columns {} or --columns {}",
                          sample_.front().size(), why, first, last));
}

LayoutGuess Guesser::by_mass(std::size_t axes, const LayoutGuess& first, const LayoutGuess& last) const {
  switch (mass_end(sample_, axes)) {
    case MassEnd::first:
      return first;
    case MassEnd::last:
      return last;
    case MassEnd::unknown:
      if (axes == 3 && sample_.size() < 3) return first;  // too few rows to tell; a note says what was taken
      break;
    case MassEnd::neither:
      refuse("the first and the last have negative numbers, so neither is of masses", first.columns,
             last.columns);
  }
  refuse("the masses may be the first or the last", first.columns, last.columns);
}

LayoutGuess Guesser::of_five() const {
  constexpr std::string_view last = "x,y,vx,vy,mass";
  if (preamble_.numbers.size() == 2) return {last, "N, R, then x y vx vy mass"};
  if (counts_up(sample_)) refuse("the first counts", "id,x,y,z,mass", last);
  const auto guess = by_mass(2, {mass_first_plane, "mass x y vx vy"}, {last, "x y vx vy mass"});
  const bool is_last = guess.columns == last;
  // A velocity is negative somewhere; a mass, a radius or a softening nowhere.
  if (is_positive(4) && (!is_last || is_positive(3)))
    refuse(is_last ? "the last two are above 0 in all rows, as masses and radii are"
                   : "the last is above 0 in all rows, as radii are",
           is_last ? "x,y,z,mass,-" : "mass,x,y,z,-", guess.columns);
  return guess;
}

/// Six numbers that are no positions and velocities.
LayoutGuess Guesser::of_six() const {
  constexpr std::string_view usual = "x,y,z,vx,vy,vz";
  if (counts_up(sample_) && !next_column_is_alike(sample_))
    refuse("the first counts", "id,x,y,z,mass,-", usual);
  constexpr std::size_t many = 8;
  if (sample_.size() >= many && is_positive(3) && is_positive(4) && is_positive(5))
    refuse("the last three are above 0 in all rows, as velocities hardly are", "x,y,z,mass,-,-", usual);
  return {usual, "x y z vx vy vz"};
}

/// In three rows or more.
bool Guesser::is_positive(std::size_t column) const {
  return sample_.size() >= 3 && every_row(sample_, column, [](double value) { return value > 0.0; });
}

/// Ids at the end, where masses could be.
void Guesser::refuse_ids_at_the_end() const {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> layouts{
      {{"x,y,z,id", "x,y,z,mass"},
       {"x,y,z,vx,vy,vz,id", "x,y,z,vx,vy,vz,mass"},
       {"x,y,z,vx,vy,vz,mass,id", "mass,x,y,z,vx,vy,vz,-"}}};
  const auto count = sample_.front().size();
  const std::size_t which = count == 4 ? 0 : count == 7 ? 1 : count == 8 ? 2 : layouts.size();
  if (which == layouts.size() || !last_counts_up(sample_)) return;
  refuse("the last counts", layouts.at(which).first, layouts.at(which).second);
}

/// Guesses a table with ids: of eight columns the first has ids, and masses follow or come last.
LayoutGuess Guesser::with_ids() const {
  constexpr std::string_view last = "id,x,y,z,vx,vy,vz,mass";
  if (preamble_.numbers.size() >= 2) return {with_id, "id mass x y z vx vy vz"};
  Sample rest;
  for (const auto& row : sample_) rest.emplace_back(row.begin() + 1, row.end());
  switch (mass_end(rest, 3)) {
    case MassEnd::last:
      return {last, "id x y z vx vy vz mass"};
    case MassEnd::neither:
      refuse("the second and the last have negative numbers, so neither is of masses", with_id, last);
    default:
      return {with_id, "id mass x y z vx vy vz"};
  }
}

LayoutGuess Guesser::guess() const {
  refuse_ids_at_the_end();
  switch (sample_.front().size()) {
    case 3:
      return {"x,y,z", "x y z"};
    case 4:
      if (ids_without_masses(sample_)) return {"id,x,y,z", "id x y z"};
      return by_mass(3, {"mass,x,y,z", "mass x y z"}, {"x,y,z,mass", "x y z mass"});
    case 5:
      return of_five();
    case 6:
      return of_six();
    case 7:
      if (ids_without_masses(sample_)) return {"id,x,y,z,vx,vy,vz", "id x y z vx vy vz"};
      return by_mass(3, {mass_first, "mass x y z vx vy vz"}, {"x,y,z,vx,vy,vz,mass", "x y z vx vy vz mass"});
    case 8: {
      const auto guess = guess_of_eight(sample_, preamble_);
      return guess.columns == with_id ? with_ids() : guess;
    }
    case 11:
      if (preamble_.numbers.size() != 2) return {};
      return {"id,mass,x,y,z,vx,vy,vz,-,-,-", "time, N, then id mass x y z vx vy vz phi rho nn"};
    default:
      return {};
  }
}

}  // namespace

LayoutGuess guess_columns(const FileView& file, const Preamble& preamble, const Sample& sample) {
  return Guesser(file, preamble, sample).guess();
}

}  // namespace orrery::sim
