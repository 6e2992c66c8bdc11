#include "app/doctor/findings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "app/film/child_process.h"
#include "lab/setup/paths.h"
#include "render/picture/light_file.h"
#include "sim/cuda/compiler/compiler.h"
#include "sim/snapshots/hdf5_library.h"

namespace orrery::app {

namespace {

namespace fs = std::filesystem;

/// Part of the program or not: only building it again changes that.
Finding built_in(const char* name, bool is_there, const char* meaning, const char* debian,
                 const char* fedora) {
  if (is_there) return working(name, meaning);
  return missing(name, "this orrery was built without it",
                 install_hint(debian, fedora) + ", and build orrery again");
}

Finding hdf5() {
  if (const auto problem = sim::hdf5_problem(); !problem.empty())
    return missing("HDF5", problem, install_hint("libhdf5-dev", "hdf5"));
  return working("HDF5", "files of GADGET, AREPO, SWIFT, GIZMO and TNG");
}

Finding films() {
  if (is_program("ffmpeg")) return working("ffmpeg", "films as .mp4, .mkv and .webm");
  return missing("ffmpeg", "not there, so a film is a folder of PNG files",
                 install_hint("ffmpeg", "ffmpeg-free"));
}

Finding own_data() {
  if (const auto folder = lab::data_folder(); !folder.empty())
    return working("ladders and demos", folder.string());
  return missing("ladders and demos", "no folder share/orrery beside the program or above it",
                 "move the whole folder of the program, not the program alone");
}

Finding writable(const char* name, const fs::path& folder, const char* variable) {
  if (!folder.empty() && lab::can_be_written(folder)) return working(name, folder.string());
  return missing(name, folder.empty() ? "no home folder (HOME)" : folder.string() + " cannot be written",
                 fmt::format("export {}=/a/folder/of/yours", variable));
}

fs::path temporary_folder() {
  std::error_code failure;
  return fs::temp_directory_path(failure);
}

}  // namespace

std::string install_hint(std::string_view debian, std::string_view fedora) {
  const auto* sudo = geteuid() == 0 ? "" : "sudo ";
  if (is_program("apt-get")) return fmt::format("{}apt-get install {}", sudo, debian);
  if (is_program("dnf")) return fmt::format("{}dnf install {}", sudo, fedora);
  return fmt::format("install {} (its name in Debian)", debian);
}

Finding working(std::string name, std::string meaning) {
  return {.name = std::move(name), .meaning = std::move(meaning)};
}
Finding absent(std::string name, std::string why) {
  return {.name = std::move(name), .state = FindingState::absent, .meaning = std::move(why)};
}
Finding missing(std::string name, std::string why, std::string remedy) {
  return {std::move(name), FindingState::missing, std::move(why), std::move(remedy)};
}

std::vector<Finding> file_findings() {
#ifdef ORRERY_SERVE
  constexpr bool serves = true;
#else
  constexpr bool serves = false;
#endif
  return {hdf5(),
          built_in("OpenEXR", render::has_light_files(), "pictures of linear light (.exr)", "libopenexr-dev",
                   "openexr-devel"),
          films(),
          built_in("serve", serves, "the window in a browser: VP9 and JPEG",
                   "libboost-dev libvpx-dev libturbojpeg0-dev", "boost-devel libvpx-devel turbojpeg-devel"),
          own_data()};
}

std::vector<Finding> folder_findings() {
  return {writable("settings", lab::settings_folder(), "XDG_CONFIG_HOME"),
          writable("kernel cache", sim::cuda::kernel_cache_folder(), "XDG_CACHE_HOME"),
          writable("pictures", lab::pictures_folder(), "XDG_PICTURES_DIR"),
          writable("temporary files", temporary_folder(), "TMPDIR")};
}

}  // namespace orrery::app
