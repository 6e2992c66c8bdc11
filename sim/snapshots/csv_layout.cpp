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

using Columns = std::vector<Column>;
using Texts = std::vector<std::vector<std::string>>;
/// For each column what its words are; empty: numbers.
using Words = std::vector<std::optional<Column>>;

/// The first rows: their texts, and the numbers of each column (not a number: text).
struct Rows {
  std::vector<Fields> texts;
  std::vector<std::vector<double>> columns;
};
constexpr std::size_t most_rows = 1000;  ///< that are looked at

/// Empty fields at the end go, but so many fields stay. Under tabs that are there twice, or that are missing,
/// blanks separate.
void split_row(std::string_view content, Separator separator, std::size_t expected, std::size_t fewest,
               Fields& fields) {
  split_fields(content, separator, fields);
  drop_empty_end(fields, fewest);
  if (separator != Separator::tab || fields.size() == expected) return;
  drop_empty_end(fields);
  Fields others;
  split_fields(content, Separator::blanks, others);
  if (others.size() == expected) fields = std::move(others);
}

// ---- Columns of words ----

bool is_text(const Rows& rows, std::size_t column) {
  return std::ranges::all_of(rows.columns[column], [](double number) { return std::isnan(number); });
}

/// Reads an unnamed column of words: components if all are, else names; pictures of planets, as Princeton's
/// exercise has them, are skipped.
Column column_of_words(const Rows& rows, std::size_t column) {
  constexpr std::array<std::string_view, 4> of_pictures{".gif", ".png", ".jpg", ".jpeg"};
  const auto all = [&](auto test) {
    return std::ranges::all_of(rows.texts, [&](const Fields& row) { return test(row[column]); });
  };
  if (all([](auto text) { return text.empty() || parse_number(text).has_value(); })) return Column::skip;
  if (all([](auto text) { return component_of_text(text).has_value(); })) return Column::component;
  const auto is_picture = [&](std::string_view text) {
    return std::ranges::any_of(of_pictures, [&](auto end) { return text.ends_with(end); });
  };
  return all(is_picture) ? Column::skip : Column::name;
}

Words columns_of_words(const Rows& rows) {
  Words words(rows.columns.size());
  for (std::size_t k = 0; k < words.size(); ++k)
    if (is_text(rows, k)) words[k] = column_of_words(rows, k);
  return words;
}

/// Several numbers between two separators: another kind of separator is between them.
bool holds_numbers(std::string_view field) {
  const auto holds_more = [&](std::size_t most, Separator separator) {
    Fields parts;
    split_fields(field, separator, parts);
    return parts.size() > most && are_numbers(parts);
  };
  constexpr std::size_t of_decimal_comma = 2;
  return holds_more(1, Separator::blanks) || holds_more(of_decimal_comma, Separator::comma);
}

/// A layout of the columns of numbers, with those of words between them. A second column of names is skipped.
Columns with_words(Columns columns, const Words& words) {
  for (std::size_t k = 0; k < words.size(); ++k)
    if (words[k])
      columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(k),
                     contains(columns, *words[k]) ? Column::skip : *words[k]);
  return columns;
}

/// Asks which columns these are.
[[noreturn]] void ask(const std::string& where, const ColumnGuess& guess, Texts shown, const Words& words) {
  constexpr std::size_t most_in_line = 50;
  std::vector<Columns> found;
  for (const auto& each : guess.candidates) found.push_back(with_words(each, words));
  auto question = question_of(std::move(shown), found);
  std::string examples;
  for (const auto& [columns, gives] : question.proposals)
    if (examples.size() < most_in_line && columns.size() < 2 * most_in_line)
      examples += fmt::format("{}--columns {}", examples.empty() ? "" : " or ", columns);
  const std::string_view why =
      guess.directions   ? "may be directions on the sky (then name them in a first line: ra dec distance)"
      : guess.turned     ? "may be bodies, each line a quantity (then write one body a line)"
      : found.size() > 1 ? "fit several layouts"
                         : "fit no common layout for sure";
  if (examples.empty()) examples = "--columns mass,x,y,z,vx,vy,vz, where - skips one";
  throw UnclearColumns(
      fmt::format("{}{}, which {}; name them, as in {}", where,
                  counted(words.size(), "column without a name", "columns without names"), why, examples),
      std::move(question));
}

/// The first rows as people read them; none of too many columns.
template <typename TextAt>
Texts shown_rows(std::size_t rows, std::size_t columns, const TextAt& text_at) {
  const bool too_many = columns > ColumnQuestion::most_columns;
  Texts shown(too_many ? 0 : std::min(rows, ColumnQuestion::most_rows));
  for (std::size_t i = 0; i < shown.size(); ++i)
    for (std::size_t k = 0; k < columns; ++k) shown[i].push_back(text_at(i, k));
  return shown;
}

