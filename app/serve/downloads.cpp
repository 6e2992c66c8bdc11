#include "app/serve/downloads.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/core/letters.h"

namespace orrery::app::serve {

std::string Downloads::offer(const std::filesystem::path& file) {
  const auto name = file.filename().string();
  const std::lock_guard lock(mutex_);
  files_[name] = file;
  return name;
}

std::optional<std::filesystem::path> Downloads::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(name);
  if (found == files_.end()) return std::nullopt;
  return found->second;
}

std::string Downloads::list() const {
  const std::lock_guard lock(mutex_);
  auto names = nlohmann::json::array();
  for (const auto& [name, file] : files_) names.push_back(name);
  return names.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string safe_file_name(std::string_view name) {
  constexpr std::size_t longest = 120;
  if (const auto slash = name.find_last_of("/\\"); slash != std::string_view::npos)
    name.remove_prefix(slash + 1);
  std::string safe;
  for (const char letter : name) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool kept = byte >= 0x80U || sim::is_plain({&letter, 1}, "._-");
    safe += kept ? letter : '_';
  }
  while (safe.starts_with('.') || safe.starts_with('-')) safe.erase(0, 1);
  return safe.size() <= longest ? safe : safe.substr(safe.size() - longest);
}

}  // namespace orrery::app::serve
