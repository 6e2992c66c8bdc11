#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/doctor/findings.h"
#include "app/film/child_process.h"
#include "lab/bench/rates.h"
#include "lab/setup/machine.h"
#include "sim/core/counted.h"
#include "sim/core/pattern.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/driver/availability.h"
#include "sim/cuda/driver/device.h"
#include "sim/ranks/world.h"

namespace orrery::app {

namespace {

namespace fs = std::filesystem;

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

Finding processor() {
  const auto machine = lab::this_machine();
  return working("CPU", fmt::format("{} ({}, {}, {:.1f} GiB of memory)", machine.cpu,
                                    sim::counted(machine.processors, "core", "cores"), machine.instructions,
                                    static_cast<double>(machine.memory) / gib));
}

/// Set by the program itself on machines of few cores (app/main.cpp).
Finding waiting_threads() {
  std::string meaning;
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"})
    if (const char* value = std::getenv(name))
      meaning += fmt::format("{}{}={}", meaning.empty() ? "" : ", ", name, value);
  return working("waiting threads", meaning.empty() ? "as the OpenMP library does by itself" : meaning);
}

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// Among the PCI devices, of which a machine knows even without a driver: vendor NVIDIA, class display.
bool has_nvidia_card() {
  std::error_code failure;
  for (const auto& device : fs::directory_iterator("/sys/bus/pci/devices", failure))
    if (first_line(device.path() / "vendor") == "0x10de" &&
        first_line(device.path() / "class").starts_with("0x03"))
      return true;
  return false;
}

bool is_container() {
  std::error_code failure;
  for (const char* file : {"/.dockerenv", "/run/.containerenv", "/.singularity.d"})
    if (fs::exists(file, failure)) return true;
  return false;
}

/// "580.159.04", of the kernel's part of the driver; empty where it does not say.
std::string driver_version() {
  const auto line = first_line("/proc/driver/nvidia/version");
  const auto match = sim::Pattern("[0-9]{3}\\.[0-9.]+").find(line);
  return match.empty() ? "" : std::string(match[0]);
}

std::string driver_remedy() {
  if (sim::cuda::driver_is_installed() && sim::cuda::driver_start_error() != 0)
    return driver_advice(driver_trouble(sim::cuda::driver_start_error(), is_container(), "/dev"));
  if (is_container()) return "start the container with the GPU: apptainer --nv, or docker --gpus all";
  return install_hint("nvidia-driver (section non-free)", "akmod-nvidia (from RPM Fusion)") +
         ", or ask who keeps this machine";
}

/// Without an NVIDIA card nothing of CUDA is missing.
Finding cuda_part(const sim::cuda::CudaPart& part, bool expected) {
  auto finding = working(part.name, part.meaning);
  if (part.found) {
    const auto version = part.name == "NVIDIA driver" ? driver_version() : "";
    if (!version.empty()) finding.meaning = version + ", " + finding.meaning;
    return finding;
  }
  finding.state = expected ? FindingState::missing : FindingState::absent;
  // Other commands send people here.
  finding.meaning = finding.meaning.substr(0, finding.meaning.find("; `orrery doctor`"));
  if (expected && part.name == "NVIDIA driver") finding.remedy = driver_remedy();
  if (expected && part.name == "NVRTC") finding.remedy = nvrtc_command();
  return finding;
}

Finding gpu(const sim::cuda::DeviceInfo& device) {
  const auto problem = sim::cuda::start_problem(device.ordinal);
  const auto name = fmt::format("GPU {}", device.ordinal);
  if (!problem.empty()) return missing(name, fmt::format("{}: {}", device.name, problem), "");
  return working(
      name, fmt::format("{}, {}, {} multiprocessors at {:.0f} MHz, {:.1f} GiB, {} GInteractions/s",
                        device.name, device.architecture(), device.multiprocessors, device.clock_mhz,
                        static_cast<double>(device.memory) / gib, lab::rate_text(device.fp32_limit_gips())));
}

Finding mpi() {
  auto why = sim::mpi_problem();
  if (why.empty() && !is_program("mpirun")) why = "no program mpirun";
  if (why.empty()) return working("MPI", "several processes, started by mpirun");
  const auto remedy = mpi_remedy(sim::mpi_module());
  return remedy.empty() ? absent("MPI", why) : missing("MPI", why, remedy);
}

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

std::string mpi_remedy(const std::filesystem::path& module) {
  if (module.empty()) return {};
  if (!std::filesystem::exists(module))
    return "install the package orrery-mpi that was made with this orrery";
  return install_hint("openmpi-bin", "openmpi");
}

std::vector<Finding> computing_findings() {
  std::vector<Finding> findings{processor(), waiting_threads()};
  const auto devices = sim::cuda::devices();
  // Before the parts are asked, which then know how it went.
  std::vector<Finding> gpus;
  for (const auto& device : devices) gpus.push_back(gpu(device));
  const bool expected = !devices.empty() || has_nvidia_card() || !sim::cuda::idle_gpu_problem().empty();
  for (const auto& part : sim::cuda::cuda_parts()) findings.push_back(cuda_part(part, expected));
  findings.insert(findings.end(), std::move_iterator(gpus.begin()), std::move_iterator(gpus.end()));
  findings.push_back(mpi());
  return findings;
}

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
