#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace orrery::app {

/// True if `path` is `folder` or lies below it. Both are compared as they are written.
bool is_within(const std::filesystem::path& path, const std::filesystem::path& folder);

/// The path without "." and "..", as far as its text tells, and without a slash at its end.
std::filesystem::path plain_path(const std::filesystem::path& path);

/// The full path without links, as far as it exists, and without a slash at its end.
std::filesystem::path real_path(const std::filesystem::path& path);

/// The full path without links. Empty where the system does not tell where a path leads, or a link leads to
/// nothing: it may lead elsewhere when the path is opened.
std::optional<std::filesystem::path> path_without_links(const std::filesystem::path& path);

/// The path for people who look at the screen, or at a picture of it: "~" stands for the home folder.
std::string path_with_home_short(const std::filesystem::path& path);

/// The folder of a file, which may be named alone; "." then.
std::filesystem::path folder_of(const std::filesystem::path& file);

/// A folder whose files a state may have opened without a question: all in and below it. Of the home folder,
/// and of those above it, only what is directly in it: below are all files of the person.
class FreeFolder {
 public:
  explicit FreeFolder(const std::filesystem::path& folder);
  /// The full path, as it was given.
  const std::filesystem::path& path() const { return given_; }
  /// True if the text of a full, normalized path is inside the folder; the file system is not accessed.
  bool seems_to_hold(const std::filesystem::path& plain) const;
  /// True if the folder contains a path that real_path returned.
  bool holds(const std::filesystem::path& real) const { return is_in(real, real_); }

 private:
  bool is_in(const std::filesystem::path& path, const std::filesystem::path& folder) const;

  std::filesystem::path given_, real_;
  bool holds_home_;
};

}  // namespace orrery::app
