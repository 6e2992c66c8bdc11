#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

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

/// As a C++ string literal.
std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c == '\n' ? ' ' : c;
  }
  return literal + '"';
}

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
          .stage = c.choice("staging") != "none",
          .width = static_cast<int>(c.integer("width")),
          .length = static_cast<int>(c.integer("length")),
          .span = static_cast<int>(c.integer("span")),
          .bank_safe = c.boolean("bank-safe"),
          .cublas_sum = c.choice("family") == "tiled-2d" && c.choice("sum") == "cublas",
          .bodies_per_thread = static_cast<int>(c.integer("bodies-per-thread")),
          .split = static_cast<int>(c.integer("split")),
          .atomic_sum = c.choice("accumulation") == "atomic",
          .row_tiles = static_cast<int>(c.integer("row-tiles")),
          .split_weights = c.choice("weights") == "split",
          .polynomial = static_cast<int>(c.integer("polynomial")),
          .dimensions = static_cast<int>(c.integer("dimensions")),
          .fused = c.choice("update") == "fused",
          .early_launch = c.boolean("early-launch"),
          .force_law = physics_of(c).law->device_code,
          .guard = c.real("softening") < safe_softening};
}

bool uses_tensor_cores(const KernelConfiguration& c) {
  return c.family == "tensor" || c.family == "tensor-sum" || sums_pairs(c);
}

bool sums_pairs(const KernelConfiguration& c) { return c.family == "tensor-pairs"; }

int threads_that_split(const KernelConfiguration& c) {
  return c.block > 0 && !sums_pairs(c) ? c.block : split_block;
}

int row_tiles_of_warp(const KernelConfiguration& c) { return sums_pairs(c) ? 4 : c.row_tiles; }

bool splits_sources(const KernelConfiguration& c) {
  return c.family == "register-split" || uses_tensor_cores(c);
}

std::string_view family_file(std::string_view family) {
  struct Entry {
    std::string_view name, file;
  };
  static constexpr std::array<Entry, 11> all{{{"tiled", "tiled.cu"},
                                              {"pairwise", "pairwise.cu"},
                                              {"galaxy-block", "galaxy_block.cu"},
                                              {"tiled-2d", "tiled_2d.cu"},
                                              {"pairs-atomic", "pairs_atomic.cu"},
                                              {"pairs-matrix", "pairs_matrix.cu"},
                                              {"force-matrix", "pairs_matrix.cu"},
                                              {"register-split", "register_split.cu"},
                                              {"tensor-sum", "tensor.cu"},
                                              {"tensor", "tensor.cu"},
                                              {"tensor-pairs", "tensor_pairs.cu"}}};
  const auto found = std::ranges::find(all, family, &Entry::name);
  if (found == all.end()) throw std::out_of_range("unknown kernel family: " + std::string(family));
  return found->file;
}

std::string kernel_source(const KernelConfiguration& configuration, const KernelFiles& files) {
  const auto forces = configuration.fused ? "fused.cu" : family_file(configuration.family);
  std::vector<std::string_view> names{"common.cuh", forces, "update.cu"};
  if (uses_tensor_cores(configuration) && !configuration.fused)
    names.insert(names.begin() + 1, "tensor_common.cuh");
  std::string source;
  for (const auto name : names) {
    const auto& file = files.at(name);
    source += fmt::format("#line 1 {}\n{}\n", string_literal(file.shown), file.text);
  }
  return source;
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
  define("STAGE", c.stage ? 1 : 0);
  define("WIDTH", c.width);
  define("LENGTH", c.length);
  define("SPAN", c.span);
  define("BANK_SAFE", c.bank_safe ? 1 : 0);
  define("CUBLAS_SUM", c.cublas_sum ? 1 : 0);
  define("BATCHED", c.batched ? 1 : 0);
  define("EARLY_LAUNCH", c.early_launch ? 1 : 0);
  define("ROW_BLOCK", c.family == "force-matrix" ? 1 : 0);
  if (splits_sources(c)) {
    define("BLOCK", threads_that_split(c));
    define("MAX_REGISTERS", c.registers);
    define("BODIES_PER_THREAD", c.bodies_per_thread);
    define("ATOMIC_SUM", c.atomic_sum ? 1 : 0);
    define("ROW_TILES", row_tiles_of_warp(c));
    define("POLYNOMIAL", c.polynomial);
    define("SPLIT_WEIGHTS", c.split_weights ? 1 : 0);
    define("TENSOR_DISTANCES", c.family == "tensor-sum" ? 0 : 1);
    define("PAIR_SUMS", sums_pairs(c) ? 1 : 0);
  }
  if (c.fast_math) options.emplace_back("--use_fast_math");
  if (c.flush_to_zero) options.emplace_back("--ftz=true");
  if (c.registers > 0) options.push_back(fmt::format("--maxrregcount={}", c.registers));
  return options;
}

}  // namespace orrery::sim::cuda
