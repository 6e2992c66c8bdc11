#include "app/serve/downloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/core/json_text.h"
#include "sim/core/letters.h"

namespace orrery::app::serve {

std::string Downloads::offer(const std::filesystem::path& file) {
  const auto name = file.filename().string();
  // The file may have been written through a link; one that is made later is not followed.
  std::error_code unknown;
  const auto real = std::filesystem::canonical(file, unknown);
  const std::lock_guard lock(mutex_);
  files_[name] = unknown ? file : real;
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
  return sim::dump_json(names);
}

Response Downloads::get(const std::string& name, std::string_view range, std::string_view if_range) const {
  const auto file = find(name);
  if (!file) return text_response(404, "this run has written no such file");
  const auto open = OpenFile::open(*file);
  if (!open) return text_response(410, "the file is no longer there");
  const auto size = open->size();
  const auto part = if_range.empty() || if_range == open->tag() ? requested_range(range, size) : std::nullopt;
  if (part && part->size == 0) {
    auto refusal = text_response(416, fmt::format("the file has {} bytes", size));
    refusal.fields = {{"Content-Range", fmt::format("bytes */{}", size)}};
    return refusal;
  }
  Response response{
      .status = part ? 206 : 200,
      .type = "application/octet-stream",
      .fields = {{"Content-Disposition", fmt::format("attachment; filename=\"{}\"", safe_file_name(name))},
                 {"Accept-Ranges", "bytes"},
                 {"ETag", open->tag()}},
      .file = open,
      .part = part.value_or(ByteRange{0, size})};
  if (part)
    response.fields.emplace_back(
        "Content-Range", fmt::format("bytes {}-{}/{}", part->begin, part->begin + part->size - 1, size));
  return response;
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
