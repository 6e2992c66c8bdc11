#include "sim/series/snapshot_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/snapshots/reader_process.h"

namespace orrery::sim {

namespace fs = std::filesystem;

namespace {

/// A name around its last number, or around the last but one where the last one counts the files of a
/// snapshot ("snap_002.1", "snap_002.1.hdf5").
struct NumberedName {
  std::string before, digits, after;
  std::string part = {};  ///< part number, if a snapshot has several files
};

/// Where the last run of digits before `end` begins and ends.
std::optional<std::pair<std::size_t, std::size_t>> last_digits(std::string_view name, std::size_t end) {
  while (end > 0 && !is_digit(name[end - 1])) --end;
  auto begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  if (begin == end) return std::nullopt;
  return std::pair(begin, end);
}

/// The extension is not looked at ("h5", "hdf5").
std::size_t end_of_stem(std::string_view name) {
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return name.size();
  const auto extension = name.substr(dot + 1);
  return std::ranges::all_of(extension, is_digit) ? name.size() : dot;
}

std::optional<NumberedName> numbered(const std::string& name) {
  const auto end = end_of_stem(name);
  const auto last = last_digits(name, end);
  if (!last) return std::nullopt;
  const auto [begin, after] = *last;
  // "snap_002.1": a part has no zeros in front, stands behind a dot, and before the dot is a number.
  const bool bare = name[begin] != '0' || after - begin == 1;
  if (bare && after == end && begin > 1 && name[begin - 1] == '.' && is_digit(name[begin - 2])) {
    const auto first = last_digits(name, begin - 1);
    return NumberedName{name.substr(0, first->first), name.substr(first->first, first->second - first->first),
                        name.substr(first->second, 1) + "#" + name.substr(after),
                        name.substr(begin, after - begin)};
  }
  return NumberedName{name.substr(0, begin), name.substr(begin, after - begin), name.substr(after)};
}

/// By this, numbers of any length are in order.
std::pair<std::size_t, std::string_view> key_of(std::string_view digits) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return {digits.size(), digits};
}

struct NumberedFile {
  std::string digits;
  std::string part;
  fs::path file;
};

using Groups = std::map<std::pair<std::string, std::string>, std::vector<NumberedFile>>;

std::vector<SnapshotPlace> ordered(std::vector<NumberedFile> files) {
  std::ranges::sort(files, {}, [](const NumberedFile& each) {
    return std::tuple(key_of(each.digits), key_of(each.part), std::cref(each.file));
  });
  std::vector<SnapshotPlace> places;
  const std::string* last = nullptr;
  for (const auto& file : files) {
    const bool further_part = last != nullptr && !file.part.empty() && *last == file.digits;
    if (!further_part) places.push_back({file.file});
    last = &file.digits;
  }
  return places;
}

/// Files of a folder whose names `fits` likes.
template <typename Fits>
std::vector<fs::path> files_in(const fs::path& folder, const Fits& fits) {
  std::error_code failure;
  std::vector<fs::path> files;
  auto each = fs::directory_iterator(folder.empty() ? fs::path(".") : folder, failure);
  if (failure) cannot_read(folder, failure.message());
  for (const auto end = fs::directory_iterator(); each != end; each.increment(failure)) {
    if (failure) cannot_read(folder, failure.message());
    std::error_code unknown;
    if (each->is_regular_file(unknown) && fits(each->path().filename().string()))
      files.push_back(folder / each->path().filename());
  }
  std::ranges::sort(files);
  return files;
}

Groups grouped(const std::vector<fs::path>& files) {
  Groups groups;
  for (const auto& file : files) {
    const auto name = numbered(file.filename().string());
    if (!name) continue;
    groups[{name->before, name->after}].push_back({name->digits, name->part, file});
  }
  return groups;
}

bool is_picture(const std::string& name) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{".png", ".json", ".mp4", ".svg", ".log"},
                             [&](std::string_view extension) { return name.ends_with(extension); });
}

