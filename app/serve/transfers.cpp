#include "app/serve/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/serve/access.h"
#include "sim/core/json_text.h"
#include "sim/core/letters.h"

namespace orrery::app::serve {

namespace {

namespace fs = std::filesystem;

void delete_all(const fs::path& folder) {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

std::uint64_t bytes_in(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code failure, unknown;
  for (fs::directory_iterator each(folder, failure); !failure && each != fs::directory_iterator();
       each.increment(failure))
    if (const auto size = each->file_size(unknown); !unknown) bytes += size;
  return bytes;
}

}  // namespace

Uploads::Arrival::~Arrival() {
  if (!kept_) uploads_.drop(folder_);
}

void Uploads::Arrival::keep(std::uint64_t bytes) {
  kept_ = true;
  uploads_.settle(folder_, bytes);
}

std::unique_ptr<Uploads::Arrival> Uploads::begin(std::optional<std::uint64_t> bytes, std::string& why) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  const auto wanted = bytes.value_or(1);
  while (entries_.size() >= limits_.files || room() < wanted)
    if (wanted > limits_.total || !drop_oldest(now)) {
      why = fmt::format(
          "the server keeps at most {} uploads and {} MiB of them, and has no room left; files that are not "
          "open make room after a minute",
          limits_.files, limits_.total >> 20U);
      return nullptr;
    }
  const auto available = free_on_disk();
  const auto folder = folder_ / random_token().substr(0, 16);
  std::error_code failed;
  if (available < wanted)
    failed = std::make_error_code(std::errc::no_space_on_device);
  else
    fs::create_directory(folder, failed);
  if (failed) {
    why = "the server cannot keep the file: " + failed.message();
    return nullptr;
  }
  const auto most = bytes.value_or(std::min({room(), limits_.largest, available}));
  entries_.push_back({.folder = folder, .bytes = most, .used = now});
  return std::make_unique<Arrival>(*this, folder, most);
}

/// The bytes that are left. The caller holds the mutex.
std::uint64_t Uploads::room() const {
  std::uint64_t kept = 0;
  for (const auto& each : entries_) kept += each.bytes;
  return limits_.total - std::min(kept, limits_.total);
}

/// What the disk has for another file: those that arrive have yet to write what they announced. The caller
/// holds the mutex.
std::uint64_t Uploads::free_on_disk() const {
  std::error_code unknown;
  const auto space = fs::space(folder_, unknown);
  auto taken = limits_.left_free;
  for (const auto& each : entries_)
    if (each.arriving) taken += each.bytes - std::min(each.bytes, bytes_in(each.folder));
  return unknown || space.available < taken ? 0 : space.available - taken;
}

/// Makes room. False if every file is arriving or in use. The caller holds the mutex.
bool Uploads::drop_oldest(Clock::time_point now) {
  const auto oldest = std::ranges::min_element(
      entries_, {}, [](const Entry& each) { return each.arriving ? Clock::time_point::max() : each.used; });
  if (oldest == entries_.end() || oldest->arriving || now - oldest->used < limits_.spare_after) return false;
  remove(*oldest);
  entries_.erase(oldest);
  return true;
}

/// The caller holds the mutex.
void Uploads::remove(const Entry& entry) {
  delete_all(entry.folder);
  gone_.push_back(entry.folder);
}

void Uploads::drop(const fs::path& folder) {
  delete_all(folder);
  const std::lock_guard lock(mutex_);
  entries_.remove_if([&](const Entry& each) { return each.folder == folder; });
}

void Uploads::settle(const fs::path& folder, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(entries_, folder, &Entry::folder);
  if (found != entries_.end()) *found = {folder, bytes, Clock::now(), false};
}

std::vector<fs::path> Uploads::note_used(const std::vector<fs::path>& files, bool loading,
                                         Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  for (auto& each : entries_) {
    const bool used = loading || std::ranges::any_of(files, [&](const fs::path& file) {
                        return file.parent_path() == each.folder;
                      });
    if (used) each.used = now;
  }
  entries_.remove_if([&](const Entry& each) {
    const bool old = !each.arriving && now - each.used >= limits_.removed_after;
    if (old) remove(each);
    return old;
  });
  return std::exchange(gone_, {});
}

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
