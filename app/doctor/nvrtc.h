#pragma once

#include <string>

// NVIDIA's run-time compiler, of which PyPI has packages.
namespace orrery::app {

/// PyPI's package whose kernels a driver of this CUDA version runs (13000 for 13.0) on GPUs
/// of this compute capability and newer (75 for 7.5). 0: not known.
std::string nvrtc_package(int driver_version, int oldest_capability);
/// The package for this machine. CUDA 12 where there is no driver: a computer that fetches for others.
std::string nvrtc_package();

/// The command that fetches it, to be typed in a shell.
std::string nvrtc_command();

/// One line for the reason in what pip said before it failed.
std::string pip_problem(const std::string& said, const std::string& package);

/// Fetches the package for this machine into sim::cuda::fetched_packages(), whole or not at all, with pip's
/// progress on a terminal; what it fetched before is replaced. Nothing if a run-time compiler is somewhere
/// else. Prints the result; throws sim::Error with one line.
void fix_nvrtc();

}  // namespace orrery::app
