#pragma once

#include "sim/engines/engine.h"

namespace orrery::sim {

/// The engine that computes with OpenMP on the CPU; always available.
extern const EngineKind cpu_engine_kind;

}  // namespace orrery::sim
