#include "sim/snapshots/csv_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/bodies/components.h"
#include "sim/core/counted.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/snapshots/csv_guess.h"
#include "sim/snapshots/csv_preamble.h"

namespace orrery::sim {

namespace {

/// The first rows: the texts and the numbers in them (not a number: text).
struct Rows {
  std::vector<Fields> texts;
  std::vector<std::vector<double>> numbers;
};
using Sample = std::vector<std::vector<double>>;
constexpr std::size_t most_rows = 1000;  ///< that are looked at

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

// ---- Columns of words ----

bool is_text(const Rows& rows, std::size_t column) {
  return std::ranges::all_of(rows.numbers, [&](const auto& row) { return std::isnan(row[column]); });
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
  if (all([](auto text) { return text.empty() || parse_number(text).has_value(); })) return Column::skip;
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

/// A layout of the columns of numbers, with those of words between them. A second column of names is skipped.
std::vector<Column> with_words(std::vector<Column> columns, const std::vector<std::optional<Column>>& words) {
  for (std::size_t k = 0; k < words.size(); ++k)
    if (words[k])
      columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(k),
                     contains(columns, *words[k]) ? Column::skip : *words[k]);
  return columns;
}

using Texts = std::vector<std::vector<std::string>>;

/// Asks which columns these are.
[[noreturn]] void ask(const std::string& where, const ColumnGuess& guess, Texts shown,
                      const std::vector<std::optional<Column>>& words) {
  constexpr std::size_t most_in_line = 50;
  const auto& found = guess.candidates;
  ColumnQuestion question{.rows = std::move(shown), .proposals = {}};
  std::string examples;
  for (std::size_t k = 0; k < std::min(found.size(), ColumnQuestion::most_proposals); ++k) {
    const auto columns = with_words(found[k], words);
    question.proposals.push_back({text_of(columns), outcome_of(question, columns)});
    const auto& text = question.proposals.back().columns;
    if (examples.size() < most_in_line && text.size() < 2 * most_in_line)
      examples += fmt::format("{}--columns {}", examples.empty() ? "" : " or ", text);
  }
  const std::string_view why =
      guess.directions   ? "may be directions on the sky (then name them in a first line: ra dec distance)"
      : found.size() > 1 ? "fit several layouts"
                         : "fit no common layout for sure";
  if (examples.empty()) examples = "--columns mass,x,y,z,vx,vy,vz, where - skips one";
  throw UnclearColumns(
      fmt::format("{}{}, which {}; name them, as in {}", where,
                  counted(words.size(), "column without a name", "columns without names"), why, examples),
      std::move(question));
}

/// The first rows as people read them; none of too many columns.
template <typename Field, typename AsText>
Texts shown_rows(const std::vector<std::vector<Field>>& fields, const AsText& as_text) {
  Texts shown(fields.front().size() > ColumnQuestion::most_columns
                  ? 0
                  : std::min(fields.size(), ColumnQuestion::most_rows));
  for (std::size_t k = 0; k < shown.size(); ++k)
    std::ranges::transform(fields[k], std::back_inserter(shown[k]), as_text);
  return shown;
}

std::string shortened(std::string_view field) { return readable(field, 32); }

/// The columns of rows with the numbers of `sample`. Asks where these do not decide, and where there are too
/// many columns to show.
std::vector<Column> guessed_columns(const std::string& where, const Sample& sample, Texts shown,
                                    const std::vector<std::optional<Column>>& words,
                                    std::span<const double> block) {
  const auto named = std::ranges::count(words, Column::name) > 0;
  const bool guessed = !shown.empty() && !sample.front().empty();
  const auto guess = guessed ? guess_columns(sample, named, block) : ColumnGuess();
  if (!guess.clear) ask(where, guess, std::move(shown), words);
  return with_words(guess.candidates.front(), words);
}

void guess_layout(const FileView& file, const Preamble& preamble, const Rows& rows, TableLayout& layout) {
  refuse_mixed_separators(file, preamble, rows);
  const auto words = columns_of_words(rows);
  layout.columns =
      guessed_columns(fmt::format("cannot read {}: line {}: ", quoted(file.path), preamble.data_line + 1),
                      without_words(rows, words), shown_rows(rows.texts, shortened), words, preamble.numbers);
  layout.guessed = text_of(layout.columns, ' ');
  layout.description = fmt::format("no header, taken as {}", layout.guessed);
  layout.notes.push_back(fmt::format(
      "columns without names were taken as {}, the one layout that fits; --columns overrides this",
      layout.guessed));
  if (layout.has(Column::skip)) layout.notes.emplace_back("columns under - were ignored");
}

// ---- Layouts by names ----

/// Notes the meanings of names, except of those that are the meaning itself.
void note_meanings(const Fields& names, TableLayout& layout) {
  std::vector<std::string> meanings;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (layout.columns[k] != Column::skip && !same_letters(names[k], name_of(layout.columns[k])))
      meanings.push_back(fmt::format("{} as {}", printable(names[k]), name_of(layout.columns[k])));
  if (!meanings.empty()) layout.notes.push_back(fmt::format("columns read: {}", fmt::join(meanings, ", ")));
}

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
  note_meanings(names, layout);
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
const NamesLine* take_header(const FileView& file, const Preamble& preamble, TableLayout& layout) {
  const auto count = preamble.row_fields;
  const auto* header = line_of_names(preamble.headers, count);
  const auto* const comment = line_of_names(preamble.comment_headers, count);
  if (header == nullptr && comment == nullptr && !preamble.headers.empty()) header = &preamble.headers.back();
  if (const auto* const line = header != nullptr ? header : comment; line != nullptr) {
    take_names(line->names, header != nullptr ? "header" : "comment header", layout);
    take_units_of_names(file, line->names, layout);
    return line;
  }
  const bool names_others = !preamble.words.empty() && preamble.words.back().names.size() == count;
  const bool has_no_rows = !preamble.has_rows && !preamble.words.empty();
  if (names_others || has_no_rows)
    refuse_header(file, names_others ? preamble.words.back() : preamble.words.front());
  return nullptr;
}

/// Asks where names may be those of velocities: without these the bodies would be at rest.
void ask_for_velocity(const FileView& file, const NamesLine& line, const Rows& rows,
                      const TableLayout& layout) {
  if (line.names.size() != rows.texts.front().size()) return;
  const auto wider = with_possible_velocity(line.names, layout.columns);
  if (wider == layout.columns) return;
  ColumnQuestion question{.rows = shown_rows(rows.texts, shortened), .proposals = {}};
  Fields unclear;
  for (std::size_t k = 0; k < wider.size(); ++k)
    if (wider[k] != layout.columns[k]) unclear.push_back(line.names[k]);
  if (!question.rows.empty())
    for (const auto& columns : {wider, layout.columns})
      question.proposals.push_back({text_of(columns), outcome_of(question, columns)});
  throw UnclearColumns(
      fmt::format(
          "cannot read {}: line {}: {} may be velocities or, as momenta, not; name the columns, as in "
          "--columns x,y,z,vx,vy,vz, where - skips one",
          quoted(file.path), line.number, joined(unclear)),
      std::move(question));
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
  NumberCommas commas;
  for (const auto& row : rows.texts)
    for (const auto field : row) commas.take(field);
  if (!commas.found()) return;
  if (const auto problem = commas.problem(); !problem.empty())
    refuse_line(file, preamble.data_line + 1, problem);
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
  const auto* const header = given.empty() ? take_header(file, preamble, layout) : nullptr;
  layout.columns = given.empty() ? layout.columns : given;
  layout.named_by_user = !given.empty();
  if (layout.named_by_user) layout.description = "columns as named by the user";
  if (!preamble.has_rows) return;
  const auto rows = read_rows(text, preamble);
  preamble.rows_seen = rows.texts.size();
  settle_commas(file, preamble, rows, layout);
  if (header != nullptr) ask_for_velocity(file, *header, rows, layout);
  if (header == nullptr && given.empty()) guess_layout(file, preamble, rows, layout);
  take_units_of_lines(file, preamble.words, layout);
  take_units_of_lines(file, preamble.remarks, layout);
  note_words(preamble, layout);
  settle_names(rows, layout);
}

/// The second of two numbers before the rows is the radius of what they hold, not the time: files of planar
/// universes (Princeton's) begin so.
bool block_holds_radius(const Preamble& preamble, const TableLayout& layout) {
  return preamble.numbers.size() == 2 && !layout.has(Column::z);
}

/// Of time and N the time is no count, or N is that of all rows and it is not.
bool is_time_first(const Preamble& preamble) {
  const auto& numbers = preamble.numbers;
  const auto counts = [&](double number) {
    return preamble.rows_seen < most_rows && number == static_cast<double>(preamble.rows_seen);
  };
  return numbers.size() == 2 && is_integer(numbers[1]) && numbers[1] >= 1.0 &&
         (!is_integer(numbers[0]) || numbers[0] < 1.0 || (counts(numbers[1]) && !counts(numbers[0])));
}

/// A block before the rows: "N", "N time", "N / R or time", "time / N", "step / N / time".
void take_block(const FileView& file, const Preamble& preamble, bool columns_given, TableLayout& layout) {
  const auto& numbers = preamble.numbers;
  layout.time = preamble.time.value_or(0.0);
  if (numbers.empty()) return;
  const bool count_second =
      numbers.size() == 3 || is_time_first(preamble) || (numbers.size() == 2 && layout.columns.size() == 11);
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
  if (!count_second && block_holds_radius(preamble, layout)) {
    layout.notes.push_back(fmt::format(
        "the second number before the rows, {:g}, was taken as a radius, not as the time", numbers[1]));
  } else if (numbers.size() == 2) {
    layout.time = numbers[count_second ? 0 : 1];
  }
  if (!std::isfinite(layout.time))
    refuse_line(file, preamble.data_line, "the time is not finite; correct it");
}

}  // namespace

std::vector<Column> columns_of_rows(const FileView& file, const std::vector<std::vector<double>>& rows) {
  return guessed_columns(fmt::format("cannot read {}: ", quoted(file.path)), rows,
                         shown_rows(rows, [](double value) { return fmt::format("{:.6g}", value); }),
                         std::vector<std::optional<Column>>(rows.front().size()), {});
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
