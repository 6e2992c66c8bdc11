#include "app/doctor/findings.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace orrery::app {

namespace {

// Values of CUresult.
constexpr int stub_library = 34, system_not_ready = 802, system_driver_mismatch = 803,
              compat_not_supported = 804;

bool is_locked(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (descriptor >= 0) ::close(descriptor);
  return descriptor < 0 && (errno == EACCES || errno == EPERM);
}

/// The group, other than root's, whose members may read and write the file; empty if there is none.
std::string group_of(const std::string& file) {
  struct stat entry {};
  constexpr mode_t both = S_IRGRP | S_IWGRP;
  if (::stat(file.c_str(), &entry) != 0 || entry.st_gid == 0 || (entry.st_mode & both) != both) return {};
  const auto* group = ::getgrgid(entry.st_gid);
  return group != nullptr ? group->gr_name : "";
}

std::string permission_advice(const DriverTrouble& trouble) {
  const auto why = fmt::format("you may not open {}: ", trouble.locked_file);
  if (trouble.in_container)
    return why + "start the container as a user who may, or ask who keeps this machine";
  if (trouble.locked_group.empty()) return why + "sudo chmod a+rw /dev/nvidia*";
  return fmt::format("{}sudo usermod -aG {} $USER, then log in again", why, trouble.locked_group);
}

}  // namespace

DriverTrouble driver_trouble(int error, bool in_container, const std::string& folder) {
  DriverTrouble trouble{.error = error, .in_container = in_container};
  for (const char* name : {"nvidiactl", "nvidia-uvm", "nvidia0"}) {
    const auto file = (std::filesystem::path(folder) / name).string();
    if (!is_locked(file)) continue;
    trouble.locked_file = file;
    trouble.locked_group = group_of(file);
    break;
  }
  return trouble;
}

std::string driver_advice(const DriverTrouble& trouble) {
  switch (trouble.error) {
    case stub_library:
      return "this is the toolkit's stand-in for the driver: take its folder stubs out of LD_LIBRARY_PATH";
    case compat_not_supported:
      return "this GPU does not take the driver of a newer CUDA: take its folder compat out of "
             "LD_LIBRARY_PATH";
    case system_not_ready:
      return "sudo systemctl start nvidia-fabricmanager (GPUs joined by NVSwitch wait for it)";
    default:
      break;
  }
  if (!trouble.locked_file.empty()) return permission_advice(trouble);
  if (trouble.in_container)
    return "start the container anew with the driver of this machine: apptainer --nv, or docker --gpus all";
  if (trouble.error == system_driver_mismatch)
    return "restart the computer: the driver was updated, and the kernel still runs the module of the old "
           "one";
  return "restart the computer, as after an update or a suspend; `nvidia-smi` may tell more";
}

}  // namespace orrery::app
