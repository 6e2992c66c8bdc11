#include "app/serve/uploads.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/serve/access.h"

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

}  // namespace orrery::app::serve
