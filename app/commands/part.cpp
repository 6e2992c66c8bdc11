#include "app/commands/part.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "sim/core/error.h"

namespace orrery::app {

namespace {

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  return result.ec == std::errc() && result.ptr == end ? std::optional(number) : std::nullopt;
}

}  // namespace

Part parse_part(const std::string& text) {
  const auto slash = text.find('/');
  const std::string_view all(text);
  const auto number = number_in(all.substr(0, slash));
  const auto count = slash == std::string::npos ? std::nullopt : number_in(all.substr(slash + 1));
  if (!number || !count || *number < 1 || *number > *count)
    throw sim::UsageError(
        fmt::format("--part takes one part of several, such as 2/4 for the second of four; got '{}'", text));
  return {*number, *count};
}

}  // namespace orrery::app
