#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string_view>

#include "sim/core/descriptor.h"
#include "sim/core/removed_at_exit.h"

namespace orrery::sim {

/// A folder that only this user may enter, removed with all in it when the object goes. What a killed program
/// left behind is removed by the next folder of the same stem: a folder in use is locked.
class TemporaryFolder {
 public:
  /// Makes a folder among the temporary files, with a name that begins with `stem`. Throws Error: `purpose`
  /// says what the folder is for ("uploads").
  TemporaryFolder(std::string_view stem, std::string_view purpose);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  Descriptor lock_;  ///< the folder
};

/// An open file that has no name until it is complete: whatever ends the program, it is gone. Where the file
/// system does not know such files it has a hidden name, which only a kill that cannot be caught leaves
/// behind.
class TemporaryFile {
 public:
  /// `hidden`: with a hidden name, even where the file system knows files without one.
  enum class Kind { nameless, hidden };
  /// Creates a file in `folder`, with these rights less the umask. If that fails, descriptor() is negative
  /// and errno gives the reason.
  explicit TemporaryFile(const std::filesystem::path& folder, Kind kind = Kind::nameless,
                         mode_t rights = 0666);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();  ///< closes it; without a name of its own it is gone

  /// The descriptor for writing.
  int descriptor() const { return file_.number(); }
  /// Gives it the name `target`, in its folder, at once. What has the name is replaced or, without
  /// `replace`, makes it fail with EEXIST. False: errno says why, and nothing has changed.
  bool take_name(const std::filesystem::path& target, bool replace);
  /// False: errno says what the device said last.
  bool close() { return file_.close(); }

 private:
  std::filesystem::path folder_;
  Descriptor file_;
  std::filesystem::path hidden_;  ///< its name meanwhile; empty: none
  std::optional<RemovedAtExit> removal_;

  template <typename Make>
  bool take_hidden_name(Make make);
  bool link_to(const std::filesystem::path& name) const;
  bool move_to(const std::filesystem::path& target, bool replace);
  void forget_hidden_name();
};

}  // namespace orrery::sim
