#pragma once

#include "sim/engines/engine.h"

namespace orrery::sim {

/// The engine that computes on an NVIDIA GPU with kernels compiled at run time. Registered where the program
/// was built with CUDA's headers; without driver or run-time compiler it says what is missing.
extern const EngineKind cuda_engine_kind;
/// The same engine and kernels on a GPU that the CPU emulates (emulator/emulator.h): whichever of both a
/// process uses first is the only one that it can have.
extern const EngineKind emulated_engine_kind;

}  // namespace orrery::sim
