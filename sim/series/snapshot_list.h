#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/snapshots/format.h"

namespace orrery::sim {

/// One of several states: a file, or one of those in a file.
struct SnapshotPlace {
  std::filesystem::path file;
  std::size_t number = 0;  ///< among the snapshots of the file, from 0

  friend bool operator==(const SnapshotPlace&, const SnapshotPlace&) = default;
};

/// The states that `source` names, in the order of their numbers:
/// - a folder: the largest set of files whose names differ only in their last number. Of snapshots in several
///   files (snap_002.0, snap_002.1.hdf5) the first file stands for all.
/// - an index that orrery wrote (.pvd, .series): its folder.
/// - a pattern with * and ? in its last part: all files that fit.
/// - a file that holds several: each of them.
/// - any other file: that one. Nothing if there is no such file.
/// Only names and, of a single file, the content are looked at, in the format that `options` say. Throws
/// Error for a folder or pattern without any.
std::vector<SnapshotPlace> list_snapshots(const std::filesystem::path& source,
                                          const ReadOptions& options = {});

/// Where a series lacks numbers that its names lead to expect, for people: "002 to 004 are missing". Numbers
/// are expected at the most frequent distance, where at least half of them keep it. Empty: none are missing.
std::string describe_gaps(const std::vector<SnapshotPlace>& places);

/// True for a folder, an index or a pattern: `source` names no single file.
bool names_many_files(const std::filesystem::path& source);

}  // namespace orrery::sim
