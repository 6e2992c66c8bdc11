#include "sim/cuda/sources/kernel_files.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cuda_kernels.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/message.h"

namespace orrery::sim::cuda {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largest_source = 1U << 20U;  ///< bytes: what is longer is no kernel

std::string read_source(const fs::path& file) {
  std::error_code failure;
  // A pipe or a device would be waited for.
  if (!fs::is_regular_file(file, failure)) throw Error(fmt::format("{} is no regular file", quoted(file)));
  if (fs::file_size(file, failure) > largest_source || failure)
    throw Error(fmt::format("{} is no kernel source: larger than 1 MiB", quoted(file)));
  std::ifstream stream(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  if (!stream.good() && !stream.eof()) cannot_read(file, "is it yours to read?");
  return text;
}

/// Where a source lies: in the folder, as write_kernel_folder puts it, or in one of its folders or beside it,
/// as in the program's own tree. Empty if nowhere.
fs::path find_source(const fs::path& folder, const std::string& name) {
  std::error_code failure;
  for (const char* part : {"", "families", "device", "laws", "fields", "../tree/shared"}) {
    auto path = folder / part / name;
    if (fs::exists(path, failure)) return path;
  }
  return {};
}

struct InUse {
  std::mutex mutex;
  std::shared_ptr<const KernelFiles> files = std::make_shared<const KernelFiles>(embedded_kernel_files());
};

InUse& in_use() {
  static InUse instance;
  return instance;
}

}  // namespace

const KernelFile& KernelFiles::at(std::string_view name) const {
  const auto found = files_.find(name);
  if (found == files_.end()) throw std::out_of_range("unknown kernel source: " + std::string(name));
  return found->second;
}

const KernelFiles& embedded_kernel_files() {
  static const KernelFiles embedded = [] {
    KernelFiles files;
    for (const auto& file : kernels::embedded_files) {
      const std::string name(file.name);
      files.files_.emplace(name, KernelFile{.text = std::string(file.text), .shown = name});
    }
    return files;
  }();
  return embedded;
}

KernelFiles read_kernel_folder(const fs::path& folder, bool watched) {
  std::error_code failure;
  if (!fs::is_directory(folder, failure)) {
    throw Error(fmt::format("{} is no folder; `orrery kernels --write-sources DIR` makes one to begin with",
                            quoted(folder)));
  }
  KernelFiles files = embedded_kernel_files();
  files.watched_ = watched;
  bool any = false;
  for (auto& [name, file] : files.files_) {
    const auto path = find_source(folder, name);
    if (path.empty()) continue;
    file = {.text = read_source(path), .shown = path.string(), .embedded = false};
    any = true;
  }
  if (!any) {
    throw Error(
        fmt::format("{} holds no kernel source (common.cuh, tiled.cu, ...); "
                    "`orrery kernels --write-sources DIR` writes them",
                    quoted(folder)));
  }
  return files;
}

void write_kernel_folder(const fs::path& folder) {
  std::error_code failure;
  const bool made = fs::create_directories(folder, failure);
  if (!fs::is_directory(folder, failure))
    cannot_write(folder, "it is no folder and cannot be made one; name another");
  const auto& files = embedded_kernel_files().all();
  for (const auto& [name, file] : files) {
    if (fs::exists(fs::symlink_status(folder / name, failure))) {
      throw Error(fmt::format("{} exists and sources are never overwritten; name another folder",
                              quoted(folder / name)));
    }
  }
  std::vector<fs::path> written;
  try {
    for (const auto& [name, file] : files) {
      write_file(folder / name, file.text);
      written.push_back(folder / name);
    }
  } catch (const Error&) {
    for (const auto& path : written) fs::remove(path, failure);
    if (made) fs::remove(folder, failure);
    throw;
  }
}

std::shared_ptr<const KernelFiles> kernel_files() {
  auto& current = in_use();
  const std::lock_guard lock(current.mutex);
  return current.files;
}

void use_kernel_files(KernelFiles files) {
  auto next = std::make_shared<const KernelFiles>(std::move(files));
  auto& current = in_use();
  const std::lock_guard lock(current.mutex);
  current.files = std::move(next);
}

}  // namespace orrery::sim::cuda
