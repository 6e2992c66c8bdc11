#include "sim/snapshots/text_table.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/core/message.h"

namespace orrery::sim {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

template <typename IsOuter>
std::string_view without_outer(std::string_view text, const IsOuter& is_outer) {
  while (!text.empty() && is_outer(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_outer(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view without_blanks(std::string_view text) {
  return without_outer(text, [](char c) { return is_blank(c) || c == '\r'; });
}

/// Behind the quoted field whose quote is at `at`; npos if it does not end.
std::size_t behind_quoted(std::string_view text, std::size_t at) {
  for (;;) {
    at = text.find('"', at + 1);
    if (at == std::string_view::npos) return at;
    if (at + 1 >= text.size() || text[at + 1] != '"') return at + 1;
    ++at;
  }
}

/// True if a quote at `at` begins a field: only a separator or blanks precede it.
bool begins_field(std::string_view text, std::size_t at, bool after_blank) {
  if (after_blank && at > 0 && is_blank(text[at - 1])) return true;
  while (at > 0 && text[at - 1] == ' ') --at;
  return at == 0 || text[at - 1] == ',' || text[at - 1] == ';' || text[at - 1] == '\t';
}

/// Behind the quoted field that begins at `at`, if one does and it ends; else `at`.
std::size_t skip_quoted(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '"' || !begins_field(text, at, true)) return at;
  const auto end = behind_quoted(text, at);
  return end == std::string_view::npos ? at : end;
}

/// The first place outside of quotes where `is_mark` says so; npos if nowhere.
template <typename IsMark>
std::size_t find_outside(std::string_view text, const IsMark& is_mark) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    at = skip_quoted(text, at);
    if (at == text.size()) break;
    if (is_mark(at)) return at;
  }
  return std::string_view::npos;
}

bool occurs(std::string_view text, char mark) {
  return find_outside(text, [&](std::size_t at) { return text[at] == mark; }) != std::string_view::npos;
}

/// True if a field of the text opens with a quote that is never closed.
bool leaves_quote_open(std::string_view text) {
  for (std::size_t at = text.find('"'); at < text.size(); at = text.find('"', at)) {
    at = begins_field(text, at, false) ? behind_quoted(text, at) : at + 1;
    if (at == std::string_view::npos) return true;
  }
  return false;
}

void split_blanks(std::string_view line, Fields& fields) {
  std::size_t at = 0;
  while (at < line.size()) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    const std::size_t first = at;
    at = skip_quoted(line, at);
    while (at < line.size() && !is_blank(line[at])) ++at;
    fields.push_back(trimmed(line.substr(first, at - first)));
  }
}

/// The field that begins at `first`, and where its mark is.
std::string_view take_field(std::string_view line, std::size_t first, char mark, std::size_t& end) {
  auto begin = first;
  while (begin < line.size() && line[begin] == ' ') ++begin;
  const bool quoted = begin < line.size() && line[begin] == '"';
  const auto behind = quoted ? behind_quoted(line, begin) : std::string_view::npos;
  if (behind != std::string_view::npos) {
    end = std::min(line.find(mark, behind), line.size());
    if (without_blanks(line.substr(behind, end - behind)).empty())
      return without_blanks(line.substr(begin + 1, behind - begin - 2));
  }
  end = std::min(line.find(mark, first), line.size());
  return trimmed(line.substr(first, end - first));
}

/// Tabs separate: blanks are in the fields too, and not between numbers.
bool tabs_separate(std::string_view line) {
  if (line.find(' ') == std::string_view::npos) return false;
  Fields fields, words;
  split_fields(line, Separator::tab, fields);
  bool cut = false;
  for (const auto field : fields) {
    words.clear();
    split_blanks(field, words);
    if (words.empty() || (words.size() > 1 && are_numbers(words))) return false;
    cut = cut || words.size() > 1;
  }
  return cut;
}

std::optional<double> parse_plain(std::string_view text) {
  double value = 0.0;
  const auto* const end = text.data() + text.size();
  const auto result = fast_float::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

/// The number that the text is with another character at that place, if there is one.
template <typename Parse>
std::optional<double> parse_with(std::string_view text, std::size_t at, char other, const Parse& parse) {
  std::array<char, 64> copy{};
  if (at == std::string_view::npos || text.size() > copy.size()) return std::nullopt;
  std::ranges::copy(text, copy.begin());
  copy.at(at) = other;
  return parse(std::string_view(copy.data(), text.size()));
}

/// "1,500", not "0,500" or "1,5".
bool may_be_thousands(std::string_view text) {
  const auto comma = text.find(',');
  const auto digits = text.substr(0, comma).find_last_not_of("0123456789");
  const auto whole = comma - (digits == std::string_view::npos ? 0 : digits + 1);
  return whole >= 1 && whole <= 3 && text[comma - 1] != ' ' && text.size() == comma + 4 &&
         text.substr(0, comma) != "0" && text.substr(0, comma) != "-0";
}

}  // namespace

bool TextLines::next(std::string_view& line) {
  if (offset_ >= text_.size()) return false;
  const auto end = std::min(text_.find('\n', offset_), text_.size());
  line = text_.substr(offset_, end - offset_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  offset_ = std::min(end + 1, text_.size());
  ++number_;
  return true;
}

std::string_view trimmed(std::string_view text) {
  return without_outer(text, [](char c) { return is_blank(c) || c == '"' || c == '\r'; });
}

bool TextLines::next_record(std::string_view& record) {
  constexpr std::size_t most_lines = 64;  // a quote that nothing closes is one sign of many
  if (!next(record)) return false;
  if (record.find('"') == std::string_view::npos) return true;
  auto ahead = *this;
  auto longer = record, line = record;
  for (std::size_t k = 0; leaves_quote_open(longer); ++k) {
    if (k == most_lines || !ahead.next(line)) return true;
    longer = {record.data(), static_cast<std::size_t>(line.end() - record.begin())};
  }
  record = longer;
  *this = ahead;
  return true;
}

bool TextLines::next_row(std::string_view& content) {
  for (std::string_view record; next_record(record);)
    if (content = split_comment(record).content; !content.empty()) return true;
  return false;
}

CommentedLine split_comment(std::string_view line) {
  // Most lines have none: to look for the marks one by one takes a tenth of the time.
  const auto is_there = [&](char mark) { return line.find(mark) != std::string_view::npos; };
  const auto begins = [&](std::size_t at) {
    return line[at] == '#' || line[at] == '%' || line.substr(at, 2) == "//";
  };
  const auto at = std::ranges::any_of(std::string_view("#%/"), is_there) ? find_outside(line, begins)
                                                                         : std::string_view::npos;
  if (at == std::string_view::npos) return {without_blanks(line), {}};
  return {without_blanks(line.substr(0, at)), trimmed(line.substr(at + (line[at] == '/' ? 2 : 1)))};
}

Separator separator_of(std::string_view line) {
  if (occurs(line, ';')) return Separator::semicolon;
  if (occurs(line, ',')) return Separator::comma;
  if (occurs(line, '\t') && tabs_separate(line)) return Separator::tab;
  return Separator::blanks;
}

void split_fields(std::string_view line, Separator separator, Fields& fields) {
  fields.clear();
  if (separator == Separator::blanks) return split_blanks(line, fields);
  const char mark = separator == Separator::comma ? ',' : separator == Separator::tab ? '\t' : ';';
  for (std::size_t first = 0, end = 0;; first = end + 1) {
    fields.push_back(take_field(line, first, mark, end));
    if (end == line.size()) return;
  }
}

Fields fields_of(std::string_view line, Separator separator) {
  Fields fields;
  split_fields(line, separator, fields);
  drop_empty_end(fields);
  return fields;
}

void drop_empty_end(Fields& fields, std::size_t fewest) {
  while (fields.size() > fewest && fields.back().empty()) fields.pop_back();
}

bool are_numbers(const Fields& fields) {
  return std::ranges::all_of(fields, [](auto field) { return parse_number(field).has_value(); });
}

void split_names(std::string_view line, Separator separator, Fields& fields) {
  split_fields(line, separator, fields);
  if (separator != Separator::blanks) return;
  Fields names;
  bool open = false;
  for (const auto field : fields) {
    const bool is_unit = open || field.starts_with('[') || field.starts_with('(');
    if (is_unit && !names.empty())
      names.back() = {names.back().data(), static_cast<std::size_t>(field.end() - names.back().begin())};
    else
      names.push_back(field);
    const auto last = field.find_last_of("[]()");
    if (last != std::string_view::npos) open = field[last] == '[' || field[last] == '(';
  }
  fields = std::move(names);
}

std::string unquoted(std::string_view field) {
  std::string text;
  for (std::size_t k = 0; k < field.size(); ++k) {
    text += field[k];
    if (field[k] == '"' && k + 1 < field.size() && field[k + 1] == '"') ++k;
  }
  return text;
}

std::optional<double> parse_decimal_comma(std::string_view text) {
  if (text.find('.') != std::string_view::npos) return std::nullopt;
  return parse_with(text, text.find(','), '.', parse_number);
}

bool is_numeric(std::string_view field) {
  return parse_number(field).has_value() || parse_decimal_comma(field).has_value();
}

void NumberCommas::take(std::string_view field) {
  if (parse_decimal_comma(field)) {
    with_comma_ = field;
    decimal_ = decimal_ || !may_be_thousands(field);
  } else if (with_point_.empty() && field.find('.') != std::string_view::npos && parse_number(field)) {
    with_point_ = field;
  }
}

std::string NumberCommas::problem() const {
  if (!found() || (decimal_ && with_point_.empty())) return {};
  return fmt::format(
      "the comma in '{}' may be a decimal comma or one of thousands{}; write decimal points and no other "
      "marks",
      printable(with_comma_, 30),
      with_point_.empty() ? "" : fmt::format(", beside '{}'", printable(with_point_, 30)));
}

bool is_row_of_decimal_commas(std::string_view line) {
  Fields words;
  split_blanks(line, words);
  std::size_t commas = 0;
  for (auto word : words) {
    if (word.ends_with(',') || word.ends_with(';')) word.remove_suffix(1);
    const bool inside = word.find(',') > 0 && word.find(',') + 1 < word.size();
    if (inside && parse_decimal_comma(word))
      ++commas;
    else if (!parse_number(word))
      return false;
  }
  return words.size() > 1 && commas > 0;
}

std::optional<double> parse_number(std::string_view text) {
  const bool signed_plus = text.starts_with('+');
  if (signed_plus) text.remove_prefix(1);
  if (text.empty() || text.starts_with('+') || (signed_plus && text.starts_with('-'))) return std::nullopt;
  if (const auto value = parse_plain(text)) return value;
  return parse_with(text, text.find_first_of("dD"), 'e', parse_plain);  // Fortran writes 1.0D+00
}

}  // namespace orrery::sim
