#pragma once

#include <string>
#include <string_view>

#include "sim/cuda/driver/cuda_abi.h"

// CUDA is opened at run time, so that one binary starts on machines without a driver or a toolkit.
namespace orrery::sim::cuda {

/// The driver's message on a machine without a GPU.
inline constexpr const char* no_gpu = "the NVIDIA driver finds no GPU";

/// The CUDA driver, as functions of the same names. Those of ORRERY_OPTIONAL_DRIVER_FUNCTIONS may be nullptr.
struct Driver {
#define ORRERY_MEMBER(name, suffix, parameters) CUresult(*name) parameters = nullptr;
  ORRERY_DRIVER_FUNCTIONS(ORRERY_MEMBER)
  ORRERY_OPTIONAL_DRIVER_FUNCTIONS(ORRERY_MEMBER)
#undef ORRERY_MEMBER
};

/// The run-time compiler.
struct Nvrtc {
#define ORRERY_MEMBER(name, result, parameters) result(*name) parameters = nullptr;
  ORRERY_NVRTC_FUNCTIONS(ORRERY_MEMBER)
#undef ORRERY_MEMBER
};

/// The driver, opened and initialized at the first call; nullptr without one.
const Driver* driver();
/// Replaces driver() and nvrtc() by these, which must live as long as the process: it has no GPU but the one
/// that they make up. Throws Error where substitution_problem() says why not.
void substitute_gpu(const Driver& driver, const Nvrtc& nvrtc);
/// Why driver() cannot be another one: this process uses a GPU already. Empty if it can be, or is.
std::string substitution_problem();
/// True after substitute_gpu.
bool gpu_is_substituted();
/// A GPU is about to be used: the driver stays what it is.
void keep_driver();
/// Why driver() is nullptr, and what would help; empty if it is not.
const std::string& driver_problem();
/// True if the driver's library is installed, usable or not.
bool driver_is_installed();
/// The error with which an installed driver does not start (a CUresult); 0: it starts, or there is none.
int driver_start_error();
/// The newest CUDA of the driver that is installed, started or not: 13000 for CUDA 13.0; 0 without one.
int driver_cuda_version();
/// The driver's own word for a failure; works also where the driver does not start.
std::string error_text(CUresult result);
/// The run-time compiler, opened at the first call; nullptr without one. Works without a driver.
const Nvrtc* nvrtc();
/// The version of the run-time compiler; 0.0 without one.
struct NvrtcVersion {
  int major = 0, minor = 0;
};
NvrtcVersion nvrtc_version();
/// Why nvrtc() is nullptr, and what would help.
const std::string& nvrtc_problem();

/// Throws Error "<what> failed: <name>: <text>" unless the call succeeded.
void check(CUresult result, std::string_view what);
void check(nvrtcResult result, std::string_view what);

}  // namespace orrery::sim::cuda
