#include "sim/snapshots/text_table.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>

namespace orrery::sim {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

void split_blanks(std::string_view line, std::vector<std::string_view>& fields) {
  std::size_t at = 0;
  while (at < line.size()) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    const std::size_t first = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    fields.push_back(trimmed(line.substr(first, at - first)));
  }
}

std::optional<double> parse_plain(std::string_view text) {
  double value = 0.0;
  const auto* const end = text.data() + text.size();
  const auto result = fast_float::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

/// Fortran writes 1.0D+00.
std::optional<double> parse_fortran(std::string_view text) {
  std::array<char, 64> copy{};
  const auto exponent = text.find_first_of("dD");
  if (exponent == std::string_view::npos || text.size() > copy.size()) return std::nullopt;
  std::ranges::copy(text, copy.begin());
  copy[exponent] = 'e';
  return parse_plain({copy.data(), text.size()});
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
  const auto is_outer = [](char c) { return is_blank(c) || c == '"' || c == '\r'; };
  while (!text.empty() && is_outer(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_outer(text.back())) text.remove_suffix(1);
  return text;
}

CommentedLine split_comment(std::string_view line) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool slashes = line[at] == '/' && at + 1 < line.size() && line[at + 1] == '/';
    if (line[at] != '#' && line[at] != '%' && !slashes) continue;
    return {trimmed(line.substr(0, at)), trimmed(line.substr(at + (slashes ? 2 : 1)))};
  }
  return {trimmed(line), {}};
}

Separator separator_of(std::string_view line) {
  if (line.find(';') != std::string_view::npos) return Separator::semicolon;
  if (line.find(',') != std::string_view::npos) return Separator::comma;
  return Separator::blanks;
}

void split_fields(std::string_view line, Separator separator, std::vector<std::string_view>& fields) {
  fields.clear();
  if (separator == Separator::blanks) return split_blanks(line, fields);
  const char mark = separator == Separator::comma ? ',' : ';';
  for (std::size_t first = 0;;) {
    const auto end = std::min(line.find(mark, first), line.size());
    fields.push_back(trimmed(line.substr(first, end - first)));
    if (end == line.size()) return;
    first = end + 1;
  }
}

std::optional<double> parse_number(std::string_view text) {
  const bool signed_plus = text.starts_with('+');
  if (signed_plus) text.remove_prefix(1);
  if (text.empty() || text.starts_with('+') || (signed_plus && text.starts_with('-'))) return std::nullopt;
  if (const auto value = parse_plain(text)) return value;
  return parse_fortran(text);
}

}  // namespace orrery::sim
