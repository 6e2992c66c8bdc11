#pragma once

#include "sim/engines/engine.h"

namespace orrery::sim {

/// The engine that computes on an NVIDIA GPU with kernels compiled at run time. Registered where the program
/// was built with CUDA's headers; without driver or run-time compiler it says what is missing.
extern const EngineKind cuda_engine_kind;
/// The CUDA engine with its kernels on a GPU that the CPU emulates (emulator/emulator.h). A process can use
/// only one of the two engines, whichever it uses first.
extern const EngineKind emulated_engine_kind;

}  // namespace orrery::sim
