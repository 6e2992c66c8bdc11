#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace orrery::app::serve {

/// The files that this run has written for its user, which browsers may fetch by name. For any thread.
class Downloads {
 public:
  /// Offers a file under its own name. Returns the name; a later file of the same name takes its place.
  std::string offer(const std::filesystem::path& file);
  /// The file of that name; empty if none was offered.
  std::optional<std::filesystem::path> find(const std::string& name) const;
  /// The names, as a JSON list.
  std::string list() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::filesystem::path> files_;
};

/// The name under which an upload is kept: the last part of the path, without anything that a file name
/// should not have. Empty if nothing is left.
std::string safe_file_name(std::string_view name);

}  // namespace orrery::app::serve
