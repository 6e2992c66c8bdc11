#include "sim/snapshots/text_words.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "sim/core/message.h"
#include "sim/snapshots/csv_layout.h"
#include "sim/snapshots/text_table.h"

namespace orrery::sim {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::string_view TextWords::next() {
  while (at_ < text_.size() && is_blank(text_[at_])) line_ += text_[at_++] == '\n' ? 1 : 0;
  const auto begin = at_;
  while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

double TextWords::number(std::string_view what) {
  const auto word = next();
  if (word.empty()) cannot_read(file_.path, fmt::format("it ends before {} do; copy it again", what));
  const auto value = parse_number(word);
  if (!value || !std::isfinite(*value))
    refuse_line(file_, line_, fmt::format("'{}' is no number of {}", printable(word), what));
  return *value;
}

std::uint64_t TextWords::count(std::string_view what) {
  const auto word = next();
  std::uint64_t value = 0;
  const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || result.ec != std::errc{} || result.ptr != word.data() + word.size())
    refuse_line(file_, line_, fmt::format("'{}' is no count of {}", printable(word), what));
  return value;
}

}  // namespace orrery::sim
