#pragma once

#include <string>

#include "sim/options/configuration.h"

// The option `engine`: what computes.
namespace orrery::sim {

/// The name of the engine that a configuration chooses.
inline const std::string& engine_name(const Configuration& configuration) {
  return configuration.choice("engine");
}
/// True if that is the engine of GPUs, whose options then count.
inline bool is_on_gpu(const Configuration& configuration) { return engine_name(configuration) == "cuda"; }
/// True if that is the engine of the CPU.
inline bool is_on_cpu(const Configuration& configuration) { return engine_name(configuration) == "cpu"; }

}  // namespace orrery::sim
