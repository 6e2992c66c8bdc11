#include "sim/snapshots/csv_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "sim/bodies/components.h"
#include "sim/core/counted.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/snapshots/csv_preamble.h"

namespace orrery::sim {

namespace {

bool is_integer(double value) { return std::isfinite(value) && value == std::floor(value); }

/// The first rows: the texts and the numbers in them (not a number: text).
struct Rows {
  std::vector<Fields> texts;
  std::vector<std::vector<double>> numbers;
};
using Sample = std::vector<std::vector<double>>;

// ---- Layouts by the numbers alone ----

/// Under tabs that are there twice, or that are missing, blanks separate.
void split_row(std::string_view content, Separator separator, std::size_t expected, Fields& fields) {
  split_fields(content, separator, fields);
  drop_empty_end(fields);
  if (separator != Separator::tab || fields.size() == expected) return;
  Fields others;
  split_fields(content, Separator::blanks, others);
  if (others.size() == expected) fields = std::move(others);
}

Rows read_rows(std::string_view text, const Preamble& preamble) {
  constexpr std::size_t most_rows = 1000;
  Rows rows;
  TextLines lines(text.substr(preamble.data_offset));
  Fields fields;
  std::string_view line;
  while (rows.texts.size() < most_rows && lines.next_record(line)) {
    const auto content = split_comment(line).content;
    if (content.empty()) continue;
    split_row(content, preamble.separator, preamble.row_fields, fields);
    if (!rows.texts.empty() && fields.size() != rows.texts.front().size()) break;
    rows.texts.push_back(fields);
    auto& row = rows.numbers.emplace_back();
    for (const auto field : fields)
      row.push_back(parse_number(field).value_or(parse_decimal_comma(field).value_or(NAN)));
  }
  return rows;
}

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

struct Guess {
  std::string_view columns;
  std::string_view name;
};

constexpr std::string_view with_id = "id,mass,x,y,z,vx,vy,vz";
constexpr std::string_view mass_first = "mass,x,y,z,vx,vy,vz";

Guess guess_of_eight(const Sample& sample, const Preamble& preamble) {
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

  Guess guess() const;

 private:
  Guess by_mass(std::size_t axes, const Guess& first, const Guess& last) const;
  Guess of_five() const;
  Guess of_six() const;
  bool is_positive(std::size_t column) const;
  Guess with_ids() const;
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

Guess Guesser::by_mass(std::size_t axes, const Guess& first, const Guess& last) const {
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

Guess Guesser::of_five() const {
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
Guess Guesser::of_six() const {
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
Guess Guesser::with_ids() const {
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

Guess Guesser::guess() const {
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

// ---- Columns of words ----

bool is_text(const Rows& rows, std::size_t column) {
  return every_row(rows.numbers, column, [](double value) { return std::isnan(value); });
}

/// Pictures of planets, as Princeton's exercise has them.
bool is_picture(std::string_view text) {
  constexpr std::array<std::string_view, 4> endings{".gif", ".png", ".jpg", ".jpeg"};
  return std::ranges::any_of(endings, [&](auto end) { return text.ends_with(end); });
}

/// Reads an unnamed column of words: components if all are, else names; pictures are skipped.
Column column_of_words(const Rows& rows, std::size_t column) {
  const auto all = [&](auto test) {
    return std::ranges::all_of(rows.texts, [&](const Fields& row) { return test(row[column]); });
  };
  if (all([](auto text) { return component_of_text(text).has_value(); })) return Column::component;
  return all(is_picture) ? Column::skip : Column::name;
}

/// Several numbers between two separators: another kind of separator is between them.
bool holds_numbers(std::string_view field) {
  constexpr std::size_t of_decimal_comma = 2;
  for (const auto separator : {Separator::blanks, Separator::comma}) {
    Fields parts;
    split_fields(field, separator, parts);
    const bool are_numbers =
        std::ranges::all_of(parts, [](auto part) { return parse_number(part).has_value(); });
    if (are_numbers && parts.size() > (separator == Separator::comma ? of_decimal_comma : 1)) return true;
  }
  return false;
}

void refuse_mixed_separators(const FileView& file, const Preamble& preamble, const Rows& rows) {
  for (const auto& row : rows.texts)
    for (const auto field : row)
      if (holds_numbers(field))
        refuse_line(file, preamble.data_line + 1,
                    fmt::format("'{}' stands between two separators and holds several numbers: separate all "
                                "columns by one sign, and name them, as in --columns x,y,z,vx,vy,vz",
                                printable(field, 40)));
}

/// For each column what its words are; empty: numbers.
std::vector<std::optional<Column>> columns_of_words(const Rows& rows) {
  std::vector<std::optional<Column>> words(rows.texts.front().size());
  for (std::size_t k = 0; k < words.size(); ++k)
    if (is_text(rows, k)) words[k] = column_of_words(rows, k);
  return words;
}

Sample without_words(const Rows& rows, const std::vector<std::optional<Column>>& words) {
  Sample sample;
  for (const auto& row : rows.numbers) {
    auto& numbers = sample.emplace_back();
    for (std::size_t k = 0; k < row.size(); ++k)
      if (!words[k]) numbers.push_back(row[k]);
  }
  return sample;
}

/// The columns of numbers with those of words between them.
void place_words(const std::vector<std::optional<Column>>& words, TableLayout& layout, std::string& name) {
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (!words[k]) continue;
    const bool again = *words[k] != Column::skip && layout.has(*words[k]);
    layout.columns.insert(layout.columns.begin() + static_cast<std::ptrdiff_t>(k),
                          again ? Column::skip : *words[k]);
    const std::string_view what = *words[k] == Column::name        ? "names"
                                  : *words[k] == Column::component ? "components"
                                                                   : "pictures";
    name += fmt::format("{} {} in column {}", name.find(" with ") == std::string::npos ? " with" : ",", what,
                        k + 1);
  }
}

void guess_layout(const FileView& file, const Preamble& preamble, const Rows& rows, TableLayout& layout) {
  refuse_mixed_separators(file, preamble, rows);
  const auto words = columns_of_words(rows);
  const auto sample = without_words(rows, words);
  const auto guess = sample.front().empty() ? Guess{} : Guesser(file, preamble, sample).guess();
  if (guess.columns.empty()) {
    refuse_line(file, preamble.data_line + 1,
                fmt::format("{} of no known layout; name them, as in --columns mass,x,y,z,vx,vy,vz",
                            counted(rows.texts.front().size(), "column without a name is",
                                    "columns without names are")));
  }
  layout.columns = columns_of_option(guess.columns);
  std::string name(guess.name);
  place_words(words, layout, name);
  layout.guessed = name;
  layout.description = fmt::format("no header, taken as {}", name);
  layout.notes.push_back(
      fmt::format("columns without names were taken as {}; --columns overrides this", name));
  if (guess.columns.find("vz,-") != std::string_view::npos)
    layout.notes.emplace_back("the last columns were ignored");
}

// ---- Layouts by names ----

void note_ignored(const Fields& names, TableLayout& layout) {
  Fields ignored;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (layout.columns[k] == Column::skip) ignored.push_back(names[k]);
  }
  if (!ignored.empty()) layout.notes.push_back(fmt::format("columns ignored: {}", joined(ignored)));
}

void take_names(const Fields& names, std::string_view what, TableLayout& layout) {
  layout.columns = columns_of(names);
  drop_partial_velocity(layout.columns);
  drop_partial_color(layout.columns);
  layout.description = fmt::format("{} {}", what, joined(names));
  note_ignored(names, layout);
}

/// Ids that are words are names.
void settle_names(const Rows& rows, TableLayout& layout) {
  for (std::size_t k = 0; k < layout.columns.size() && k < rows.texts.front().size(); ++k) {
    if (layout.columns[k] != Column::id || !is_text(rows, k)) continue;
    layout.columns[k] = layout.has(Column::name) ? Column::skip : Column::name;
  }
}

[[noreturn]] void refuse_header(const FileView& file, const NamesLine& line) {
  const bool has_bars = line.names.size() == 1 && line.text.find('|') != std::string_view::npos;
  refuse_line(
      file, line.number,
      has_bars ? fmt::format("its columns are separated by '|' ('{}'); separate them by commas, semicolons, "
                             "tabs or blanks",
                             printable(line.text, 100))
               : fmt::format("no number and no header that names x and y ('{}'); name the columns, as in "
                             "--columns mass,x,y,z,vx,vy,vz",
                             printable(line.text, 100)));
}

// ---- Units ----

void take_units(const FileView& file, const Fields& units, const Fields& names, TableLayout& layout) {
  for (std::size_t k = 0; k < std::min(units.size(), layout.columns.size()); ++k)
    if (const auto kind = unit_kind(layout.columns[k]))
      layout.units.take(file, *kind, units[k], k < names.size() ? names[k] : fmt::format("column {}", k + 1));
}

/// Behind the names of columns.
void take_units_of_names(const FileView& file, const Fields& names, TableLayout& layout) {
  Fields units;
  for (const auto name : names) units.push_back(unit_of_name(name));
  take_units(file, units, names, layout);
}

/// In lines below the names, and in comments that speak of units.
void take_units_of_lines(const FileView& file, std::vector<NamesLine>& lines, TableLayout& layout) {
  std::erase_if(lines, [&](const NamesLine& line) {
    const bool is_line = line.names.size() == layout.columns.size() && is_line_of_units(line.names);
    const auto stated = is_line ? std::vector<NamedUnit>() : units_in_words(line.text);
    if (is_line) take_units(file, line.names, {}, layout);
    for (const auto& unit : stated) layout.units.take_comment(unit);
    return is_line || !stated.empty();
  });
}

/// Names of as many columns as the rows have, in a line before those in a comment. Else a header that does
/// not fit, so that the reader of rows says where.
bool take_header(const FileView& file, const Preamble& preamble, TableLayout& layout) {
  const auto count = preamble.row_fields;
  const auto* header = line_of_names(preamble.headers, count);
  const auto* const comment = line_of_names(preamble.comment_headers, count);
  if (header == nullptr && comment == nullptr && !preamble.headers.empty()) header = &preamble.headers.back();
  if (header != nullptr || comment != nullptr) {
    const auto& names = header != nullptr ? header->names : comment->names;
    take_names(names, header != nullptr ? "header" : "comment header", layout);
    take_units_of_names(file, names, layout);
    return true;
  }
  const bool names_others = !preamble.words.empty() && preamble.words.back().names.size() == count;
  const bool has_no_rows = !preamble.has_rows && !preamble.words.empty();
  if (names_others || has_no_rows) refuse_header(file, preamble.words.back());
  return false;
}

/// Rows of decimal commas that commas or blanks separate.
void refuse_decimal_commas(const FileView& file, std::string_view text, const Preamble& preamble,
                           TableLayout& layout) {
  if (preamble.separator != Separator::comma) return;
  TextLines lines(text.substr(preamble.data_offset));
  std::string_view line;
  bool tabs_only = true;
  for (std::size_t rows = 0; rows < 100 && lines.next(line);) {
    const auto content = split_comment(line).content;
    if (content.empty()) continue;
    if (!is_row_of_decimal_commas(content)) return;
    tabs_only = tabs_only && content.find(' ') == std::string_view::npos;
    ++rows;
  }
  if (tabs_only) {
    layout.separator = Separator::tab;
    return;
  }
  refuse_line(
      file, preamble.data_line + 1,
      "its numbers have a decimal comma, and nothing but blanks between them; write decimal points, or "
      "separate the columns by semicolons");
}

/// Where fields have commas in them: whether these are decimal ones.
void settle_commas(const FileView& file, const Preamble& preamble, const Rows& rows, TableLayout& layout) {
  std::string_view with_comma, with_point;
  bool decimal = false;
  for (const auto& row : rows.texts) {
    for (const auto field : row) {
      if (parse_decimal_comma(field)) {
        with_comma = field;
        decimal = decimal || !may_be_thousands(field);
      } else if (field.find('.') != std::string_view::npos && parse_number(field)) {
        with_point = field;
      }
    }
  }
  if (with_comma.empty()) return;
  if (!decimal || !with_point.empty()) {
    refuse_line(
        file, preamble.data_line + 1,
        fmt::format("the comma in '{}' may be a decimal comma or one of thousands{}; write decimal points "
                    "and no other marks",
                    printable(with_comma),
                    with_point.empty() ? "" : fmt::format(", beside '{}'", printable(with_point))));
  }
  layout.decimal_commas = true;
  layout.notes.emplace_back("commas in numbers were taken as decimal commas");
}

void note_words(const Preamble& preamble, TableLayout& layout) {
  if (preamble.words.empty()) return;
  layout.notes.push_back(fmt::format("before the rows, {} left out: {}",
                                     counted(preamble.words.size(), "line was", "lines were"),
                                     printable(preamble.words.front().text, 100)));
}

void choose_columns(const FileView& file, std::string_view text, Preamble& preamble,
                    const std::vector<Column>& given, TableLayout& layout) {
  if (preamble.has_rows && line_of_names(preamble.headers, preamble.row_fields) == nullptr) {
    refuse_decimal_commas(file, text, preamble, layout);
    preamble.separator = layout.separator;
  }
  const bool named = given.empty() && take_header(file, preamble, layout);
  layout.columns = given.empty() ? layout.columns : given;
  layout.named_by_user = !given.empty();
  if (layout.named_by_user) layout.description = "columns as named by the user";
  if (!preamble.has_rows) return;
  const auto rows = read_rows(text, preamble);
  settle_commas(file, preamble, rows, layout);
  if (!named && given.empty()) guess_layout(file, preamble, rows, layout);
  take_units_of_lines(file, preamble.words, layout);
  take_units_of_lines(file, preamble.remarks, layout);
  note_words(preamble, layout);
  settle_names(rows, layout);
}

/// The second of two lines before the rows is the radius of what they hold, not the time: files of planar
/// universes (Princeton's) begin so.
bool block_holds_radius(const Preamble& preamble, const TableLayout& layout) {
  if (preamble.numbers.size() != 2) return false;
  const bool guessed = layout.description.find("N, R") != std::string::npos;
  return guessed || (!preamble.count_first && !layout.has(Column::z));
}

/// A block before the rows: "N", "N time", "N / R or time", "time / N" (11 columns), "step / N / time".
void take_block(const FileView& file, const Preamble& preamble, bool columns_given, TableLayout& layout) {
  const auto& numbers = preamble.numbers;
  layout.time = preamble.time.value_or(0.0);
  if (numbers.empty()) return;
  const bool count_second = numbers.size() == 3 || (numbers.size() == 2 && layout.columns.size() == 11);
  const double count = numbers[count_second ? 1 : 0];
  constexpr double largest = 1e15;
  if (!is_integer(count) || count < 0.0 || count > largest) {
    if (columns_given) {
      layout.notes.emplace_back("the numbers before the rows were left out");
      return;
    }
    refuse_line(
        file, preamble.data_line,
        fmt::format("the numbers before the rows give no number of bodies ('{}'); give one of them as in "
                    "step, N, time, or leave the lines out by --set skip={}",
                    count, preamble.data_line));
  }
  layout.count = static_cast<std::uint64_t>(count);
  if (numbers.size() == 3) layout.time = numbers[2];
  if (block_holds_radius(preamble, layout)) {
    layout.notes.push_back(fmt::format(
        "the second number before the rows, {:g}, was taken as a radius, not as the time", numbers[1]));
  } else if (numbers.size() == 2) {
    layout.time = numbers[count_second ? 0 : 1];
  }
  if (!std::isfinite(layout.time))
    refuse_line(file, preamble.data_line, "the time is not finite; correct it");
}

}  // namespace

RowColumns columns_of_rows(const FileView& file, const std::vector<std::vector<double>>& rows,
                           std::string_view named) {
  if (!named.empty()) return {columns_of_option(named), std::string(named)};
  const auto guess = rows.empty() ? Guess{} : Guesser(file, {}, rows).guess();
  if (guess.columns.empty()) return {};
  return {columns_of_option(guess.columns), std::string(guess.name)};
}

bool TableLayout::has(Column column) const { return contains(columns, column); }

void split_row(std::string_view content, const TableLayout& layout, Fields& fields) {
  const auto expected = layout.columns.size();
  split_fields(content, layout.separator, fields);
  while (fields.size() > expected && fields.back().empty()) fields.pop_back();
  if (layout.separator == Separator::tab && fields.size() != expected)
    split_row(content, layout.separator, expected, fields);
}

TableLayout find_layout(const FileView& file, std::string_view text, std::string_view columns,
                        std::size_t skipped) {
  const auto given = columns.empty() ? std::vector<Column>{} : columns_of_option(columns);
  Preamble preamble = read_preamble(file, text, given, skipped);
  TableLayout layout;
  layout.separator = preamble.separator;
  layout.data_offset = preamble.data_offset;
  layout.data_line = preamble.data_line;
  choose_columns(file, text, preamble, given, layout);
  if (!given.empty()) {
    Fields names;
    split_fields(columns, Separator::comma, names);
    take_units_of_names(file, names, layout);
  }
  take_block(file, preamble, !given.empty(), layout);
  return layout;
}

std::optional<Component> component_of_text(std::string_view text) {
  if (const auto number = parse_number(text)) {
    const bool known =
        is_integer(*number) && *number >= 0.0 && *number < static_cast<double>(component_count);
    return known ? std::optional(static_cast<Component>(*number)) : std::nullopt;
  }
  return component_meant(lower_case(text));
}

}  // namespace orrery::sim
