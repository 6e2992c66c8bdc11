#pragma once

#include <string>
#include <vector>

// What of CUDA is on this machine, in words.
namespace orrery::sim::cuda {

/// A part that the CUDA engine needs.
struct CudaPart {
  std::string name;     ///< "NVIDIA driver", "NVIDIA GPU" or "NVRTC"
  bool found = false;   ///< and usable
  std::string meaning;  ///< the finding, or the reason why it cannot be used and a remedy
};
/// Driver, GPUs and run-time compiler.
std::vector<CudaPart> cuda_parts();

/// Why the CUDA engine cannot run here, and what would help; empty if it can. That a GPU does not start is
/// known once somebody tried (start_problem).
std::string cuda_problem();
/// Why the CUDA engine cannot run although the machine seems to have an NVIDIA GPU; empty without such a GPU.
std::string idle_gpu_problem();

}  // namespace orrery::sim::cuda
