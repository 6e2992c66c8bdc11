#pragma once

#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cuda/sources/kernel_files.h"
#include "sim/options/configuration.h"
#include "sim/physics/fields/external_field.h"
#include "sim/physics/laws/force_law.h"

namespace orrery::sim::cuda {

struct Family;

/// The configuration that decides the code of a kernel and the shape of its launch: the switches of the
/// reports. Two equal values share one compiled module. What only the device code and its family read stands
/// in `code`; the other members are what the host reads for all families.
struct KernelConfiguration {
  /// The fused form, where forces and update are one kernel. Set by kernel_configuration, which makes these.
  const Family* family = nullptr;
  const ForceLaw* law = &gravity_law;
  std::string layout = "float4";
  std::string passing = "value";
  bool constant_memory = false;  ///< the law's constants and the map's
  bool constant_ranges = false;  ///< ranges and time step too
  bool fast_math = false;
  bool flush_to_zero = false;
  int precision = 32;  ///< bits
  int block = 256;     ///< 0: chosen by the occupancy interface
  int registers = 0;   ///< cap; 0: none
  int dimensions = 3;
  bool early_launch = false;   ///< kernels that wait for the one before are launched before it has ended
  bool batched = false;        ///< one launch for all galaxies: blocks find their galaxy in a table
  bool map_in_update = false;  ///< the update kernel counts the activity map
  bool compensated = false;    ///< two floats hold each number of the state
  const ExternalField* field = &none_field;
  bool slopes = false;                ///< Integrator::has_slopes of the integrator
  bool jerks = false;                 ///< Integrator::has_jerks of the integrator
  bool adaptive = false;              ///< steps are cut by the largest acceleration
  bool block_steps = false;           ///< each body has steps of its own (step=block)
  int tree_group = 0, tree_leaf = 0;  ///< families with a tree: bodies of a group, and of a leaf
  bool tree_third = false;            ///< cells of the tree have third moments
  bool guard = false;                 ///< softening so small that coincident bodies would overflow
  /// Options with a macro (Option::macro) and those that not all families use: their numbers, or the
  /// positions of their choices; of an option of forms each number, by its name (FormNumber::name). Only
  /// those that apply to the family.
  std::map<std::string, int, std::less<>> code;

  /// The number of an option in `code`. Asking for another is our own mistake (std::out_of_range).
  int value(std::string_view option) const;
  /// True if the option in `code` has this choice.
  bool chose(std::string_view option, std::string_view choice) const;
  /// True if the kernel moves the bodies too, into a second set of buffers (Family::updates).
  bool updates() const;
  /// True if the integrator looks back to the begin of a step (device/steps.cuh).
  bool keeps_begin() const { return slopes || jerks; }
  std::size_t real_bytes() const { return static_cast<std::size_t>(precision) / 8; }

  auto operator<=>(const KernelConfiguration&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// Reads the CUDA options of a configuration.
KernelConfiguration kernel_configuration(const Configuration& configuration);

/// A description for messages: the family and the differences from the default.
std::string describe(const KernelConfiguration& configuration);

/// The whole text that is compiled for a configuration, without the macros. It says where each line comes
/// from, so that the compiler's messages name file and line.
std::string kernel_source(const KernelConfiguration& configuration,
                          const KernelFiles& files = embedded_kernel_files());
/// The options of the run-time compiler for an architecture such as "sm_90": macros, fast-math, register cap.
/// A choice is the macro of its option, and every choice has a macro of its own: LAYOUT and LAYOUT_SOA.
std::vector<std::string> compiler_options(const KernelConfiguration& configuration,
                                          const std::string& architecture);

}  // namespace orrery::sim::cuda
