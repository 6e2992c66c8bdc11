#include "app/window/file_browser.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <vector>

#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/threads.h"

namespace orrery::app {

namespace {

using Take = std::function<void(const std::filesystem::path& file)>;

/// The files that may be taken, and the action on one of them.
struct Area {
  Take take;
  OpenableFiles openable;

  ChoiceList list(const std::filesystem::path& folder) const { return file_list(folder, take, openable); }
};

struct Entry {
  std::string name;
  bool folder = false;
  std::uintmax_t size = 0;
};

/// Shared with the thread that reads, which may outlive the list.
struct Listing {
  std::atomic<bool> done{false};
  std::vector<Entry> entries;  ///< folders first, then by name
  std::string problem;
};

bool earlier(const Entry& a, const Entry& b) { return a.folder != b.folder ? a.folder : a.name < b.name; }

/// Hidden files are left out, as other dialogs do.
void read_folder(const std::filesystem::path& folder, const OpenableFiles& openable, Listing& listing) {
  std::error_code failure;
  auto at = std::filesystem::directory_iterator(folder, failure);
  for (; !failure && at != std::filesystem::directory_iterator(); at.increment(failure)) {
    Entry entry{.name = at->path().filename().string()};
    if (entry.name.starts_with('.')) continue;
    std::error_code unknown;
    // A link would tell what there is elsewhere, and how large.
    if (at->is_symlink(unknown) && !openable.holds(at->path())) continue;
    entry.folder = at->is_directory(unknown);
    if (!entry.folder && !at->is_regular_file(unknown)) continue;
    if (!entry.folder) entry.size = at->file_size(unknown);
    listing.entries.push_back(std::move(entry));
  }
  if (failure) listing.problem = fmt::format("cannot read {}: {}", folder.string(), failure.message());
  std::ranges::sort(listing.entries, earlier);
}

std::shared_ptr<Listing> start_reading(const std::filesystem::path& folder, const OpenableFiles& openable) {
  auto listing = std::make_shared<Listing>();
  // Detached: it owns all that it touches, and the window need not wait for it to close.
  const auto read = [listing, folder, openable] {
    read_folder(folder, openable, *listing);
    listing->done = true;
  };
  try {
    sim::start_thread("reading a folder", read).detach();
  } catch (const sim::Error& error) {
    listing->problem = error.what();
    listing->done = true;
  }
  return listing;
}

std::string size_text(std::uintmax_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (size < 1e3) return fmt::format("{} B", bytes);
  if (size < 1e6) return fmt::format("{:.1f} kB", size / 1e3);
  return size < 1e9 ? fmt::format("{:.1f} MB", size / 1e6) : fmt::format("{:.1f} GB", size / 1e9);
}

Choice folder_choice(const std::filesystem::path& folder, const std::string& title, const Area& area) {
  return {.name = title,
          .title = title,
          .detail = "folder",
          .help = folder.string(),
          .act = [folder, area](Chooser& chooser) {
            if (area.openable.holds(folder)) chooser.replace(area.list(folder));
          }};
}

Choice file_choice(const std::filesystem::path& file, const Entry& entry, const Area& area) {
  return {.name = entry.name,
          .title = entry.name,
          .detail = size_text(entry.size),
          .help = file.string(),
          .act = closing([file, area] {
            // A link may lead elsewhere.
            if (area.openable.allows(file)) area.take(file);
          })};
}

/// Takes the arrived entries of the folder; true if the list changed.
bool fill(ChoiceList& list, const std::filesystem::path& folder, const Listing& listing, const Area& area) {
  list.update = nullptr;
  std::erase_if(list.choices, [](const Choice& choice) { return choice.name == "reading"; });
  if (!listing.problem.empty())
    list.choices.push_back({.name = "problem", .title = "not readable", .refusal = listing.problem});
  else if (listing.entries.empty())
    list.choices.push_back(
        {.name = "empty", .title = "nothing in this folder", .refusal = "Backspace goes up."});
  for (const auto& entry : listing.entries) {
    const auto path = folder / entry.name;
    list.choices.push_back(entry.folder ? folder_choice(path, entry.name + "/", area)
                                        : file_choice(path, entry, area));
  }
  return true;
}

/// "~" is the home folder; what does not begin at the root begins in `folder`.
std::filesystem::path path_of(const std::string& typed, const std::filesystem::path& folder) {
  const char* home = std::getenv("HOME");
  if (home != nullptr && (typed == "~" || typed.starts_with("~/")))
    return std::filesystem::path(home) / (typed.size() > 2 ? typed.substr(2) : "");
  return folder / typed;
}

/// A path that was typed, where it leads to something.
std::optional<Choice> typed_path(const std::string& typed, const std::filesystem::path& folder,
                                 const Area& area) {
  // Names alone are found in the list.
  if (typed.find('/') == std::string::npos && typed != "~" && typed != "..") return std::nullopt;
  const auto path = path_of(typed, folder).lexically_normal();
  if (!area.openable.holds(path)) return std::nullopt;
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    auto choice = folder_choice(path, "typed", area);
    choice.title = path.string();
    return choice;
  }
  if (!std::filesystem::is_regular_file(path, failure)) return std::nullopt;
  auto choice = file_choice(path, {.name = "typed", .size = std::filesystem::file_size(path, failure)}, area);
  choice.title = path.string();
  return choice;
}

}  // namespace

ChoiceList file_list(const std::filesystem::path& folder, const Take& take, const OpenableFiles& openable) {
  const Area area{take, openable};
  ChoiceList list{.name = "files",
                  .title = folder.string(),
                  .prompt = "type to narrow the list, or a path; Backspace goes up"};
  const auto parent = folder.parent_path();
  if (parent != folder && openable.holds(parent)) {
    auto up = folder_choice(parent, "..", area);
    up.detail = "the folder above";
    list.up = up.act;
    list.choices.push_back(std::move(up));
  }
  list.choices.push_back({.name = "reading", .title = "reading the folder", .refusal = "It is being read."});
  list.from_text = [folder, area](const std::string& typed) { return typed_path(typed, folder, area); };
  list.update = [folder, area, listing = start_reading(folder, openable)](ChoiceList& changed) {
    return listing->done && fill(changed, folder, *listing, area);
  };
  return list;
}

}  // namespace orrery::app
