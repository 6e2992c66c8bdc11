#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// What was probably meant by a name that does not exist.
namespace orrery::sim {

/// The number of letters to change, insert, delete or swap with their neighbour to turn `a` into `b`
/// (Damerau-Levenshtein distance, each letter at most once).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The one of `names` that is most like `typed`, or empty if none is near: a third of its letters may be
/// wrong, and one of a short one. Upper and lower case are alike. A name may also be cut short after three
/// letters, if only one goes on so.
std::string nearest_name(std::string_view typed, const std::vector<std::string>& names);

/// The names of what a list points to.
template <typename List>
std::vector<std::string> listed_names(const List& list) {
  std::vector<std::string> names;
  for (const auto* each : list) names.emplace_back(each->name);
  return names;
}

/// "; did you mean 'NAME'?" with the nearest of `names`, or an empty text.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);

/// The file or folder beside a missing `path` whose name is nearest, with the path's folder; empty if none is
/// near. Of a very large folder it looks at a part.
std::filesystem::path nearest_file(const std::filesystem::path& path);

}  // namespace orrery::sim
