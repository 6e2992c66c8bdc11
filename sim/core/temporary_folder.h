#pragma once

#include <filesystem>
#include <string_view>

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
  int lock_ = -1;  ///< descriptor of the folder
};

}  // namespace orrery::sim
