#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "app/serve/response.h"

namespace orrery::app::serve {

/// The files that this run has written for its user, which browsers may fetch by name. For any thread.
class Downloads {
 public:
  /// Offers a file under its own name. Returns the name; a later file of the same name takes its place.
  std::string offer(const std::filesystem::path& file);
  /// A GET of the file of that name, as an attachment: the part that the Range field asks for, unless
  /// If-Range names another state of the file (empty: no such field). Status 404 if none was offered, 410 if
  /// it is gone.
  Response get(const std::string& name, std::string_view range, std::string_view if_range) const;
  /// The names, as a JSON list.
  std::string list() const;

 private:
  std::optional<std::filesystem::path> find(const std::string& name) const;

  mutable std::mutex mutex_;
  std::map<std::string, std::filesystem::path> files_;
};

/// The name under which an upload is kept: the last part of the path, without anything that a file name
/// should not have. Empty if nothing is left.
std::string safe_file_name(std::string_view name);

}  // namespace orrery::app::serve