/// The meanings of columns of numbers, with those of words between them. Asks where the numbers do not
/// decide, and where there are too many columns to show.
Columns guessed_columns(const std::string& where, const std::vector<std::vector<double>>& numbers,
                        Texts shown, const Words& words, std::span<const double> block) {
  const auto named = std::ranges::count(words, Column::name) > 0;
  const auto guess = shown.empty() || numbers.empty() ? ColumnGuess() : guess_columns(numbers, named, block);
  if (!guess.clear) ask(where, guess, std::move(shown), words);
  return with_words(guess.candidates.front(), words);
}

class LayoutFinder {
 public:
  LayoutFinder(const FileView& file, std::string_view text, Preamble preamble)
      : file_(file), text_(text), layout_{std::move(preamble)} {}

  /// `option`: names of the columns, if the user gave some, and `given` what they mean.
  TableLayout find(std::string_view option, const Columns& given) {
    layout_.named_by_user = !given.empty();
    if (layout_.has_rows && line_of_names(layout_.headers, layout_.row_fields) == nullptr)
      refuse_decimal_commas();
    const auto* const header = layout_.named_by_user ? nullptr : take_header();
    if (layout_.named_by_user) {
      layout_.columns = given;
      layout_.description = "columns as named by the user";
    }
    if (layout_.has_rows) take_rows(header);
    if (layout_.named_by_user) take_units_of_names(fields_of(option, Separator::comma));
    layout_.time = layout_.time.value_or(0.0);
    if (!layout_.numbers.empty()) take_block();
    return std::move(layout_);
  }

 private:
  const FileView& file_;
  std::string_view text_;
  TableLayout layout_;
  Rows rows_;

  [[noreturn]] void refuse_first_row(std::string_view what) const {
    refuse_line(file_, layout_.data_line + 1, what);
  }

  void take_rows(const NamesLine* header) {
    read_rows();
    settle_commas();
    if (header != nullptr) ask_for_velocity(*header);
    if (header == nullptr && !layout_.named_by_user) guess();
    take_units_of_lines(layout_.words);
    take_units_of_lines(layout_.remarks);
    if (const auto& left_out = layout_.words; !left_out.empty())
      layout_.notes.push_back(fmt::format("before the rows, {} left out: {}",
                                          counted(left_out.size(), "line was", "lines were"),
                                          printable(left_out.front().text, 100)));
    settle_names();
  }

  void read_rows() {
    TextLines lines(text_.substr(layout_.data_offset));
    Fields fields;
    for (std::string_view content; rows_.texts.size() < most_rows && lines.next_row(content);) {
      split_row(content, layout_.separator, layout_.row_fields, 0, fields);
      if (!rows_.texts.empty() && fields.size() != rows_.columns.size()) break;
      rows_.texts.push_back(fields);
      rows_.columns.resize(fields.size());
      for (std::size_t k = 0; k < fields.size(); ++k)
        rows_.columns[k].push_back(
            parse_number(fields[k]).value_or(parse_decimal_comma(fields[k]).value_or(NAN)));
    }
  }

  Texts shown_texts() const {
    return shown_rows(rows_.texts.size(), rows_.columns.size(),
                      [&](std::size_t i, std::size_t k) { return readable(rows_.texts[i][k], 32); });
  }

  /// Refuses a table whose lines are quantities and whose columns are bodies.
  void refuse_turned(std::size_t column) const {
    Fields names;
    for (const auto& row : rows_.texts) names.push_back(row[column]);
    if (names_positions(columns_of(names)))
      refuse_first_row(fmt::format("column {} names quantities ({}): write one body a line below these names",
                                   column + 1, joined(names)));
  }

  void guess() {
    for (const auto& row : rows_.texts)
      for (const auto field : row)
        if (holds_numbers(field))
          refuse_first_row(
              fmt::format("'{}' stands between two separators and holds several numbers: separate all "
                          "columns by one sign, and name them, as in --columns x,y,z,vx,vy,vz",
                          printable(field, 40)));
    const auto words = columns_of_words(rows_);
    std::vector<std::vector<double>> numbers;
    for (std::size_t k = 0; k < words.size(); ++k) {
      if (!words[k]) numbers.push_back(rows_.columns[k]);
      if (words[k] == Column::name) refuse_turned(k);
    }
    layout_.columns =
        guessed_columns(fmt::format("cannot read {}: line {}: ", quoted(file_.path), layout_.data_line + 1),
                        numbers, shown_texts(), words, layout_.numbers);
    layout_.guessed = text_of(layout_.columns, ' ');
    layout_.description = fmt::format("no header, taken as {}", layout_.guessed);
    layout_.notes.push_back(fmt::format(
        "columns without names were taken as {}, the one layout that fits; --columns overrides this",
        layout_.guessed));
    if (layout_.has(Column::skip)) layout_.notes.emplace_back("columns under - were ignored");
  }

