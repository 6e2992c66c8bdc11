#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sim/cuda/families/family.h"
#include "sim/cuda/options/cuda_options.h"
#include "sim/cuda/options/kernel_configuration.h"

namespace orrery::sim::cuda {

namespace {

/// As a C++ string literal.
std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c == '\n' ? ' ' : c;
  }
  return literal + '"';
}

/// "rsqrt-of-cube" as a part of a macro's name.
std::string macro_name(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    if (c == '-') return '_';
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

void add_option_macros(const KernelConfiguration& c, Macros& macros) {
  for (const auto& [name, number] : c.code) {
    const auto* option = cuda_options().find(name);
    if (option == nullptr || option->macro.empty()) continue;
    macros.emplace_back(option->macro, number);
    for (std::size_t k = 0; k < option->choices.size(); ++k)
      macros.emplace_back(option->macro + '_' + macro_name(option->choices[k]), static_cast<int>(k));
  }
}

/// Adds the kernels that the integrator needs besides kicks and drifts.
void add_steps(const KernelConfiguration& c, std::vector<std::string_view>& names) {
  if (c.keeps_begin()) names.emplace_back("steps.cuh");
  if (c.slopes) names.emplace_back("slopes.cu");
  if (c.jerks) names.insert(names.end(), {c.law->device_jerk, "jerks.cu"});
  if (c.adaptive) names.emplace_back("largest_acceleration.cu");
  if (c.block_steps) names.emplace_back("individual_steps.cu");
}

}  // namespace

std::string kernel_source(const KernelConfiguration& configuration, const KernelFiles& files) {
  std::vector<std::string_view> names{"shared.h", "common.cuh", configuration.law->device_code, "sums.cuh"};
  const auto& family = configuration.family->code.files;
  names.insert(names.end(), family.begin(), family.end());
  names.emplace_back("map.cuh");
  names.emplace_back("field.cuh");
  if (configuration.field->acts()) names.emplace_back(configuration.field->device_code);
  names.emplace_back("pulls.cuh");
  names.emplace_back("update.cu");
  names.emplace_back("vertices.cu");
  add_steps(configuration, names);
  std::string source;
  for (const auto name : names) {
    const auto& file = files.at(name);
    source += fmt::format("#line 1 {}\n{}\n", string_literal(file.shown), file.text);
  }
  return source;
}

std::vector<std::string> compiler_options(const KernelConfiguration& c, const std::string& architecture) {
  Macros macros{{"PRECISION", c.precision},
                {"DIMENSIONS", c.dimensions},
                {"CHARGES", c.law->uses_charges ? 1 : 0},
                {"CONSTANT_COUNT", static_cast<int>(c.law->device_constants({}).count)},
                {"GUARD", c.guard ? 1 : 0},
                {"BATCHED", c.batched ? 1 : 0},
                {"MAP_IN_UPDATE", c.map_in_update ? 1 : 0},
                {"COMPENSATED", c.compensated ? 1 : 0},
                {"FIELD", c.field->acts() ? 1 : 0}};
  add_option_macros(c, macros);
  if (c.family->code.macros != nullptr) c.family->code.macros(c, macros);
  std::vector<std::string> options{"--gpu-architecture=" + architecture, "--std=c++17", "-default-device"};
  for (const auto& [name, value] : macros) options.push_back(fmt::format("-D{}={}", name, value));
  if (c.fast_math) options.emplace_back("--use_fast_math");
  if (c.flush_to_zero) options.emplace_back("--ftz=true");
  if (c.registers > 0) options.push_back(fmt::format("--maxrregcount={}", c.registers));
  return options;
}

}  // namespace orrery::sim::cuda
