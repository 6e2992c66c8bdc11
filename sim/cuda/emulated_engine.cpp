#include "sim/core/error.h"
#include "sim/cuda/cuda_engine.h"
#include "sim/cuda/cuda_engine_class.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/emulator/emulator.h"
#include "sim/options/engine_option.h"

namespace orrery::sim {

namespace {

/// Empty if this process can have emulated GPUs.
std::string why_not_emulated() {
  if (auto problem = cuda::substitution_problem(); !problem.empty()) return problem;
  return cuda::emulator::compiler_problem();
}

/// From now on the process has emulated GPUs. Throws Error.
void emulate() {
  if (const auto problem = why_not_emulated(); !problem.empty())
    throw Error("cannot emulate a GPU: " + problem);
  static const auto driver = cuda::emulator::emulated_driver();
  static const auto compiler = cuda::emulator::host_compiler();
  cuda::substitute_gpu(driver, compiler);
}

}  // namespace

constexpr EngineKind emulated_engine_kind{
    .name = emulated_traits.name,
    .meaning =
        "The GPU's kernels, run on the CPU by an emulator: to read and debug them without a GPU. Slow.",
    .target_space = VertexTarget::Space::host,
    .unavailable = why_not_emulated,
    .make = [](const OptionTable&) -> std::unique_ptr<Engine> {
      emulate();
      return std::make_unique<cuda::CudaEngine>(emulated_engine_kind);
    },
    .prepare =
        [](const Configuration& configuration) {
          emulate();
          cuda::prepare(configuration);
        },
    .only_if_asked_for = true,
};

}  // namespace orrery::sim
