#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace orrery::sim::cuda {

/// One source file of the device code.
struct KernelFile {
  std::string text;
  std::string shown;     ///< as the compiler's messages name it: "tiled.cu", or the path of the file on disk
  bool embedded = true;  ///< from the program, not from a folder
  friend bool operator==(const KernelFile&, const KernelFile&) = default;
};

/// The device code at one moment: the embedded sources, or those of a folder. Not changed once made, so
/// that threads share it.
class KernelFiles {
 public:
  /// The file of that name, e.g. "common.cuh". Asking for an unknown one is our own mistake
  /// (std::out_of_range).
  const KernelFile& at(std::string_view name) const;
  const std::map<std::string, KernelFile, std::less<>>& all() const { return files_; }
  /// True if these are read again when edited: then a kernel that does not compile is no failure, the last
  /// good one runs on.
  bool watched() const { return watched_; }

 private:
  friend const KernelFiles& embedded_kernel_files();
  friend KernelFiles read_kernel_folder(const std::filesystem::path& folder, bool watched);
  std::map<std::string, KernelFile, std::less<>> files_;
  bool watched_ = false;
};

/// The sources that the program was built with.
const KernelFiles& embedded_kernel_files();
/// The sources in a folder, or in its folders `families`, `device` and `laws`; a file that is not there is
/// the embedded one. Throws Error if there is no such folder, none of the files is in it, or one cannot be
/// read.
KernelFiles read_kernel_folder(const std::filesystem::path& folder, bool watched);
/// Writes the embedded sources into a folder, which is made if needed, to begin with. Throws Error, and
/// writes nothing, if one of the files is there already or the disk does not take all of them.
void write_kernel_folder(const std::filesystem::path& folder);

/// The sources that the engine compiles now: the embedded ones unless others were set.
std::shared_ptr<const KernelFiles> kernel_files();
/// Makes the engine compile these files; engines notice between steps. Any thread.
void use_kernel_files(KernelFiles files);

}  // namespace orrery::sim::cuda