std::vector<SnapshotPlace> in_folder(const fs::path& folder) {
  const auto files = files_in(folder, [](const std::string& name) { return !is_picture(name); });
  auto groups = grouped(files);
  const auto largest =
      std::ranges::max_element(groups, {}, [](const auto& group) { return group.second.size(); });
  if (largest == groups.end())
    cannot_read(folder, "it is a folder without numbered snapshots; name a file inside it");
  return ordered(largest->second);
}

/// * and ? as in the shell.
bool fits(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::vector<SnapshotPlace> by_pattern(const fs::path& pattern) {
  const auto wanted = pattern.filename().string();
  const auto files =
      files_in(pattern.parent_path(), [&](const std::string& name) { return fits(wanted, name); });
  if (files.empty()) cannot_read(pattern, "no file fits this pattern; check the name and the folder");
  std::vector<NumberedFile> all;
  for (const auto& file : files) {
    const auto name = numbered(file.filename().string()).value_or(NumberedName{});
    all.push_back({name.digits, name.part, file});
  }
  return ordered(std::move(all));
}

bool is_index(const fs::path& path) { return path.extension() == ".pvd" || path.extension() == ".series"; }

bool is_pattern(const fs::path& path) {
  std::error_code failure;
  return path.filename().string().find_first_of("*?") != std::string::npos && !fs::exists(path, failure);
}

/// The number in the file name; none if the name has no number that counts.
std::optional<std::int64_t> number_of(const SnapshotPlace& place, std::size_t& width) {
  const auto name = numbered(place.file.filename().string());
  if (!name) return std::nullopt;
  width = name->digits.starts_with('0') ? name->digits.size() : 1;
  return number_in<std::int64_t>(name->digits);
}

/// The most frequent distance, the smaller one of two; 0: fewer than half of the numbers keep it.
std::int64_t usual_distance(const std::vector<std::int64_t>& numbers) {
  std::map<std::int64_t, std::size_t> counts;
  for (std::size_t i = 1; i < numbers.size(); ++i) ++counts[numbers[i] - numbers[i - 1]];
  if (counts.empty()) return 0;
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return 2 * most->second + 1 >= numbers.size() ? most->first : 0;
}

}  // namespace

std::string describe_gaps(const std::vector<SnapshotPlace>& places) {
  std::vector<std::int64_t> numbers;
  std::size_t width = 1;
  for (const auto& place : places) {
    const auto number = number_of(place, width);
    if (!number || (!numbers.empty() && *number <= numbers.back())) return {};
    numbers.push_back(*number);
  }
  const auto step = usual_distance(numbers);
  std::string text;
  for (std::size_t i = 1; i < numbers.size() && step > 0; ++i) {
    const auto first = numbers[i - 1] + step, last = numbers[i] - step;
    if (first > last || (last - first) % step != 0) continue;
    text += text.empty() ? "" : ", ";
    text += first == last ? fmt::format("{:0{}}", first, width)
                          : fmt::format("{:0{}} to {:0{}}", first, width, last, width);
  }
  if (text.empty()) return {};
  const bool one = text.find(' ') == std::string::npos;
  return fmt::format("{} {} missing", text, one ? "is" : "are");
}

bool names_many_files(const fs::path& source) {
  std::error_code failure;
  return fs::is_directory(source, failure) || is_pattern(source) ||
         (is_index(source) && fs::exists(source, failure));
}

std::vector<SnapshotPlace> list_snapshots(const fs::path& source, const ReadOptions& options) {
  std::error_code failure;
  if (fs::is_directory(source, failure)) return in_folder(source);
  if (is_pattern(source)) return by_pattern(source);
  if (!fs::exists(source, failure)) return {};
  if (is_index(source)) return in_folder(source.parent_path());
  std::vector<SnapshotPlace> places(std::max<std::size_t>(count_snapshots_apart(source, options), 1),
                                    {source});
  for (std::size_t i = 0; i < places.size(); ++i) places[i].number = i;
  return places;
}

}  // namespace orrery::sim
