#include "app/serve/byte_range.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "sim/core/letters.h"

namespace orrery::app::serve {

namespace {

constexpr auto unbounded = std::numeric_limits<std::uint64_t>::max();

/// Empty if the text is not made of digits. A number that is too large is past the end of every file.
std::optional<std::uint64_t> number_in(std::string_view text) {
  if (text.empty() || !std::ranges::all_of(text, sim::is_digit)) return std::nullopt;
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() ? number : unbounded;
}

ByteRange between(std::uint64_t first, std::uint64_t last, std::uint64_t size) {
  if (first >= size) return {};
  return {first, std::min(last, size - 1) - first + 1};
}

}  // namespace

std::optional<ByteRange> requested_range(std::string_view field, std::uint64_t size) {
  constexpr std::string_view unit = "bytes=";
  const auto dash = field.find('-');
  if (!field.starts_with(unit) || dash == std::string_view::npos) return std::nullopt;
  const auto left = field.substr(unit.size(), dash - unit.size()), right = field.substr(dash + 1);
  const auto first = number_in(left), last = number_in(right);
  if (left.empty() && last) return ByteRange{size - std::min(*last, size), std::min(*last, size)};
  if (first && right.empty()) return between(*first, unbounded, size);
  if (!first || !last || *last < *first) return std::nullopt;
  return between(*first, *last, size);
}

}  // namespace orrery::app::serve
