#include "sim/cuda/driver/library_search.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <iterator>

namespace orrery::sim::cuda {

namespace fs = std::filesystem;

namespace {

/// Folders in `folder` whose names begin so, newest version first: by name, the longer one first.
std::vector<fs::path> folders_in(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (entry->path().filename().string().starts_with(prefix) && entry->is_directory(failure))
      found.push_back(entry->path());
  }
  std::ranges::sort(found, std::greater{},
                    [](const fs::path& path) { return std::pair(path.native().size(), path.native()); });
  return found;
}

/// A variable that names a folder by its whole path; empty if it does not.
fs::path folder_named_by(const char* variable) {
  const char* text = std::getenv(variable);
  const fs::path folder = text != nullptr ? text : "";
  return folder.is_absolute() ? folder : fs::path();
}

/// The folder with libraries for this kind of CPU in `targets` of a toolkit. Jetson has the second on
/// ARM.
#if defined(__aarch64__)
constexpr std::array target_folders{"targets/sbsa-linux/lib", "targets/aarch64-linux/lib"};
#else
constexpr std::array target_folders{"targets/x86_64-linux/lib"};
#endif

std::vector<fs::path> toolkits() {
  std::vector<fs::path> folders;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const auto folder = folder_named_by(variable); !folder.empty()) folders.push_back(folder);
  }
  folders.emplace_back("/usr/local/cuda");
  std::ranges::move(folders_in("/usr/local", "cuda-"), std::back_inserter(folders));
  return folders;
}

/// The folder build that the program is in; empty if it is in none.
fs::path build_folder(fs::path folder) {
  constexpr int deepest = 4;  // build/dev/tests/gpu
  for (int k = 0; k < deepest && folder.has_relative_path(); ++k, folder = folder.parent_path()) {
    if (folder.filename() == "build") return folder;
  }
  return {};
}

/// Folders with packages of Python.
std::vector<fs::path> package_folders(const fs::path& program) {
  std::vector<fs::path> folders, environments;
  if (const auto build = build_folder(program); !build.empty()) environments = folders_in(build, "");
  if (const auto active = folder_named_by("VIRTUAL_ENV"); !active.empty()) environments.push_back(active);
  if (const auto home = folder_named_by("HOME"); !home.empty()) environments.push_back(home / ".local");
  for (const auto& environment : environments) {
    for (const auto& python : folders_in(environment / "lib", "python3"))
      folders.push_back(python / "site-packages");
  }
  return folders;
}

/// The folders of libraries in a folder of packages: nvidia/cu13/lib, or nvidia/cuda_nvrtc/lib in wheels of
/// older versions.
std::vector<fs::path> wheel_folders(const fs::path& packages) {
  auto folders = packages.empty() ? std::vector<fs::path>() : folders_in(packages / "nvidia", "");
  for (auto& folder : folders) folder /= "lib";
  return folders;
}

std::vector<fs::path> library_folders(const fs::path& program) {
  std::vector<fs::path> folders;
  for (const auto& toolkit : toolkits()) {
    folders.push_back(toolkit / "lib64");
    for (const char* inside : target_folders) folders.push_back(toolkit / inside);
    folders.push_back(toolkit / "lib");
  }
  for (const auto& packages : package_folders(program))
    std::ranges::move(wheel_folders(packages), std::back_inserter(folders));
  return folders;
}

}  // namespace

fs::path fetched_packages() {
  if (const auto data = folder_named_by("XDG_DATA_HOME"); !data.empty()) return data / "orrery/cuda";
  const auto home = folder_named_by("HOME");
  return home.empty() ? home : home / ".local/share/orrery/cuda";
}

std::vector<std::string> toolkit_library_names(const std::string& stem,
                                               const std::vector<std::string>& versions,
                                               const fs::path& program) {
  std::vector<std::string> files, names;
  for (const auto& version : versions) files.push_back(stem + ".so." + version);
  files.push_back(stem + ".so");
  const auto add = [&](const std::vector<fs::path>& folders) {
    for (const auto& folder : folders)
      for (const auto& file : files) names.push_back((folder / file).string());
  };
  add(wheel_folders(fetched_packages()));
  names.insert(names.end(), files.begin(), files.end());
  add(library_folders(program));
  return names;
}

std::vector<std::string> toolkit_library_names(const std::string& stem,
                                               const std::vector<std::string>& versions) {
  std::error_code failure;
  return toolkit_library_names(stem, versions, fs::read_symlink("/proc/self/exe", failure).parent_path());
}

void* open_first(const std::vector<std::string>& names) {
  for (const auto& name : names) {
    if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

std::string file_of(void* function) {
  Dl_info info{};
  return dladdr(function, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

}  // namespace orrery::sim::cuda
