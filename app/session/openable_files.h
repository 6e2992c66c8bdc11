#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lab/setup/dataset.h"

// Which files a person may open, and the names of a snapshot in several files: snap.0, snap.1; snap.0.hdf5,
// snap.1.hdf5. A reader of one of them reads the others, too.
namespace orrery::app {

/// The file's name without its part numbers: that of "snap.0.hdf5" and "snap.12.hdf5" is the same. They may
/// be parts of one snapshot.
std::string without_part_number(const std::filesystem::path& path);

/// True if the name has a part number.
bool has_part_number(const std::filesystem::path& path);

/// True if `fits` is true of every file that is opened to read `path`: of a folder, an index or a pattern all
/// its snapshots, of a snapshot in several files its other parts too. False where that cannot be found out.
bool all_files_fit(const std::filesystem::path& path,
                   const std::function<bool(const std::filesystem::path& file)>& fits);

/// Decides which files the person at the window may open, whatever names them: an upload, a state, a
/// checkpoint, the lists of the window, a series. By default every file. The window of a server, which others
/// may drive, has limits: what lies in some folders, and what the command line named.
///
/// Paths are judged where their links lead at that moment, and the path without links is what is to be
/// opened. Nothing outside is looked at, so a refusal does not tell whether there is such a file.
class OpenableFiles {
 public:
  OpenableFiles() = default;
  /// Files in and below `uploads`, and in and below `root` unless it is empty.
  OpenableFiles(const std::filesystem::path& uploads, const std::filesystem::path& root);

  bool limited() const { return !folders_.empty(); }
  /// The folder whose files are offered first, where there are limits.
  const std::filesystem::path& first_folder() const { return folders_.front().given; }
  /// Also allows the files of this request.
  void allow(const lab::DatasetRequest& request);
  void allow(const std::filesystem::path& file);

  /// True if the path lies inside: a folder that may be looked into.
  bool holds(const std::filesystem::path& path) const { return place_of(path).has_value(); }
  /// True if the path and everything that is opened to read it may be opened.
  bool allows(const std::filesystem::path& path) const { return resolve(path).has_value(); }
  /// The path without links, or as it is where there are no limits; empty if it may not be opened.
  std::optional<std::filesystem::path> resolve(const std::filesystem::path& path) const;
  /// Throws the refusal, if there is one.
  std::filesystem::path checked(const std::filesystem::path& path) const;
  /// The request with the resolved paths of its files. Throws sim::Error if one of them may not be opened.
  lab::DatasetRequest checked(const lab::DatasetRequest& request) const;

  /// The rule for what belongs to a dataset: none where the command line named all its files.
  OpenableFiles rule_for(const lab::DatasetRequest& request) const;

  /// The files of that name, which may have folders, in and below the openable folders: as it is, and among
  /// the uploads, each of which has a folder of its own.
  std::vector<std::filesystem::path> candidates(const std::filesystem::path& name) const;
  /// Throws the refusal of a file by the name that a person, or a file, gave it.
  [[noreturn]] void refuse(const std::string& name) const;

 private:
  struct Folder {
    std::filesystem::path given, real;
  };
  std::vector<Folder> folders_;  ///< uploads last; empty: no limits
  std::set<std::filesystem::path> files_;

  bool may_be_inside(const std::filesystem::path& plain) const;
  bool links_lead_inside(const std::filesystem::path& real) const;
  std::optional<std::filesystem::path> place_of(const std::filesystem::path& path) const;
};

}  // namespace orrery::app
