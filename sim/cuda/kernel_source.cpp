#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "cuda_kernels.h"
#include "sim/cuda/kernel_configuration.h"
#include "sim/tuning/simulation_options.h"

namespace orrery::sim::cuda {

namespace {

template <std::size_t N>
std::size_t index_in(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw std::out_of_range("unknown name in a kernel configuration: " + std::string(name));
  return static_cast<std::size_t>(found - names.begin());
}

constexpr std::array<std::string_view, 4> layouts{"aos", "split", "float4", "soa"};
constexpr std::array<std::string_view, 3> passings{"value", "members", "pointer"};
constexpr std::array<std::string_view, 5> arithmetics{"sqrt", "rsqrt-of-cube", "rsqrt-cubed", "frsqrt-rn",
                                                      "powf"};

/// Below this softening a squared distance may come near 1e-12, where 1 / r^3 overflows single precision.
constexpr double safe_softening = 1e-5;

}  // namespace

KernelConfiguration kernel_configuration(const Configuration& c) {
  return {.family = c.choice("family"),
          .layout = c.choice("layout"),
          .passing = c.choice("passing"),
          .read_only = c.choice("loads") == "read-only",
          .constant_memory = c.choice("constants") == "constant-memory",
          .arithmetic = c.choice("arithmetic"),
          .fast_math = c.boolean("fast-math"),
          .flush_to_zero = c.boolean("flush-to-zero"),
          .precision = c.choice("precision") == "double" ? 64 : 32,
          .tile = static_cast<int>(c.integer("tile")),
          .block = static_cast<int>(c.integer("block")),
          .unroll = static_cast<int>(c.integer("unroll")),
          .registers = static_cast<int>(c.integer("registers")),
          .stage_bodies = c.choice("staging") == "bodies",
          .width = static_cast<int>(c.integer("width")),
          .length = static_cast<int>(c.integer("length")),
          .span = static_cast<int>(c.integer("span")),
          .bank_safe = c.boolean("bank-safe"),
          .dimensions = static_cast<int>(c.integer("dimensions")),
          .fused = c.choice("update") == "fused",
          .force_law = force_model(c).law->device_code,
          .guard = c.real("softening") < safe_softening};
}

std::string_view family_source(std::string_view family) {
  struct Entry {
    std::string_view name, source;
  };
  static constexpr std::array<Entry, 7> all{{{"tiled", kernels::tiled_cu},
                                             {"pairwise", kernels::pairwise_cu},
                                             {"galaxy-block", kernels::galaxy_block_cu},
                                             {"tiled-2d", kernels::tiled_2d_cu},
                                             {"pairs-atomic", kernels::pairs_atomic_cu},
                                             {"pairs-matrix", kernels::pairs_matrix_cu},
                                             {"force-matrix", kernels::pairs_matrix_cu}}};
  const auto found = std::ranges::find(all, family, &Entry::name);
  if (found == all.end()) throw std::out_of_range("unknown kernel family: " + std::string(family));
  return found->source;
}

std::string kernel_source(const KernelConfiguration& configuration) {
  const auto forces = configuration.fused ? kernels::fused_cu : family_source(configuration.family);
  return fmt::format("{}\n{}\n{}", kernels::common_cuh, forces, kernels::update_cu);
}

std::vector<std::string> compiler_options(const KernelConfiguration& c, const std::string& architecture) {
  std::vector<std::string> options{"--gpu-architecture=" + architecture, "--std=c++17", "-default-device"};
  const auto define = [&](std::string_view name, auto value) {
    options.push_back(fmt::format("-D{}={}", name, value));
  };
  define("PRECISION", c.precision);
  define("LAYOUT", index_in(layouts, c.layout));
  define("PASSING", index_in(passings, c.passing));
  define("READ_ONLY", c.read_only ? 1 : 0);
  define("CONSTANT_MEMORY", c.constant_memory ? 1 : 0);
  define("ARITHMETIC", index_in(arithmetics, c.arithmetic));
  define("DIMENSIONS", c.dimensions);
  define("FORCE_LAW", c.force_law);
  define("GUARD", c.guard ? 1 : 0);
  define("TILE", c.tile);
  define("UNROLL", c.unroll);
  define("STAGE_BODIES", c.stage_bodies ? 1 : 0);
  define("WIDTH", c.width);
  define("LENGTH", c.length);
  define("SPAN", c.span);
  define("BANK_SAFE", c.bank_safe ? 1 : 0);
  define("ROW_BLOCK", c.family == "force-matrix" ? 1 : 0);
  if (c.fast_math) options.emplace_back("--use_fast_math");
  if (c.flush_to_zero) options.emplace_back("--ftz=true");
  if (c.registers > 0) options.push_back(fmt::format("--maxrregcount={}", c.registers));
  return options;
}

}  // namespace orrery::sim::cuda
