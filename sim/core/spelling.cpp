#include "sim/core/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "sim/core/letters.h"
#include "sim/core/message.h"

namespace orrery::sim {

namespace {

namespace fs = std::filesystem;

/// Beyond this nobody has misspelled a name, and comparing would take time.
constexpr std::size_t longest_name = 256;

/// The only one of `names` that begins like `typed`, or empty.
std::string completed(const std::string& typed, const std::vector<std::string>& names) {
  constexpr std::size_t shortest = 3;
  if (typed.size() < shortest) return {};
  const auto begins_so = [&](const std::string& name) { return lower_case(name).starts_with(typed); };
  const auto first = std::ranges::find_if(names, begins_so);
  if (first == names.end() || std::find_if(first + 1, names.end(), begins_so) != names.end()) return {};
  return *first;
}

std::size_t allowed_mistakes(std::size_t letters) {
  return letters < 2 ? 0 : std::max<std::size_t>(1, letters / 3);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  using Row = std::vector<std::size_t>;
  Row before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({changed, above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::string nearest_name(std::string_view typed, const std::vector<std::string>& names) {
  if (typed.size() > longest_name) return {};
  const auto plain = lower_case(typed);
  std::size_t least = allowed_mistakes(typed.size()) + 1;
  std::string nearest;
  for (const auto& name : names) {
    if (name.size() >= typed.size() + least || typed.size() >= name.size() + least) continue;
    const auto distance = edit_distance(plain, lower_case(name));
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest.empty() ? completed(plain, names) : nearest;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names) {
  const auto nearest = nearest_name(typed, names);
  return nearest.empty() ? nearest : fmt::format("; did you mean {}?", sim::quoted(nearest));
}

fs::path nearest_file(const fs::path& path) {
  constexpr int most = 10'000;
  const auto folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::vector<std::string> names;
  std::error_code failure;
  fs::directory_iterator each(folder, failure);
  for (int k = 0; !failure && k < most && each != fs::directory_iterator(); ++k, each.increment(failure))
    names.push_back(each->path().filename().string());
  std::ranges::sort(names);
  const auto nearest = nearest_name(path.filename().string(), names);
  return nearest.empty() ? fs::path() : path.parent_path() / nearest;
}

}  // namespace orrery::sim
