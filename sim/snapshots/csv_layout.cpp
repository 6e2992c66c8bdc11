#include "sim/snapshots/csv_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"

namespace orrery::sim {

namespace {

struct Synonym {
  std::string_view name;
  Column column;
};
constexpr std::array synonyms{
    Synonym{"m", Column::mass},
    Synonym{"mass", Column::mass},
    Synonym{"masses", Column::mass},
    Synonym{"q", Column::charge},
    Synonym{"charge", Column::charge},
    Synonym{"charges", Column::charge},
    Synonym{"id", Column::id},
    Synonym{"index", Column::id},
    Synonym{"i", Column::id},
    Synonym{"iord", Column::id},
    Synonym{"number", Column::id},
    Synonym{"particleid", Column::id},
    Synonym{"particleids", Column::id},
    Synonym{"x", Column::x},
    Synonym{"px", Column::x},
    Synonym{"posx", Column::x},
    Synonym{"positionx", Column::x},
    Synonym{"rx", Column::x},
    Synonym{"xpos", Column::x},
    Synonym{"y", Column::y},
    Synonym{"py", Column::y},
    Synonym{"posy", Column::y},
    Synonym{"positiony", Column::y},
    Synonym{"ry", Column::y},
    Synonym{"ypos", Column::y},
    Synonym{"z", Column::z},
    Synonym{"pz", Column::z},
    Synonym{"posz", Column::z},
    Synonym{"positionz", Column::z},
    Synonym{"rz", Column::z},
    Synonym{"zpos", Column::z},
    Synonym{"vx", Column::vx},
    Synonym{"velx", Column::vx},
    Synonym{"velocityx", Column::vx},
    Synonym{"xvel", Column::vx},
    Synonym{"u", Column::vx},
    Synonym{"vy", Column::vy},
    Synonym{"vely", Column::vy},
    Synonym{"velocityy", Column::vy},
    Synonym{"yvel", Column::vy},
    Synonym{"v", Column::vy},
    Synonym{"vz", Column::vz},
    Synonym{"velz", Column::vz},
    Synonym{"velocityz", Column::vz},
    Synonym{"zvel", Column::vz},
    Synonym{"w", Column::vz},
    Synonym{"component", Column::component},
    Synonym{"type", Column::component},
    Synonym{"species", Column::component},
    Synonym{"family", Column::component},
    Synonym{"galaxy", Column::galaxy},
    Synonym{"system", Column::galaxy},
    Synonym{"t", Column::time},
    Synonym{"time", Column::time},
    Synonym{"step", Column::frame},
    Synonym{"frame", Column::frame},
    Synonym{"snapshot", Column::frame},
};

/// Lower case, without units in brackets, blanks, underscores, dots and dashes.
std::string normalized(std::string_view name) {
  std::string plain;
  for (const char c : name.substr(0, name.find_first_of("[("))) {
    if (c >= 'A' && c <= 'Z') plain += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain += c;
  }
  return plain;
}

bool is_integer(double value) { return std::isfinite(value) && value == std::floor(value); }

bool is_numeric(std::string_view field) { return parse_number(field).has_value(); }

using Fields = std::vector<std::string_view>;

/// Empty fields at the end come from trailing separators.
void drop_empty_end(Fields& fields) {
  while (!fields.empty() && fields.back().empty()) fields.pop_back();
}

/// A row of data, of what is looked at to find its layout.
using Sample = std::vector<std::vector<double>>;

// ---- Names of columns ----

std::vector<Column> columns_of(const Fields& names) {
  std::vector<Column> columns;
  std::array<bool, static_cast<std::size_t>(Column::frame) + 1> seen{};
  for (const auto name : names) {
    const auto column = column_from_name(name).value_or(Column::skip);
    const bool again = std::exchange(seen.at(static_cast<std::size_t>(column)), true);
    columns.push_back(again ? Column::skip : column);
  }
  return columns;
}

bool contains(const std::vector<Column>& columns, Column column) {
  return std::ranges::find(columns, column) != columns.end();
}

bool names_positions(const std::vector<Column>& columns) {
  return contains(columns, Column::x) && contains(columns, Column::y);
}

std::string joined(const Fields& names) {
  std::string text;
  for (const auto name : names) text += (text.empty() ? "" : ",") + printable(name);
  return printable(text, 100);
}

/// A component of velocity that is named without the others is something else (u: internal energy).
void drop_partial_velocity(std::vector<Column>& columns) {
  const bool complete = contains(columns, Column::vx) && contains(columns, Column::vy) &&
                        (contains(columns, Column::vz) || !contains(columns, Column::z));
  if (complete) return;
  for (auto& c : columns) {
    if (c == Column::vx || c == Column::vy || c == Column::vz) c = Column::skip;
  }
}

[[noreturn]] void refuse_column(std::string_view name) {
  static const std::vector<std::string> usual{"id", "mass", "charge", "x",         "y",      "z",
                                              "vx", "vy",   "vz",     "component", "galaxy", "time"};
  throw UsageError(fmt::format("unknown column '{}' (choose from {} and -, to skip one){}", printable(name),
                               fmt::join(usual, ", "), did_you_mean(name, usual)));
}

std::vector<Column> columns_of_option(std::string_view option) {
  Fields names;
  split_fields(option, Separator::comma, names);
  for (const auto name : names) {
    if (name == "-" || column_from_name(name)) continue;
    refuse_column(name);
  }
  auto columns = columns_of(names);
  if (!names_positions(columns)) throw UsageError("the columns must name x and y, as in mass,x,y,z,vx,vy,vz");
  return columns;
}

// ---- The lines before the rows ----

/// Everything that precedes the first row of data.
struct Preamble {
  Separator separator = Separator::blanks;
  Fields header;  ///< names, of a header line
  std::size_t header_line = 0;
  Fields comment_header;        ///< names, of the last comment that names positions
  std::vector<double> numbers;  ///< a block of step, N and time
  bool count_first = false;     ///< the block was one line "N time"
  std::optional<double> time;   ///< of a comment "time=..."
  std::size_t data_offset = 0, data_line = 0;
  bool has_rows = false;
};

void take_comment(std::string_view comment, Preamble& preamble) {
  Fields names;
  split_fields(comment, separator_of(comment), names);
  if (names_positions(columns_of(names))) preamble.comment_header = names;
  const auto at = comment.find("time=");
  if (at == std::string_view::npos) return;
  split_fields(comment.substr(at + 5), separator_of(comment), names);
  const auto value = names.empty() ? std::nullopt : parse_number(names.front());
  if (value && std::isfinite(*value)) preamble.time = value;
}

/// With columns named by the user, a header is a line whose numeric columns are no numbers.
bool is_header(const Fields& fields, const std::vector<Column>& given) {
  if (given.empty()) return !std::ranges::all_of(fields, [](auto f) { return f.empty() || is_numeric(f); });
  for (std::size_t k = 0; k < std::min(fields.size(), given.size()); ++k) {
    const bool is_text = given[k] == Column::skip || given[k] == Column::component;
    if (!is_text && !fields[k].empty() && !is_numeric(fields[k])) return true;
  }
  return false;
}

/// A line that belongs to a block of step, N and time.
bool take_block_line(const Fields& fields, Preamble& preamble) {
  if (fields.size() > 2 || !preamble.header.empty()) return false;
  if (fields.size() == 2 && !preamble.numbers.empty()) return false;
  for (const auto field : fields) preamble.numbers.push_back(parse_number(field).value_or(-1.0));
  preamble.count_first = fields.size() == 2;
  return true;
}

/// "x y vx vy mass earth.gif" after N and R: the planets of Princeton's exercise have a picture each.
bool is_row_with_picture(const Fields& fields, const Preamble& preamble) {
  if (preamble.numbers.size() != 2 || fields.size() != 6) return false;
  constexpr std::array<std::string_view, 4> pictures{".gif", ".png", ".jpg", ".jpeg"};
  return std::ranges::any_of(pictures, [&](auto end) { return fields[5].ends_with(end); }) &&
         std::all_of(fields.begin(), fields.begin() + 5, is_numeric);
}

/// True if the line was one before the rows.
bool take_line(const FileView& file, std::size_t number, const Fields& fields,
               const std::vector<Column>& given, Preamble& preamble) {
  if (is_header(fields, given) && !is_row_with_picture(fields, preamble)) {
    if (!preamble.header.empty()) return false;  // the reader of rows refuses it
    preamble.header = fields;
    preamble.header_line = number;
    return true;
  }
  if (!given.empty() && fields.size() >= given.size()) return false;
  if (!take_block_line(fields, preamble)) return false;
  if (preamble.numbers.size() <= 3) return true;
  refuse_line(file, number,
              "one number a line is a list of one quantity, as Tipsy's array files are; choose the file of "
              "the bodies");
}

Preamble read_preamble(const FileView& file, std::string_view text, const std::vector<Column>& given) {
  Preamble preamble;
  TextLines lines(text);
  Fields fields;
  std::string_view line;
  while (true) {
    preamble.data_offset = lines.offset();
    preamble.data_line = lines.number();
    if (!lines.next(line)) return preamble;
    const auto [content, comment] = split_comment(line);
    if (!comment.empty()) take_comment(comment, preamble);
    if (content.empty()) continue;
    preamble.separator = separator_of(content);
    split_fields(content, preamble.separator, fields);
    drop_empty_end(fields);
    if (!take_line(file, lines.number(), fields, given, preamble)) break;
  }
  preamble.has_rows = true;
  return preamble;
}

// ---- Layouts by the numbers alone ----

Sample read_sample(std::string_view text, const Preamble& preamble) {
  constexpr std::size_t most_rows = 1000;
  Sample sample;
  TextLines lines(text.substr(preamble.data_offset));
  Fields fields;
  std::string_view line;
  while (sample.size() < most_rows && lines.next(line)) {
    const auto content = split_comment(line).content;
    if (content.empty()) continue;
    split_fields(content, preamble.separator, fields);
    drop_empty_end(fields);
    if (!sample.empty() && fields.size() != sample.front().size()) break;
    auto& row = sample.emplace_back();
    for (const auto field : fields) row.push_back(parse_number(field).value_or(NAN));
  }
  return sample;
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

/// Which end holds the masses: the one that is nowhere negative, else the one that is not all zero, else the
/// one of fewer different values.
bool mass_is_last(const Sample& sample) {
  const std::size_t last = sample.front().size() - 1;
  const bool first_fits = every_row(sample, 0, not_negative);
  const bool last_fits = every_row(sample, last, not_negative);
  if (first_fits != last_fits) return last_fits;
  const bool first_is_zero = every_row(sample, 0, is_zero);
  const bool last_is_zero = every_row(sample, last, is_zero);
  if (first_is_zero != last_is_zero) return first_is_zero;
  return distinct(sample, last) < distinct(sample, 0);
}

/// 0, 1, 2, ... or 1, 2, 3, ...; two rows could be masses. Of many rows, whole numbers that are all
/// different.
bool counts_up(const Sample& sample) {
  constexpr std::size_t many = 16;
  if (sample.size() >= many && every_row(sample, 0, is_integer) && distinct(sample, 0) == sample.size())
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
    return {"x,y,vx,vy,mass,-,-,-", "N, R, then x y vx vy mass r g b"};
  }
  if (preamble.numbers.size() >= 2 || looks_like_ids(sample)) return {with_id, "id mass x y z vx vy vz"};
  if (is_color(7)) return {"mass,x,y,z,vx,vy,vz,-", "mass x y z vx vy vz label"};
  return {};
}

Guess guess_of_six(const Sample& sample, const Preamble& preamble) {
  const auto is_text = [](double value) { return std::isnan(value); };
  if (preamble.numbers.size() == 2 && every_row(sample, 5, is_text))
    return {"x,y,vx,vy,mass,-", "N, R, then x y vx vy mass picture"};
  return {"x,y,z,vx,vy,vz", "x y z vx vy vz"};
}

Guess guess_columns(const Sample& sample, const Preamble& preamble) {
  switch (sample.front().size()) {
    case 3:
      return {"x,y,z", "x y z"};
    case 4:
      if (ids_without_masses(sample)) return {"id,x,y,z", "id x y z"};
      if (mass_is_last(sample)) return {"x,y,z,mass", "x y z mass"};
      return {"mass,x,y,z", "mass x y z"};
    case 6:
      return guess_of_six(sample, preamble);
    case 7:
      if (ids_without_masses(sample)) return {"id,x,y,z,vx,vy,vz", "id x y z vx vy vz"};
      if (mass_is_last(sample)) return {"x,y,z,vx,vy,vz,mass", "x y z vx vy vz mass"};
      return {mass_first, "mass x y z vx vy vz"};
    case 8:
      return guess_of_eight(sample, preamble);
    case 11:
      if (preamble.numbers.size() != 2) return {};
      return {"id,mass,x,y,z,vx,vy,vz,-,-,-", "time, N, then id mass x y z vx vy vz phi rho nn"};
    default:
      return {};
  }
}

void guess_layout(const FileView& file, std::string_view text, const Preamble& preamble,
                  TableLayout& layout) {
  const Sample sample = read_sample(text, preamble);
  const auto guess = guess_columns(sample, preamble);
  if (guess.columns.empty()) {
    refuse_line(
        file, preamble.data_line + 1,
        fmt::format("{} of no known layout; name them, as in --columns mass,x,y,z,vx,vy,vz",
                    counted(sample.front().size(), "column without a name is", "columns without names are")));
  }
  layout.columns = columns_of_option(guess.columns);
  layout.description = fmt::format("no header, taken as {}", guess.name);
  layout.notes.push_back(
      fmt::format("columns without names were taken as {}; --columns overrides this", guess.name));
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
  layout.description = fmt::format("{} {}", what, joined(names));
  note_ignored(names, layout);
}

void choose_columns(const FileView& file, std::string_view text, const Preamble& preamble,
                    const std::vector<Column>& given, TableLayout& layout) {
  if (!given.empty()) {
    layout.columns = given;
    layout.description = "columns as named by the user";
    return;
  }
  if (!preamble.header.empty()) {
    take_names(preamble.header, "header", layout);
    if (names_positions(layout.columns)) return;
    refuse_line(
        file, preamble.header_line,
        fmt::format("no number and no header that names x and y ('{}'); name the columns, as in --columns "
                    "mass,x,y,z,vx,vy,vz",
                    joined(preamble.header)));
  }
  if (!preamble.has_rows) return;
  const auto sample = read_sample(text, preamble);
  if (preamble.comment_header.size() == sample.front().size()) {
    return take_names(preamble.comment_header, "comment header", layout);
  }
  guess_layout(file, text, preamble, layout);
}

/// The second of two lines before the rows is the radius of what they hold, not the time: files of planar
/// universes (Princeton's) begin so.
bool block_holds_radius(const Preamble& preamble, const TableLayout& layout) {
  if (preamble.numbers.size() != 2) return false;
  const bool guessed = layout.description.find("N, R") != std::string::npos;
  return guessed || (!preamble.count_first && !layout.has(Column::z));
}

/// A block before the rows: "N", "N time", "N / R or time", "time / N" (11 columns), "step / N / time".
void take_block(const FileView& file, const Preamble& preamble, TableLayout& layout) {
  const auto& numbers = preamble.numbers;
  layout.time = preamble.time.value_or(0.0);
  if (numbers.empty()) return;
  const bool count_second = numbers.size() == 3 || (numbers.size() == 2 && layout.columns.size() == 11);
  const double count = numbers[count_second ? 1 : 0];
  constexpr double largest = 1e15;
  if (!is_integer(count) || count < 0.0 || count > largest) {
    refuse_line(
        file, preamble.data_line,
        fmt::format("the numbers before the rows give no number of bodies ('{}'); give one of them as in "
                    "step, N, time",
                    count));
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

std::optional<Column> column_from_name(std::string_view name) {
  const auto plain = normalized(name);
  const auto found = std::ranges::find_if(synonyms, [&](const Synonym& s) { return s.name == plain; });
  if (found == synonyms.end()) return std::nullopt;
  return found->column;
}

std::string plain_column_name(std::string_view name) { return normalized(name); }

RowColumns columns_of_rows(const std::vector<std::vector<double>>& rows, std::string_view named) {
  if (!named.empty()) return {columns_of_option(named), std::string(named)};
  const auto guess = rows.empty() ? Guess{} : guess_columns(rows, {});
  if (guess.columns.empty()) return {};
  return {columns_of_option(guess.columns), std::string(guess.name)};
}

bool TableLayout::has(Column column) const { return contains(columns, column); }

TableLayout find_layout(const FileView& file, std::string_view text, std::string_view columns) {
  const auto given = columns.empty() ? std::vector<Column>{} : columns_of_option(columns);
  const Preamble preamble = read_preamble(file, text, given);
  TableLayout layout;
  layout.separator = preamble.separator;
  layout.data_offset = preamble.data_offset;
  layout.data_line = preamble.data_line;
  choose_columns(file, text, preamble, given, layout);
  take_block(file, preamble, layout);
  return layout;
}

void refuse_line(const FileView& file, std::size_t line, std::string_view what) {
  cannot_read(file.path, fmt::format("line {}: {}", line, what));
}

}  // namespace orrery::sim