  // ---- Layouts by names ----

  /// Notes the meanings of names, except of those that are the meaning itself.
  void take_names(const Fields& names, std::string_view what) {
    layout_.columns = columns_of(names);
    drop_partial_velocity(layout_.columns);
    layout_.description = fmt::format("{} {}", what, joined(names));
    std::vector<std::string> meanings;
    Fields ignored;
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto column = layout_.columns[k];
      if (column == Column::skip)
        ignored.push_back(names[k]);
      else if (!same_letters(names[k], name_of(column)))
        meanings.push_back(fmt::format("{} as {}", printable(names[k]), name_of(column)));
    }
    if (!meanings.empty())
      layout_.notes.push_back(fmt::format("columns read: {}", fmt::join(meanings, ", ")));
    if (!ignored.empty()) layout_.notes.push_back(fmt::format("columns ignored: {}", joined(ignored)));
  }

  /// Ids that are words are names.
  void settle_names() {
    for (std::size_t k = 0; k < std::min(layout_.columns.size(), rows_.columns.size()); ++k)
      if (layout_.columns[k] == Column::id && is_text(rows_, k))
        layout_.columns[k] = layout_.has(Column::name) ? Column::skip : Column::name;
  }

  [[noreturn]] void refuse_header(const NamesLine& line) const {
    const bool has_bars = line.names.size() == 1 && line.text.find('|') != std::string_view::npos;
    const auto text = printable(line.text, 100);
    refuse_line(
        file_, line.number,
        has_bars
            ? fmt::format("its columns are separated by '|' ('{}'); separate them by commas, semicolons, "
                          "tabs or blanks",
                          text)
            : fmt::format("no number and no header that names x and y ('{}'); name the columns, as in "
                          "--columns mass,x,y,z,vx,vy,vz",
                          text));
  }

  /// Names of as many columns as the rows have, in a line before those in a comment. Else a header that does
  /// not fit, so that the reader of rows says where.
  const NamesLine* take_header() {
    const auto count = layout_.row_fields;
    const auto& words = layout_.words;
    const auto* header = line_of_names(layout_.headers, count);
    const auto* const comment = line_of_names(layout_.comment_headers, count);
    if (header == nullptr && comment == nullptr && !layout_.headers.empty()) header = &layout_.headers.back();
    if (const auto* const line = header != nullptr ? header : comment; line != nullptr) {
      take_names(line->names, header != nullptr ? "header" : "comment header");
      take_units_of_names(line->names);
      return line;
    }
    if (!words.empty() && words.back().names.size() == count) refuse_header(words.back());
    if (!words.empty() && !layout_.has_rows) refuse_header(words.front());
    return nullptr;
  }

  /// Asks where names may be those of velocities: without these the bodies would be at rest.
  void ask_for_velocity(const NamesLine& line) const {
    if (line.names.size() != rows_.columns.size()) return;
    const auto& columns = layout_.columns;
    const auto wider = with_possible_velocity(line.names, columns);
    if (wider == columns) return;
    Fields unclear;
    for (std::size_t k = 0; k < wider.size(); ++k)
      if (wider[k] != columns[k]) unclear.push_back(line.names[k]);
    throw UnclearColumns(
        fmt::format(
            "cannot read {}: line {}: {} may be velocities or, as momenta, not; name the columns, as in "
            "--columns x,y,z,vx,vy,vz, where - skips one",
            quoted(file_.path), line.number, joined(unclear)),
        question_of(shown_texts(), std::array{wider, columns}));
  }

  // ---- Units ----

  void take_units(const Fields& units, const Fields& names) {
    for (std::size_t k = 0; k < std::min(units.size(), layout_.columns.size()); ++k)
      if (const auto kind = unit_kind(layout_.columns[k]))
        layout_.units.take(file_, *kind, units[k],
                           k < names.size() ? names[k] : fmt::format("column {}", k + 1));
  }

  /// Behind the names of columns.
  void take_units_of_names(const Fields& names) {
    Fields units(names.size());
    std::ranges::transform(names, units.begin(), unit_of_name);
    take_units(units, names);
  }

  /// In lines below the names, and in comments that speak of units.
  void take_units_of_lines(std::vector<NamesLine>& lines) {
    std::erase_if(lines, [&](const NamesLine& line) {
      const bool is_line = line.names.size() == layout_.columns.size() && is_line_of_units(line.names);
      const auto stated = is_line ? std::vector<NamedUnit>() : units_in_words(line.text);
      if (is_line) take_units(line.names, {});
      for (const auto& unit : stated) layout_.units.take_comment(unit);
      return is_line || !stated.empty();
    });
  }

  // ---- Commas and the block of numbers ----

  /// Rows of decimal commas that commas or blanks separate.
  void refuse_decimal_commas() {
    if (layout_.separator != Separator::comma) return;
    TextLines lines(text_.substr(layout_.data_offset));
    std::string_view content;
    bool tabs_only = true;
    for (std::size_t rows = 0; rows < 100 && lines.next_row(content); ++rows) {
      if (!is_row_of_decimal_commas(content)) return;
      tabs_only = tabs_only && content.find(' ') == std::string_view::npos;
    }
    if (tabs_only) return void(layout_.separator = Separator::tab);
    refuse_first_row(
        "its numbers have a decimal comma, and nothing but blanks between them; write decimal points, or "
        "separate the columns by semicolons");
  }

  /// Where fields have commas in them: whether these are decimal ones.
  void settle_commas() {
    NumberCommas commas;
    for (const auto& row : rows_.texts)
      for (const auto field : row) commas.take(field);
    if (const auto problem = commas.problem(); !problem.empty()) refuse_first_row(problem);
    layout_.decimal_commas = commas.found();
    if (commas.found()) layout_.notes.emplace_back("commas in numbers were taken as decimal commas");
  }

  /// True if two numbers are time and N: the first is no count, or only N is that of all rows.
  bool is_time_first() const {
    const auto& numbers = layout_.numbers;
    const auto seen = rows_.texts.size();
    const auto counts = [&](double number) {
      return seen < most_rows && number == static_cast<double>(seen);
    };
    return numbers.size() == 2 && is_integer(numbers[1]) && numbers[1] >= 1.0 &&
           (!is_integer(numbers[0]) || numbers[0] < 1.0 || (counts(numbers[1]) && !counts(numbers[0])));
  }

  /// A block before the rows: "N", "N time", "N / R or time", "time / N", "step / N / time".
  void take_block() {
    const auto& numbers = layout_.numbers;
    const bool count_second =
        numbers.size() == 3 || is_time_first() || (numbers.size() == 2 && layout_.columns.size() == 11);
    const double count = numbers[count_second ? 1 : 0];
    constexpr double largest = 1e15;
    if (!is_integer(count) || count < 0.0 || count > largest) {
      if (layout_.named_by_user)
        return void(layout_.notes.emplace_back("the numbers before the rows were left out"));
      refuse_line(
          file_, layout_.data_line,
          fmt::format("the numbers before the rows give no number of bodies ('{}'); give one of them as in "
                      "step, N, time, or leave the lines out by --set skip={}",
                      count, layout_.data_line));
    }
    layout_.count = static_cast<std::uint64_t>(count);
    if (numbers.size() == 3) layout_.time = numbers[2];
    // Files of planar universes (Princeton's) begin so.
    const bool holds_radius = numbers.size() == 2 && !count_second && !layout_.has(Column::z);
    if (holds_radius) {
      layout_.notes.push_back(fmt::format(
          "the second number before the rows, {:g}, was taken as a radius, not as the time", numbers[1]));
    } else if (numbers.size() == 2) {
      layout_.time = numbers[count_second ? 0 : 1];
    }
    if (!std::isfinite(*layout_.time))
      refuse_line(file_, layout_.data_line, "the time is not finite; correct it");
  }
};

}  // namespace

Columns columns_of_numbers(const FileView& file, const std::vector<std::vector<double>>& columns) {
  return guessed_columns(
      fmt::format("cannot read {}: ", quoted(file.path)), columns,
      shown_rows(columns.front().size(), columns.size(),
                 [&](std::size_t i, std::size_t k) { return fmt::format("{:.6g}", columns[k][i]); }),
      Words(columns.size()), {});
}

bool TableLayout::has(Column column) const { return contains(columns, column); }

void split_row(std::string_view content, const TableLayout& layout, Fields& fields) {
  const auto expected = layout.columns.size();
  split_row(content, layout.separator, expected, expected, fields);
}

TableLayout find_layout(const FileView& file, std::string_view text, std::string_view columns,
                        std::size_t skipped) {
  const auto given = columns.empty() ? Columns{} : columns_of_option(columns);
  return LayoutFinder(file, text, read_preamble(file, text, given, skipped)).find(columns, given);
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
