#include "sim/snapshots/csv_preamble.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/core/counted.h"
#include "sim/core/letters.h"
#include "sim/core/mapped_file.h"
#include "sim/core/message.h"

namespace orrery::sim {

namespace {

bool is_letter(char c) { return to_lower(c) >= 'a' && to_lower(c) <= 'z'; }

/// The number behind such a word at that place, and behind one of "=" and ":", which a letter alone needs.
std::optional<double> time_behind(std::string_view text, std::size_t at, std::string_view word) {
  if (at > 0 && is_letter(text[at - 1])) return std::nullopt;
  if (!same_letters(text.substr(at, word.size()), word)) return std::nullopt;
  auto rest = trimmed(text.substr(at + word.size()));
  const bool marked = rest.starts_with('=') || rest.starts_with(':');
  if (word.size() == 1 && !marked) return std::nullopt;
  if (marked) rest = trimmed(rest.substr(1));
  const auto value = parse_number(rest.substr(0, rest.find_first_of(" \t,;")));
  return value && std::isfinite(*value) ? value : std::nullopt;
}

/// The time that words like "time = 0.5" or "t=3" say; empty: none.
std::optional<double> time_in(std::string_view words) {
  // "t 0.5" and nothing else; in a sentence a letter needs a mark.
  Fields fields;
  split_fields(words, Separator::blanks, fields);
  if (fields.size() == 2 && (fields[0] == "t" || fields[0] == "T"))
    if (const auto time = parse_number(fields[1]); time && std::isfinite(*time)) return time;
  for (std::size_t at = 0; at < words.size(); ++at)
    for (const std::string_view word : {"time", "t"})
      if (const auto time = time_behind(words, at, word)) return time;
  return std::nullopt;
}

/// The quantities that the names of a line mean: with tabs between them if that is how they make sense.
NamesLine names_of(std::string_view text, std::size_t number) {
  NamesLine line{text, {}, number, separator_of(text)};
  if (line.separator == Separator::blanks && text.find('\t') != std::string_view::npos)
    if (auto names = fields_of(text, Separator::tab); names_positions(columns_of(names)))
      return {text, std::move(names), number, Separator::tab};
  split_names(text, line.separator, line.names);
  drop_empty_end(line.names);
  return line;
}

/// Every field that must be a number is one, and one is at least.
bool fits(const Fields& fields, const std::vector<Column>& columns) {
  constexpr std::array may_be_words{Column::skip, Column::component, Column::name, Column::id};
  bool has_number = false;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const bool is_number = is_numeric(fields[k]),
               is_needed = std::ranges::count(may_be_words, columns[k]) == 0;
    if (is_needed && !is_number && !fields[k].empty()) return false;
    has_number = has_number || is_number;
  }
  return has_number;
}

/// Files can begin with settings of a program, one or a few numbers a line, more than step, N and time. They
/// have at most half as many fields as the rows: the lines of one width that hold most of the first fields.
/// Three or four numbers in one line are settings where all lines below are of one width, wider by two.
std::size_t width_of_settings(std::string_view text) {
  constexpr std::size_t looked_at = 100, most_in_block = 3, most_settings = 12, fewest_rows = 2;
  std::vector<Fields> found;
  std::map<std::size_t, std::size_t> held;
  TextLines lines(text);
  for (std::string_view content; found.size() < looked_at && lines.next_row(content);) {
    found.push_back(fields_of(content, separator_of(content)));
    held[found.back().size()] += found.back().size();
  }
  const auto usual = std::ranges::max_element(held, {}, [](const auto& each) { return each.second; });
  if (usual == held.end() || usual->second < fewest_rows * usual->first) return 0;
  const auto& first = found.front();
  const bool alone = first.size() > 2 && first.size() <= 4 && first.size() + 2 <= usual->first &&
                     usual->second == (found.size() - 1) * usual->first;
  if (alone && std::ranges::all_of(first, is_numeric)) return first.size();
  std::size_t numbers = 0, count = 0;
  for (const auto& fields : found) {
    if (2 * fields.size() > usual->first) break;
    ++count;
    if (std::ranges::all_of(fields, is_numeric)) numbers += fields.size();
  }
  return numbers > most_in_block && count <= most_settings ? usual->first / 2 : 0;
}

/// The kind of a line before the rows.
enum class LineKind : std::uint8_t { row, numbers, words };

class PreambleReader {
 public:
  PreambleReader(const FileView& file, std::string_view text, const std::vector<Column>& given)
      : file_(file), lines_(text), given_(given), settings_width_(width_of_settings(text)) {}

  void skip(std::size_t count) {
    std::string_view line;
    for (std::size_t k = 0; k < count; ++k) {
      if (lines_.next(line)) continue;
      cannot_read(file_.path, fmt::format("it has {}, and --set skip={} leaves none; skip fewer",
                                          counted(k, "line", "lines"), count));
    }
  }

  Preamble read() {
    std::string_view line;
    while (true) {
      preamble_.data_offset = lines_.offset();
      preamble_.data_line = lines_.number();
      if (!lines_.next_record(line)) return std::move(preamble_);
      const auto [content, comment] = split_comment(line);
      if (!comment.empty()) take_comment(comment);
      if (content.empty()) continue;
      split(content);
      if (!take(content)) break;
    }
    preamble_.row_fields = fields_.size();
    preamble_.has_rows = true;
    return std::move(preamble_);
  }

