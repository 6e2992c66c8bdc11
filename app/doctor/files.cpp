#include <fmt/format.h>

#include "app/doctor/findings.h"
#include "app/film/child_process.h"
#include "lab/setup/paths.h"
#include "render/picture/light_file.h"
#include "sim/cuda/compiler/compiler.h"
#include "sim/snapshots/hdf5_library.h"

namespace orrery::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* topic = "Files and browser";

/// Part of the program or not: only building it again changes that.
Finding built_in(const char* name, bool is_there, const char* meaning, const char* debian,
                 const char* fedora) {
  Finding finding{.topic = topic, .name = name, .meaning = meaning};
  if (is_there) return finding;
  finding.state = FindingState::missing;
  finding.meaning = "this orrery was built without it";
  finding.remedy = install_hint(debian, fedora) + ", and build orrery again";
  return finding;
}

Finding hdf5() {
  Finding finding{.topic = topic, .name = "HDF5", .meaning = "files of GADGET, AREPO, SWIFT, GIZMO and TNG"};
  if (auto problem = sim::hdf5_problem(); !problem.empty()) {
    finding.state = FindingState::missing;
    finding.meaning = std::move(problem);
    finding.remedy = install_hint("libhdf5-dev", "hdf5");
  }
  return finding;
}

Finding films() {
  if (is_program("ffmpeg"))
    return {.topic = topic, .name = "ffmpeg", .meaning = "films as .mp4, .mkv and .webm"};
  return {.topic = topic,
          .name = "ffmpeg",
          .state = FindingState::missing,
          .meaning = "not there, so a film is a folder of PNG files",
          .remedy = install_hint("ffmpeg", "ffmpeg-free")};
}

Finding own_data() {
  if (const auto folder = lab::data_folder(); !folder.empty())
    return {.topic = topic, .name = "ladders and demos", .meaning = folder.string()};
  return {.topic = topic,
          .name = "ladders and demos",
          .state = FindingState::missing,
          .meaning = "no folder share/orrery beside the program or above it",
          .remedy = "move the whole folder of the program, not the program alone"};
}

Finding writable(const char* name, const fs::path& folder, const char* variable) {
  Finding finding{.topic = "Folders that are written to", .name = name, .meaning = folder.string()};
  if (!folder.empty() && lab::can_be_written(folder)) return finding;
  finding.state = FindingState::missing;
  finding.meaning = folder.empty() ? "no home folder (HOME)" : folder.string() + " cannot be written";
  finding.remedy = fmt::format("export {}=/a/folder/of/yours", variable);
  return finding;
}

fs::path temporary_folder() {
  std::error_code failure;
  return fs::temp_directory_path(failure);
}

}  // namespace

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
