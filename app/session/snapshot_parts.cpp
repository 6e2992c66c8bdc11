#include "app/session/snapshot_parts.h"

#include <algorithm>

namespace orrery::app {

std::string without_part_number(const std::filesystem::path& path) {
  const auto name = path.filename().string();
  std::string text;
  for (std::size_t at = 0; at < name.size(); ++at) {
    text += name[at];
    const auto end = std::min(name.find_first_not_of("0123456789", at + 1), name.size());
    const bool number = name[at] == '.' && end > at + 1 && (end == name.size() || name[end] == '.');
    if (number) at = end - 1;
  }
  return text;
}

bool has_part_number(const std::filesystem::path& path) {
  return without_part_number(path) != path.filename().string();
}

}  // namespace orrery::app
