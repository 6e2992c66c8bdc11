#pragma once

#include <string>

#include "sim/options/configuration.h"

// The option `engine`: what computes.
namespace orrery::sim {

/// The name of the engine that a configuration chooses.
inline const std::string& engine_name(const Configuration& configuration) {
  return configuration.choice("engine");
}
/// True if that is the engine whose GPUs the CPU emulates.
inline bool is_emulated(const Configuration& configuration) {
  return engine_name(configuration) == "emulated";
}
/// True if that is an engine of GPUs, whose options then count.
inline bool is_on_gpu(const Configuration& configuration) {
  return engine_name(configuration) == "cuda" || is_emulated(configuration);
}
/// The group of the options that only this engine has.
inline std::string engine_group(const Configuration& configuration) {
  return is_on_gpu(configuration) ? "cuda" : engine_name(configuration);
}
/// True if that is the engine of the CPU.
inline bool is_on_cpu(const Configuration& configuration) { return engine_name(configuration) == "cpu"; }

}  // namespace orrery::sim
