#include "sim/cuda/options/cuda_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/activity/map_options.h"
#include "sim/cuda/families/family.h"
#include "sim/cuda/options/option_helpers.h"
#include "sim/cuda/options/schedule.h"
#include "sim/options/physics_options.h"
#include "sim/options/tree_options.h"
#include "sim/physics/laws/force_law.h"

namespace orrery::sim {

namespace {

// ---- what a family refuses ----
std::string cannot_compute(const Configuration& c) {
  const auto options = gpu_options(c);
  const auto& family = cuda::family_named(options.family);
  if (options.has_double_precision() && !family.limits.float_only.empty())
    return std::string(family.limits.float_only);
  const auto* law = physics_of(c).law;
  if (law == &gravity_law || family.limits.gravity_only.empty()) return {};
  return law->uses_charges ? std::string(family.limits.gravity_only)
                           : fmt::format("{}; use tiled", plummer_only);
}

/// A family with the options as they are.
std::string family_refusal(const OptionValue& value, const Configuration& rest,
                           const OptionContext& context) {
  auto asked = rest;
  asked.set("family", value);
  for (const auto& refusal : cuda::family_of(asked).refusals) {
    if (refusal.option != "family") continue;
    if (auto reason = refusal.reason(value, asked, context); !reason.empty()) return reason;
  }
  if (auto reason = cannot_compute(asked); !reason.empty()) return reason;
  if (context.ranks > 1 && context.galaxies > 0) {
    const auto split = cuda::split_of_processes(asked, context.galaxies, context.ranks);
    if (auto reason = cuda::team_refusal(asked, split, context.galaxies); !reason.empty()) return reason;
  }
  return cuda::scratch_too_large(asked, context);
}

/// A value of another option that the chosen family refuses.
OptionConflict refused_by_family(std::string option) {
  return on_cuda([option = std::move(option)](const OptionValue& value, const Configuration& rest,
                                              const OptionContext& context) -> std::string {
    for (const auto& refusal : cuda::family_named(gpu_options(rest).family).refusals) {
      if (refusal.option != option) continue;
      if (auto reason = refusal.reason(value, rest, context); !reason.empty()) return reason;
    }
    return {};
  });
}

// ---- descriptions ----
Description family_option() {
  auto option = cuda_option("family", "How the N x N interactions are divided among the GPU's threads.")
                    .chosen_from(cuda::families())
                    .labelled("Kernel family")
                    .tuned(1)
                    .refused(on_cuda(family_refusal));
  for (const auto* family : cuda::families()) option.usual_rates.push_back(family->usual_rate);
  return option;
}

std::string families_with_constant_ranges() {
  std::vector<std::string_view> names;
  for (const auto* family : cuda::families()) {
    if (family->constant_ranges) names.push_back(family->name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Constant memory has room for one launch at a time.
std::string no_constant_ranges(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  if (std::get<std::string>(value) != "constant-memory-all") return {};
  const auto options = gpu_options(rest);
  if (options.is_fused()) return "the fused kernel takes its numbers as arguments; use update=separate";
  if (!cuda::family_of(rest).constant_ranges)
    return "the kernels of this family take their ranges as arguments; use one of " +
           families_with_constant_ranges();
  const bool serial = options.schedule == "auto" || options.schedule == "serial";
  return serial ? "" : "launches of several galaxies would need ranges of their own; use schedule=serial";
}

void add_memory_options(OptionRows<GpuOptions>& rows) {
  rows.insert(
      rows.end(),
      {{&GpuOptions::layout,
        choice("layout",
               "Layout of the bodies in GPU memory. Changing it copies them through main memory once.",
               "float4", {"aos", "aos-mass", "split", "float4", "soa"},
               {"six floats per body, one after the other",
                "seven floats per body, mass included; five in two dimensions (COM4521)",
                "float3 positions and float3 velocities", "float4: position with mass, velocity",
                "one array for each quantity"})
            .with_macro("LAYOUT")
            .tuned(21)},
       {&GpuOptions::passing,
        choice("passing", "How a kernel gets the addresses of the arrays.", "value",
               {"value", "members", "pointer"},
               {"a structure by value", "one argument per array", "a pointer to a structure in GPU memory"})
            .labelled("Array passing")
            .with_macro("PASSING")
            .tuned(27)},
       choice("loads", "How sources are read from global memory.", "read-only", {"plain", "read-only"},
              {"ordinary loads", "through the read-only cache (const __restrict__, __ldg)"})
           .with_macro("READ_ONLY")
           .tuned(22),
       {&GpuOptions::constants,
        choice("constants", "Where the kernels find their constants.", "arguments",
               {"arguments", "constant-memory", "constant-memory-all"},
               {"arguments of the kernel", "G, the softening and the map's numbers in constant memory",
                "numbers of bodies, ranges and time step in constant memory too (COM4521)"})
            .refused(on_cuda(no_constant_ranges))
            .with_macro("CONSTANT_MEMORY")
            .tuned(25)},
       {&GpuOptions::staging,
        choice("staging", "What tiled families keep in shared memory.", "positions",
               {"positions", "bodies", "none"},
               {"positions and masses", "tiled: whole bodies, velocities too (ECE415 2022)",
                "tiled-2d and galaxy-block: nothing; sources are read from global memory"})
            .with_macro("STAGING")
            .tuned(23)}});
}

std::string single_precision_only(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  const auto& name = std::get<std::string>(value);
  const bool either = name == "sqrt" || name == "rsqrt-cubed";
  return gpu_options(rest).has_double_precision() && !either
             ? "it exists in single precision only; use sqrt or rsqrt-cubed"
             : "";
}

void add_arithmetic_options(OptionRows<GpuOptions>& rows) {
  rows.insert(rows.end(),
              {choice("arithmetic", "How 1 / r^3 is computed.", "rsqrt-cubed",
                      {"sqrt", "rsqrt-of-cube", "rsqrt-cubed", "frsqrt-rn", "powf"},
                      {"1 / sqrtf(r2), cubed", "rsqrtf(r2 * r2 * r2)", "rsqrtf(r2), cubed",
                       "__frsqrt_rn(r2), cubed", "__powf(r2, -1.5f)"})
                   .with_macro("ARITHMETIC")
                   .tuned(17)
                   .refused(on_cuda(single_precision_only)),
               {&GpuOptions::math,
                choice("math", "Accuracy of single-precision arithmetic in the kernels.", "flush-to-zero",
                       {"ieee", "flush-to-zero", "fast"},
                       {"IEEE 754, with denormal numbers",
                        "denormal numbers become zero, which saves the instructions that handle them",
                        "compiled with --use_fast_math: division and square root are approximate too"})
                    .labelled("Floating point")
                    .tuned(18)},
               {&GpuOptions::precision,
                choice("precision", "Precision of state and sums on the GPU.", "float", {"float", "double"},
                       {"32 bits", "64 bits; much slower on most GPUs"})}});
}

std::string odd_block(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  const auto threads = std::get<std::int64_t>(value);
  const auto& family = cuda::family_of(rest);
  if (threads % 32 == 0 || (threads == 16 && family.half_warps)) return {};
  return threads == 16 ? fmt::format("a block of half a warp is for pairwise and tiled, not for {}{}; use 32",
                                     family.name, family.updates ? " with update=fused" : "")
                       : "a block is a multiple of 32 threads, or 16, or 0 for automatic";
}

std::string low_cap(const OptionValue& value, const Configuration&, const OptionContext&) {
  const auto cap = std::get<std::int64_t>(value);
  return cap != 0 && cap < 16 ? "the compiler takes caps from 16, or 0 for none" : "";
}

void add_shape_options(OptionRows<GpuOptions>& rows) {
  rows.insert(
      rows.end(),
      {integer("tile", "Bodies that a block loads into shared memory at a time.", 256, 16, 2048)
           .with_macro("TILE")
           .tuned(3),
       {&GpuOptions::block, integer("block", "Threads per block. 0: the driver chooses.", 256, 0, 1024)
                                .tuned(2)
                                .refused(on_cuda(odd_block))},
       integer("unroll", "Unroll factor of the inner loop.", 16, 1, 128).with_macro("UNROLL").tuned(6),
       {&GpuOptions::registers,
        integer("registers",
                "Maximum registers per thread. 0: no limit. With fewer registers more blocks run at once.", 0,
                0, 255)
            .tuned(24)
            .refused(on_cuda(low_cap))}});
}

/// Those that families bring along, each once.
void add_family_options(OptionRows<GpuOptions>& rows) {
  const auto name_of = [](const OptionRow<GpuOptions>& row) -> const std::string& { return row.option.name; };
  for (const auto* family : cuda::families()) {
    if (family->options == nullptr) continue;
    for (auto& option : family->options()) {
      if (std::ranges::find(rows, option.name, name_of) == rows.end()) rows.emplace_back(std::move(option));
    }
  }
}

std::string not_fused(const OptionValue& value, const Configuration& rest, const OptionContext& context) {
  if (std::get<std::string>(value) != "fused") return {};
  if (!physics_of(rest).integrator->can_fuse())
    return "the integrator needs the forces several times per step; fused needs leapfrog or an Euler "
           "integrator";
  const auto options = gpu_options(rest);
  if (is_compensated(rest))
    return "the fused kernel keeps one float a number; set update=separate or state-precision=single";
  if (physics_of(rest).field->acts())
    return "the fused kernel applies no external field; set update=separate";
  const auto& family = cuda::family_named(options.family);
  if (family.fused == nullptr)
    return fmt::format(
        "the family {} has no fused kernel; use tiled, register-split or galaxy-block, or update=separate",
        family.name);
  const auto* law = physics_of(rest).law;
  if (law != &gravity_law)
    return law->uses_charges ? std::string(family.fused->limits.gravity_only)
                             : "the fused kernel is made for Plummer's softening; use update=separate";
  for (const auto& refusal : family.fused->refusals) {
    if (auto reason = refusal.reason(rest.value(std::string(refusal.option)), rest, context); !reason.empty())
      return reason;
  }
  return family.uses_option("staging") && options.staging == "bodies" ? "the fused kernel stages positions"
                                                                      : "";
}

std::string no_round_trip(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  const auto& way = std::get<std::string>(value);
  if (way == "resident") return {};
  const auto options = gpu_options(rest);
  if (options.is_fused()) return "the fused kernel integrates on the GPU";
  if (is_compensated(rest))
    return "round trips copy one float a number; set transfers=resident or state-precision=single";
  const bool kicks_there = way != "round-trip";
  return kicks_there && physics_of(rest).integrator->name != "symplectic-euler"
             ? "the GPU updates velocities and the host then positions, which is "
               "integrator=symplectic-euler; "
               "use that, or transfers=round-trip"
             : "";
}

void add_step_options(OptionRows<GpuOptions>& rows) {
  rows.insert(
      rows.end(),
      {{&GpuOptions::update,
        choice("update", "Whether forces and integration are one kernel or two.", "separate",
               {"separate", "fused"},
               {"a force kernel, then an update kernel", "one kernel with two position buffers"})
            .refused(on_cuda(not_fused))},
       {&GpuOptions::early_launch,
        cuda_option("early-launch",
                    "Launches each kernel before the previous one has ended and lets it wait on the GPU, "
                    "which hides the launch time (programmatic dependent launch, from compute capability "
                    "9.0 on). Used by the update and by families that split the sources.")
            .in_scope(OptionScope::speed)
            .with_macro("EARLY_LAUNCH")
            .tuned(14)},
       {&GpuOptions::transfers,
        choice("transfers", "Where the bodies are kept between steps.", "resident",
               {"resident", "round-trip", "round-trip-bodies", "round-trip-positions"},
               {"on the GPU", "in main memory: every step copies them to the GPU and the accelerations back",
                "in main memory: whole bodies in, velocities updated on the GPU, whole bodies back (ECE415 "
                "2022)",
                "in main memory: positions in; velocities stay on the GPU, are updated there and copied back "
                "(ECE415 2022, from its second tiling on)"})
            .refused(on_cuda(no_round_trip))}});
  add_galaxy_options(rows);
  rows.push_back({&GpuOptions::host_memory,
                  choice("host-memory", "Kind of main memory that bodies are copied from and to.", "pinned",
                         {"pageable", "pinned"}, {"ordinary", "page-locked; copies are faster"})
                      .in_scope(OptionScope::speed)});
}

// ---- the activity map ----
constexpr std::int64_t shared_bytes = 48 * 1024;  ///< shared memory per block available on every GPU

std::string no_shared_map(const Configuration& c) {
  const auto size = static_cast<std::int64_t>(map_options(c).size);
  if (4 * size * size <= shared_bytes) return {};
  return fmt::format(
      "a map of {0} x {0} cells takes {1:.1f} KiB and a block has {2} KiB of shared memory: at most 110 x "
      "110; "
      "use kernel",
      size, 4.0 * static_cast<double>(size * size) / 1024.0, shared_bytes / 1024);
}

std::string no_map_in_update(const Configuration& c) {
  const auto options = gpu_options(c);
  if (options.is_fused()) return "the fused kernel moves the bodies and counts no map; use kernel";
  if (!options.is_resident()) return "bodies go through main memory in every step; use kernel";
  return options.forks() ? fmt::format("schedule={} moves galaxies one by one; use kernel", options.schedule)
                         : "";
}

std::string no_such_count(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  if (!wants_map(rest)) return {};
  const auto& how = std::get<std::string>(value);
  if (how == "shared") return no_shared_map(rest);
  return how == "update" ? no_map_in_update(rest) : std::string();
}

std::string counts_no_map(const Configuration& c) {
  if (!is_on_gpu(c)) return needs_cuda(c);
  return wants_map(c) ? "" : "there is no map: set map-size";
}

Description map_count_option() {
  return choice("map-count", "How bodies are counted in the activity map.", "kernel",
                {"update", "kernel", "shared"},
                {"by the update kernel, atomically (COM4521)", "by a kernel of its own, atomically",
                 "each block in its own map in shared memory, then added up; up to 110 x 110 cells"})
      .in_scope(OptionScope::speed)
      .labelled("Map counted")
      .refused(on_cuda(no_such_count))
      .unless(counts_no_map);
}

/// Asks the families about an option: whether they use it, and which values they refuse.
void ask_families(Option& option) {
  const auto all = cuda::families();
  const auto refuses = [&](const cuda::Family* family) {
    return std::ranges::find(family->refusals, option.name, &cuda::FamilyRefusal::option) !=
           family->refusals.end();
  };
  if (option.name != "family" && std::ranges::any_of(all, refuses))
    option.conflicts.push_back(refused_by_family(option.name));
  if (!is_of_some_families(option.name)) return;
  option.inactive = [name = option.name](const Configuration& c) {
    if (!is_on_gpu(c)) return needs_cuda(c);
    const auto& family = cuda::family_of(c);
    return family.uses_option(name) ? std::string()
                                    : fmt::format("the family {} does not use it", family.name);
  };
}

}  // namespace

bool is_of_some_families(std::string_view option) {
  return std::ranges::any_of(cuda::families(),
                             [&](const cuda::Family* family) { return family->uses_option(option); });
}

OptionRows<GpuOptions> GpuOptions::rows() {
  OptionRows<GpuOptions> rows;
  add_device_options(rows);
  rows.push_back({&GpuOptions::family, family_option()});
  add_memory_options(rows);
  add_arithmetic_options(rows);
  add_shape_options(rows);
  add_family_options(rows);
  add_step_options(rows);
  rows.push_back({&GpuOptions::map_count, map_count_option()});
  for (auto& row : rows) ask_families(row.option);
  return rows;
}

const OptionTable& cuda_options() {
  static const OptionTable table = [] {
    OptionTable all;
    add_group<GpuOptions>(all);
    return all;
  }();
  return table;
}

}  // namespace orrery::sim