 private:
  void take_comment(std::string_view comment) {
    constexpr std::size_t most_remarks = 200;
    auto line = names_of(comment, lines_.number());
    const bool names = names_positions(columns_of(line.names));
    if (names)
      preamble_.comment_headers.push_back(std::move(line));
    else if (preamble_.remarks.size() < most_remarks)
      preamble_.remarks.push_back(std::move(line));
    if (speaks_of_units(comment)) return;
    if (const auto time = time_in(comment)) preamble_.time = time;
  }

  /// As a header was, if that gives as many fields; else by what occurs in the line.
  void split(std::string_view content) {
    for (const auto* headers : {&preamble_.headers, &preamble_.comment_headers}) {
      if (headers->empty()) continue;
      preamble_.separator = headers->back().separator;
      fields_ = fields_of(content, preamble_.separator);
      if (fields_.size() == headers->back().names.size()) return;
    }
    preamble_.separator = separator_of(content);
    fields_ = fields_of(content, preamble_.separator);
  }

  LineKind kind_of(std::string_view content) const {
    if (fields_.size() <= settings_width_ && fields_.size() != given_.size()) return LineKind::words;
    const auto numbers = static_cast<std::size_t>(
        std::ranges::count_if(fields_, [](auto f) { return f.empty() || is_numeric(f); }));
    if (!given_.empty()) return kind_of_given(numbers);
    if (numbers == fields_.size())
      return fields_.size() > 2 || !preamble_.headers.empty() ? LineKind::row : LineKind::numbers;
    if (is_row_of_decimal_commas(content)) return LineKind::row;
    return kind_of_mixed(numbers);
  }

  /// Words and numbers: a row with a name, or a line like "Box 10 10 10".
  LineKind kind_of_mixed(std::size_t numbers) const {
    if (!preamble_.headers.empty()) {
      const auto& names = preamble_.headers.back().names;
      if (2 * numbers > fields_.size()) return LineKind::row;
      return names.size() == fields_.size() && numbers > 0 ? LineKind::row : LineKind::words;
    }
    return 2 * numbers > fields_.size() && next_has_as_many() ? LineKind::row : LineKind::words;
  }

  /// With columns named by the user, a row is a line that fits them; one that nearly does is refused later.
  LineKind kind_of_given(std::size_t numbers) const {
    if (fields_.size() < given_.size())
      return numbers == fields_.size() ? (numbers > 2 ? LineKind::row : LineKind::numbers) : LineKind::words;
    return fits(fields_, given_) || 2 * numbers > fields_.size() ? LineKind::row : LineKind::words;
  }

  bool next_has_as_many() const {
    TextLines ahead = lines_;
    std::string_view content;
    return !ahead.next_row(content) || fields_of(content, preamble_.separator).size() == fields_.size();
  }

  void take_words(std::string_view content) {
    auto line = names_of(content, lines_.number());
    if (const auto time = time_in(content)) {
      preamble_.time = time;
      constexpr std::size_t of_time_alone = 3;  // "time = 0.5"
      if (line.names.size() <= of_time_alone) return;
    }
    const bool names = names_positions(columns_of(line.names));
    (names ? preamble_.headers : preamble_.words).push_back(std::move(line));
  }

  /// False if the line does not belong to a block of step, N and time.
  bool take_numbers() {
    if (fields_.size() == 2 && !preamble_.numbers.empty()) return false;
    for (const auto field : fields_) preamble_.numbers.push_back(parse_number(field).value_or(NAN));
    if (preamble_.numbers.size() <= 3) return true;
    refuse_line(file_, lines_.number(),
                "one number a line is a list of one quantity, as Tipsy's array files are; choose the file of "
                "the bodies");
  }

  /// True if the line was one before the rows.
  bool take(std::string_view content) {
    const auto kind = kind_of(content);
    if (kind == LineKind::numbers) return take_numbers();
    if (kind == LineKind::words) take_words(content);
    return kind == LineKind::words;
  }

  const FileView& file_;
  TextLines lines_;
  const std::vector<Column>& given_;
  std::size_t settings_width_;  ///< lines of numbers with no more fields are settings; 0: there are none
  Fields fields_;
  Preamble preamble_;
};

}  // namespace

Preamble read_preamble(const FileView& file, std::string_view text, const std::vector<Column>& given,
                       std::size_t skipped) {
  PreambleReader reader(file, text, given);
  reader.skip(skipped);
  return reader.read();
}

const NamesLine* line_of_names(const std::vector<NamesLine>& lines, std::size_t count) {
  const auto line = std::find_if(lines.rbegin(), lines.rend(),
                                 [&](const auto& each) { return each.names.size() == count; });
  return line == lines.rend() ? nullptr : &*line;
}

void refuse_line(const FileView& file, std::size_t line, std::string_view what) {
  cannot_read(file.path, fmt::format("line {}: {}", line, what));
}

}  // namespace orrery::sim
