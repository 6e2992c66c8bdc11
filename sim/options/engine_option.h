#pragma once

#include <string>
#include <string_view>

#include "sim/options/configuration.h"

// The option `engine`: what computes.
namespace orrery::sim {

/// Properties of an engine that options, measurements and panels ask for, instead of its name.
struct EngineTraits {
  std::string_view name;           ///< as in --set engine=NAME
  std::string_view option_group;   ///< group of the options that only engines of its sort have
  std::string_view kernel_option;  ///< the option that chooses how it computes forces
  bool on_gpu = false;             ///< computes on GPUs, real or emulated
  bool emulated = false;           ///< the CPU emulates its GPUs
};

inline constexpr EngineTraits cpu_traits{.name = "cpu", .option_group = "cpu", .kernel_option = "kernel"};
inline constexpr EngineTraits cuda_traits{
    .name = "cuda", .option_group = "cuda", .kernel_option = "family", .on_gpu = true};
inline constexpr EngineTraits emulated_traits{
    .name = "emulated", .option_group = "cuda", .kernel_option = "family", .on_gpu = true, .emulated = true};

/// The traits of the engine of that name, which may come from a file; of others no trait is true. Nothing
/// else looks for an engine by its name to learn what it is.
const EngineTraits& engine_traits(std::string_view name);

/// The name of the engine that a configuration chooses.
inline const std::string& engine_name(const Configuration& configuration) {
  return configuration.choice("engine");
}
inline const EngineTraits& engine_traits(const Configuration& configuration) {
  return engine_traits(engine_name(configuration));
}
/// True if that is the engine whose GPUs the CPU emulates.
inline bool is_emulated(const Configuration& configuration) { return engine_traits(configuration).emulated; }
/// True if that is an engine of GPUs, whose options then count.
inline bool is_on_gpu(const Configuration& configuration) { return engine_traits(configuration).on_gpu; }
/// True if that is an engine of GPUs that this machine has.
inline bool is_on_real_gpu(const Configuration& configuration) {
  return is_on_gpu(configuration) && !is_emulated(configuration);
}
/// True if that is the engine of the CPU.
inline bool is_on_cpu(const Configuration& configuration) { return !is_on_gpu(configuration); }
/// The group of the options that only this engine has.
inline std::string engine_group(const Configuration& configuration) {
  return std::string(engine_traits(configuration).option_group);
}

/// The option that names what computes: "kernel" for the CPU engine, "family" for CUDA.
std::string kernel_option(const Configuration& configuration);
/// The name of what computes: the CPU kernel, or the CUDA family.
const std::string& computing_name(const Configuration& configuration);

}  // namespace orrery::sim
