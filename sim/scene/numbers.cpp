#include "sim/scene/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/core/error.h"
#include "sim/core/message.h"

namespace orrery::sim {

std::vector<double> parse_numbers(std::string_view text, std::string_view what, std::string_view form) {
  std::vector<double> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    auto part = text.substr(at, end - at);
    if (part.starts_with('+')) part.remove_prefix(1);
    double number = 0.0;
    const auto read = std::from_chars(part.data(), part.data() + part.size(), number);
    if (read.ec != std::errc() || read.ptr != part.data() + part.size() || !std::isfinite(number))
      throw UsageError(fmt::format("{} needs {}, not '{}'", what, form, printable(text, 60)));
    numbers.push_back(number);
    at = end + 1;
  }
  return numbers;
}

}  // namespace orrery::sim
