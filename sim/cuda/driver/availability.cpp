#include "sim/cuda/driver/availability.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/core/counted.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/driver/library_search.h"

namespace orrery::sim::cuda {

namespace {

/// The device files of the kernel driver; the second one under WSL2.
bool has_driver_files() {
  for (const char* file : {"/proc/driver/nvidia/version", "/dev/nvidiactl", "/dev/dxg"}) {
    std::error_code failure;
    if (std::filesystem::exists(file, failure)) return true;
  }
  return false;
}

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

CudaPart driver_part() {
  CudaPart part{.name = "NVIDIA driver", .found = driver() != nullptr, .meaning = driver_problem()};
  if (!part.found) return part;
  int version = 0;
  driver()->cuDriverGetVersion(&version);
  part.meaning = fmt::format("for CUDA {}", version_text(version));
  return part;
}

CudaPart gpu_part() {
  if (driver() == nullptr) return {.name = "NVIDIA GPU", .found = false, .meaning = "it needs the driver"};
  const auto found = find_devices();
  const auto problem = found.problem.empty() ? known_start_problem() : found.problem;
  return {.name = "NVIDIA GPU",
          .found = problem.empty(),
          .meaning = problem.empty() ? counted(found.devices.size(), "GPU", "GPUs") : problem};
}

CudaPart compiler_part() {
  CudaPart part{.name = "NVRTC", .found = nvrtc() != nullptr, .meaning = nvrtc_problem()};
  if (!part.found) return part;
  const auto [major, minor] = nvrtc_version();
  part.meaning = fmt::format("the run-time compiler {}.{} ({})", major, minor,
                             file_of(reinterpret_cast<void*>(nvrtc()->nvrtcVersion)));
  return part;
}

}  // namespace

std::vector<CudaPart> cuda_parts() { return {driver_part(), gpu_part(), compiler_part()}; }

std::string cuda_problem() {
  if (gpu_is_substituted())
    return "this process has an emulated GPU (engine=emulated); start the program anew for engine=cuda";
  auto problem = find_devices().problem;
  if (problem.empty()) problem = nvrtc_problem();
  return problem.empty() ? known_start_problem() : problem;
}

std::string idle_gpu_problem() {
  auto problem = cuda_problem();
  if (problem.empty() || problem == no_gpu || gpu_is_substituted()) return {};
  return driver_is_installed() || has_driver_files() ? problem : std::string();
}

}  // namespace orrery::sim::cuda
