#include "sim/cuda/cuda_options.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "sim/cuda/family_names.h"
#include "sim/cuda/option_helpers.h"
#include "sim/cuda/schedule.h"
#ifdef ORRERY_CUDA
#include "sim/cuda/cublas.h"
#include "sim/cuda/source_split.h"
#endif
#include "sim/physics/force_law.h"

namespace orrery::sim {

namespace {

constexpr double shared_memory = 48.0 * 1024.0;  ///< bytes a block may have on every card without opting in

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

std::string matrix_too_large(const OptionValue& value, const Configuration& rest,
                             const OptionContext& context) {
  const auto& family = std::get<std::string>(value);
  if ((family != "pairs-matrix" && family != "force-matrix") || context.device_memory == 0 ||
      context.galaxies == 0)
    return {};
  const double n = static_cast<double>(context.bodies) / static_cast<double>(context.galaxies);
  const double bytes = n * n * 4.0 * real_bytes(rest);
  if (bytes < 0.9 * static_cast<double>(context.device_memory)) return {};
  return fmt::format(
      "the matrix of {:.0f} x {:.0f} forces needs {:.1f} GiB and the GPU has {:.1f} GiB; use a tiled family",
      n, n, bytes / gib, static_cast<double>(context.device_memory) / gib);
}

/// How many galaxies' scratch memory is there at a time.
double galaxies_at_a_time(const Configuration& c, const OptionContext& context) {
  const auto galaxies = static_cast<double>(std::max<std::uint64_t>(context.galaxies, 1));
  switch (cuda::schedule_of(c, static_cast<std::size_t>(context.galaxies))) {
    case cuda::Schedule::batched:
      return galaxies;
    case cuda::Schedule::streams:
    case cuda::Schedule::phased:
    case cuda::Schedule::graph:
      return std::min(galaxies, static_cast<double>(c.integer("streams")));
    default:
      return 1.0;
  }
}

/// What to do about scratch memory of so many galaxies.
std::string less_scratch(double galaxies, std::string_view otherwise) {
  return galaxies > 1.0 ? fmt::format("use schedule=serial, fewer streams, or {}", otherwise)
                        : fmt::format("use {}", otherwise);
}

/// Partial sums of tiled-2d: three numbers for each body and set of sources.
std::string partial_sums_too_large(const OptionValue& value, const Configuration& rest,
                                   const OptionContext& context) {
  if (std::get<std::string>(value) != "tiled-2d" || context.device_memory == 0 || context.galaxies == 0)
    return {};
  const double n = static_cast<double>(context.bodies) / static_cast<double>(context.galaxies);
  const double width = static_cast<double>(rest.integer("width"));
  const double rows = width * std::ceil(n / (width * static_cast<double>(rest.integer("span"))));
  auto asked = rest;
  asked.set("family", value);
  const double galaxies = galaxies_at_a_time(asked, context);
  const double bytes = 3.0 * real_bytes(rest) * rows * n * galaxies;
  if (bytes < 0.9 * static_cast<double>(context.device_memory)) return {};
  return fmt::format("its partial sums need {:.1f} GiB and the GPU has {:.1f} GiB; {}", bytes / gib,
                     static_cast<double>(context.device_memory) / gib,
                     less_scratch(galaxies, "a larger span"));
}

/// Partial sums of the families that split the sources, what the tensor families pack, and the marks of close
/// pairs.
std::string split_scratch_too_large(const OptionValue& value, const Configuration& rest,
                                    const OptionContext& context) {
#ifdef ORRERY_CUDA
  if (context.device_memory == 0 || context.galaxies == 0) return {};
  auto configuration = rest;
  configuration.set("family", std::get<std::string>(value));
  const auto n = static_cast<std::size_t>(context.bodies / context.galaxies);
  const double galaxies = galaxies_at_a_time(configuration, context);
  const auto bytes = galaxies * static_cast<double>(cuda::split_scratch_bytes(
                                    cuda::kernel_configuration(configuration), n, n));
  if (bytes < 0.9 * static_cast<double>(context.device_memory)) return {};
  return fmt::format("its partial sums and marks need {:.1f} GiB and the GPU has {:.1f} GiB; {}", bytes / gib,
                     static_cast<double>(context.device_memory) / gib, less_scratch(galaxies, "tiled"));
#else
  (void)value, (void)rest, (void)context;
  return {};
#endif
}

/// One block computes a whole galaxy, which cannot be cut.
std::string galaxy_too_large(const OptionValue& value, const Configuration&, const OptionContext& context) {
  constexpr double most = 262144.0;
  if (std::get<std::string>(value) != "galaxy-block" || context.galaxies == 0) return {};
  const double n = static_cast<double>(context.bodies) / static_cast<double>(context.galaxies);
  if (n <= most) return {};
  return fmt::format(
      "one block would compute a galaxy of {:.0f} bodies, many seconds a step; use tiled (at most {:.0f} "
      "here)",
      n, most);
}

bool is_electric(const Configuration& c) { return c.choice("force-law") == electric_law.name; }

/// The packed numbers and products of the tensor families have one precision and one force.
std::string not_on_tensor_cores(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  const auto& family = std::get<std::string>(value);
  if (!family.starts_with("tensor")) return {};
  if (rest.choice("precision") == "double")
    return "its products are of half and single precision; use precision=float";
  return is_electric(rest) ? "its products compute gravity only; use register-split" : "";
}

Option family_option() {
  Option option =
      choice("family", "How the N x N interactions are cut among the GPU's threads.", "tiled", {}, {});
  for (const auto& family : cuda::family_names) {
    option.choices.emplace_back(family.name);
    option.choice_meanings.emplace_back(family.meaning);
  }
  option.conflicts.push_back(on_cuda(matrix_too_large));
  option.conflicts.push_back(on_cuda(partial_sums_too_large));
  option.conflicts.push_back(on_cuda(galaxy_too_large));
  option.conflicts.push_back(on_cuda(not_on_tensor_cores));
  option.conflicts.push_back(on_cuda(split_scratch_too_large));
  option.tuning_rank = 1;
  return option;
}

void add_memory_options(OptionTable& table) {
  auto layout = choice("layout", "How bodies lie in GPU memory. Switching goes through the host once.",
                       "float4", {"aos", "split", "float4", "soa"},
                       {"six interleaved floats a body", "float3 positions and float3 velocities",
                        "float4: position with mass, velocity", "one array for each quantity"});
  layout.tuning_rank = 21;
  table.add(std::move(layout));
  auto passing = choice(
      "passing", "How a kernel gets the addresses of the arrays.", "value", {"value", "members", "pointer"},
      {"a structure by value", "one argument an array", "a pointer to a structure in GPU memory"});
  passing.label = "Array passing";
  passing.tuning_rank = 27;
  table.add(std::move(passing));
  auto loads =
      choice("loads", "How sources are read from global memory.", "read-only", {"plain", "read-only"},
             {"ordinary loads", "through the read-only cache (const __restrict__, __ldg)"});
  loads.tuning_rank = 22;
  table.add(std::move(loads));
  auto constants = choice("constants", "Where the kernel finds G and the softening.", "arguments",
                          {"arguments", "constant-memory"}, {"arguments of the kernel", "constant memory"});
  constants.tuning_rank = 25;
  table.add(std::move(constants));
  auto staging = choice("staging", "What the tiled families put into shared memory.", "positions",
                        {"positions", "bodies", "none"},
                        {"positions and masses", "tiled: whole bodies, velocities too (ECE415 2022)",
                         "tiled-2d, galaxy-block: nothing, sources are read from global memory"});
  staging.tuning_rank = 23;
  staging.inactive = only_for({"tiled", "tiled-2d", "galaxy-block"});
  staging.conflicts.push_back(
      on_cuda([](const OptionValue& value, const Configuration& rest, const OptionContext&) {
        const auto& staged = std::get<std::string>(value);
        if (staged == "none" && is_family(rest, "tiled"))
          return "a tile that is not staged is the family pairwise; use that, or tiled-2d";
        return staged == "bodies" && (is_family(rest, "tiled-2d") || is_family(rest, "galaxy-block"))
                   ? "whole bodies are staged by the family tiled"
                   : "";
      }));
  table.add(std::move(staging));
}

void add_arithmetic_options(OptionTable& table) {
  auto arithmetic = choice("arithmetic", "How 1 / r^3 is computed.", "rsqrt-cubed",
                           {"sqrt", "rsqrt-of-cube", "rsqrt-cubed", "frsqrt-rn", "powf"},
                           {"1 / sqrtf(r2), cubed", "rsqrtf(r2 * r2 * r2)", "rsqrtf(r2), cubed",
                            "__frsqrt_rn(r2), cubed", "__powf(r2, -1.5f)"});
  arithmetic.conflicts.push_back(
      on_cuda([](const OptionValue& value, const Configuration& rest, const OptionContext&) {
        const auto& name = std::get<std::string>(value);
        const bool either = name == "sqrt" || name == "rsqrt-cubed";
        return rest.choice("precision") == "double" && !either
                   ? "it exists in single precision only; use sqrt or rsqrt-cubed"
                   : "";
      }));
  arithmetic.tuning_rank = 17;
  table.add(std::move(arithmetic));
  auto fast =
      flag("fast-math",
           "Compile with --use_fast_math: approximate division and square root, denormals flushed.", false);
  fast.tuning_rank = 18;
  table.add(std::move(fast));
  auto flush =
      flag("flush-to-zero", "Treat denormal numbers as zero: saves the instructions that handle them.", true);
  flush.tuning_rank = 26;
  table.add(std::move(flush));
  table.add(choice("precision", "Precision of state and sums on the GPU.", "float", {"float", "double"},
                   {"32 bits", "64 bits: slower by the card's ratio of units"}));
}

/// Numbers that a force needs of a source: position and mass; of a charge also the velocity.
double source_reals(const Configuration& c) {
  return is_electric(c) ? 1.0 + 2.0 * static_cast<double>(c.integer("dimensions")) : 4.0;
}

/// What whole bodies add to that: velocities, or masses of charges.
double staged_too(const Configuration& c) {
  if (c.choice("staging") != "bodies") return 0.0;
  return is_electric(c) ? 1.0 : 3.0;
}

std::string tile_too_large(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  const bool tiles = is_family(rest, "tiled") || is_family(rest, "register-split") ||
                     (is_family(rest, "galaxy-block") && rest.choice("staging") != "none");
  if (!tiles) return {};
  const double reals = source_reals(rest) + (is_family(rest, "register-split") ? 0.0 : staged_too(rest));
  const double bytes = static_cast<double>(std::get<std::int64_t>(value)) * reals * real_bytes(rest);
  if (bytes <= shared_memory) return {};
  return fmt::format(
      "a tile of that many bodies needs {:.0f} KiB of shared memory and a block has 48 KiB; use a smaller "
      "tile",
      bytes / 1024.0);
}

void add_shape_options(OptionTable& table) {
  auto tile = integer("tile", "Bodies that a block stages in shared memory at a time.", 256, 32, 2048);
  tile.tuning_rank = 3;
  tile.inactive = only_for({"tiled", "galaxy-block", "register-split"});
  tile.conflicts.push_back(on_cuda(tile_too_large));
  table.add(std::move(tile));
  auto block = integer("block", "Threads of a block; 0: the occupancy interface chooses.", 256, 0, 1024);
  block.tuning_rank = 2;
  block.inactive = only_for({"tiled", "pairwise", "galaxy-block", "pairs-atomic", "pairs-matrix",
                             "register-split", "tensor-sum", "tensor"});
  block.conflicts.push_back(on_cuda([](const OptionValue& value, const Configuration&, const OptionContext&) {
    const auto threads = std::get<std::int64_t>(value);
    return threads != 0 && (threads < 32 || threads % 32 != 0)
               ? "a block is a multiple of 32 threads, or 0 for automatic"
               : "";
  }));
  table.add(std::move(block));
  auto unroll = integer("unroll", "How often the inner loop is unrolled.", 16, 1, 128);
  unroll.tuning_rank = 6;
  table.add(std::move(unroll));
  auto registers =
      integer("registers", "Most registers a thread may use; 0: no cap. Fewer let more blocks be resident.",
              0, 0, 255);
  registers.conflicts.push_back(
      on_cuda([](const OptionValue& value, const Configuration&, const OptionContext&) {
        const auto cap = std::get<std::int64_t>(value);
        return cap != 0 && cap < 16 ? "the compiler takes caps from 16, or 0 for none" : "";
      }));
  registers.tuning_rank = 24;
  table.add(std::move(registers));
}

std::string cublas_missing(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  if (std::get<std::string>(value) != "cublas" || !is_family(rest, "tiled-2d")) return {};
#ifdef ORRERY_CUDA
  return cuda::cublas_problem();
#else
  return {};
#endif
}

void add_two_dimensional_options(OptionTable& table) {
  auto width = integer("width", "2-D tiling: threads that share a body (the report's len).", 2, 1, 4);
  width.label = "Threads per body";
  width.tuning_rank = 7;
  width.inactive = only_for({"tiled-2d"});
  width.conflicts.push_back(
      on_cuda([](const OptionValue& value, const Configuration& rest, const OptionContext&) -> std::string {
        if (!is_family(rest, "tiled-2d")) return {};
        const auto threads = std::get<std::int64_t>(value);
        if (threads == 3) return "1, 2 or 4 threads share a body";
        if (threads * rest.integer("length") > 1024)
          return fmt::format("width x length is {} threads and a block has at most 1024",
                             threads * rest.integer("length"));
        if (rest.choice("staging") == "none") return {};
        if (static_cast<double>(threads * rest.integer("span")) * source_reals(rest) * real_bytes(rest) >
            shared_memory)
          return "width x span bodies do not fit into the 48 KiB of shared memory; use a smaller span";
        return {};
      }));
  table.add(std::move(width));
  auto length = integer("length", "2-D tiling: bodies of a block (the report's wid).", 128, 32, 512);
  length.label = "Bodies per block";
  length.tuning_rank = 8;
  length.inactive = only_for({"tiled-2d"});
  table.add(std::move(length));
  auto span = integer("span", "2-D tiling: sources that one thread sums (the report's loop unroll factor).",
                      256, 32, 1024);
  span.label = "Sources per thread";
  span.tuning_rank = 9;
  span.inactive = only_for({"tiled-2d"});
  table.add(std::move(span));
  auto safe =
      flag("bank-safe", "2-D tiling: interleave the sources so that threads read different banks.", true);
  safe.tuning_rank = 19;
  safe.inactive = only_for({"tiled-2d"});
  table.add(std::move(safe));
  auto sum =
      choice("sum", "2-D tiling: what adds the partial sums of a body.", "kernel", {"kernel", "cublas"},
             {"a kernel of our own",
              "cuBLAS: a matrix-vector product with a vector of ones (ECE1782); needs the library"});
  sum.label = "Sum of parts";
  sum.tuning_rank = 16;
  sum.inactive = only_for({"tiled-2d"});
  sum.conflicts.push_back(on_cuda(cublas_missing));
  table.add(std::move(sum));
}

/// The families that cut the sources into ranges.
void add_split_options(OptionTable& table) {
  auto bodies =
      integer("bodies-per-thread",
              "register-split: bodies whose forces a thread sums; a source that is read serves all of them.",
              4, 1, 8);
  bodies.tuning_rank = 4;
  bodies.inactive = only_for({"register-split"});
  table.add(std::move(bodies));
  auto split = integer("split",
                       "Ranges that the sources are cut into, a row of blocks each; 0: chosen for the size "
                       "of the galaxy and the GPU.",
                       0, 0, 64);
  split.logarithmic = false;
  split.label = "Source ranges";
  split.tuning_rank = 10;
  split.inactive = only_for({"register-split", "tensor-sum", "tensor", "tensor-pairs"});
  table.add(std::move(split));
  auto accumulation = choice("accumulation", "register-split: how the partial sums of the ranges are added.",
                             "ordered", {"ordered", "atomic"},
                             {"by a second kernel, always in the same order",
                              "atomically, as they come: the last bits differ from run to run"});
  accumulation.tuning_rank = 20;
  accumulation.inactive = only_for({"register-split"});
  table.add(std::move(accumulation));
  auto rows = integer("row-tiles", "Tensor families: groups of 16 bodies a warp.", 3, 1, 4);
  rows.logarithmic = false;
  rows.tuning_rank = 5;
  rows.inactive = only_for({"tensor-sum", "tensor"});
  table.add(std::move(rows));
  auto weights =
      choice("weights", "tensor, tensor-pairs: how weights enter the sums.", "half", {"half", "split"},
             {"rounded to half precision: errors of 2^-12 a pair, at random",
              "as a high and a low part, two products: about the accuracy of FP32"});
  weights.accurate = std::string("split");
  weights.tuning_rank = 13;
  weights.inactive = only_for({"tensor", "tensor-pairs"});
  table.add(std::move(weights));
  auto polynomial = integer("polynomial",
                            "tensor, tensor-pairs: so many of 8 reciprocal square roots by a polynomial on "
                            "the FP32 units, which relieves the "
                            "special-function units.",
                            1, 0, 4);
  polynomial.logarithmic = false;
  polynomial.tuning_rank = 15;
  polynomial.inactive = only_for({"tensor", "tensor-pairs"});
  table.add(std::move(polynomial));
}

void add_step_options(OptionTable& table) {
  auto update =
      choice("update", "Forces and integration in two kernels or in one.", "separate", {"separate", "fused"},
             {"a force kernel, then an update kernel", "one kernel with two position buffers"});
  update.conflicts.push_back(
      on_cuda([](const OptionValue& value, const Configuration& rest, const OptionContext&) {
        if (std::get<std::string>(value) != "fused") return "";
        if (rest.choice("integrator") == "leapfrog")
          return "leapfrog updates before and after the forces; fused needs an Euler integrator";
        if (is_electric(rest)) return "the fused kernel computes gravity only; use update=separate";
        if (!is_family(rest, "tiled")) return "the fused kernel exists for the tiled family";
        return rest.choice("staging") == "bodies" ? "the fused kernel stages positions" : "";
      }));
  table.add(std::move(update));
  auto early =
      flag("early-launch",
           "Launch the kernels of a step before the one before has ended; they wait on the GPU, which hides "
           "the time a launch takes (programmatic dependent launch; compute capability 9.0; families that "
           "split the sources, and the update).",
           true);
  early.scope = OptionScope::speed;
  early.tuning_rank = 14;
  table.add(std::move(early));
  auto transfers =
      choice("transfers", "Where the bodies live.", "resident", {"resident", "round-trip"},
             {"on the GPU",
              "on the host: copied in and accelerations out at every step, integrated there (ECE415 2022)"});
  transfers.conflicts.push_back(
      on_cuda([](const OptionValue& value, const Configuration& rest, const OptionContext&) {
        const bool fused = std::get<std::string>(value) == "round-trip" && rest.choice("update") == "fused";
        return fused ? "the fused kernel integrates on the GPU" : "";
      }));
  table.add(std::move(transfers));
  auto slice = Option{
      .name = "slice",
      .group = "cuda",
      .meaning =
          "A long force evaluation is cut into pieces of about this time, so that switches take effect soon "
          "and old GPUs draw in between. The result is the same; short pieces leave a large GPU half empty.",
      .unit = "ms",
      .kind = OptionKind::real,
      .default_value = 250.0,
      .minimum = 0.5,
      .maximum = 10000.0,
      .logarithmic = true,
      .inactive =
          [](const Configuration& c) {
            if (!is_cuda(c)) return needs_cuda(c);
            return std::string(c.choice("schedule") == "graph" ? "a graph runs a whole force evaluation"
                                                               : "");
          },
      .scope = OptionScope::speed};
  table.add(std::move(slice));
  add_galaxy_options(table);
  auto host_memory = choice("host-memory", "Memory of the copies between host and GPU.", "pinned",
                            {"pageable", "pinned"}, {"ordinary", "page-locked: copied directly"});
  host_memory.scope = OptionScope::speed;
  table.add(std::move(host_memory));
}

}  // namespace

void add_cuda_options(OptionTable& table) {
  auto device =
      integer("device", "Ordinal of the CUDA device; -1: the one that draws, else the first.", -1, -1, 63);
  device.logarithmic = false;
  device.label = "GPU";
  device.scope = OptionScope::machine;
  device.trial_values = {std::int64_t{-1}};
  table.add(std::move(device));
  add_device_options(table);
  table.add(family_option());
  add_memory_options(table);
  add_arithmetic_options(table);
  add_shape_options(table);
  add_two_dimensional_options(table);
  add_split_options(table);
  add_step_options(table);
}

}  // namespace orrery::sim
