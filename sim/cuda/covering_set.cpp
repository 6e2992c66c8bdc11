#include "sim/cuda/covering_set.h"

#include "sim/cuda/family_names.h"
#include "sim/physics/force_law.h"

namespace orrery::sim::cuda {

namespace {

const std::vector<std::string> layouts{"aos", "split", "float4", "soa"};

void add_families(std::vector<KernelConfiguration>& set) {
  for (const auto& family : family_names) {
    for (const auto& layout : layouts) {
      for (const char* arithmetic : {"sqrt", "rsqrt-of-cube", "rsqrt-cubed", "frsqrt-rn", "powf"}) {
        KernelConfiguration c;
        c.family = family.name;
        c.layout = layout;
        c.arithmetic = arithmetic;
        if (!uses_tensor_cores(c) || c.arithmetic == "rsqrt-cubed") set.push_back(c);
      }
    }
  }
}

template <typename Change>
void add(std::vector<KernelConfiguration>& set, Change change) {
  KernelConfiguration c;
  change(c);
  set.push_back(c);
}

void add_shapes(std::vector<KernelConfiguration>& set) {
  for (const int tile : {32, 128, 512, 2048}) add(set, [=](auto& c) { c.tile = tile; });
  for (const int unroll : {1, 8, 32, 128}) add(set, [=](auto& c) { c.unroll = unroll; });
  for (const int width : {1, 4}) {
    add(set, [=](auto& c) { c.family = "tiled-2d", c.width = width, c.span = 1024 / width; });
  }
  for (const int length : {64, 256}) {
    add(set, [=](auto& c) { c.family = "tiled-2d", c.length = length, c.bank_safe = false; });
  }
}

/// The families that split the sources, at the ends of their options.
void add_splits(std::vector<KernelConfiguration>& set) {
  for (const int bodies : {1, 8}) {
    add(set, [=](auto& c) { c.family = "register-split", c.bodies_per_thread = bodies; });
    add(set, [=](auto& c) {
      c.family = "register-split", c.bodies_per_thread = bodies, c.atomic_sum = true, c.precision = 64;
    });
  }
  add(set, [](auto& c) { c.family = "register-split", c.atomic_sum = true, c.dimensions = 2; });
  add(set, [](auto& c) { c.family = "register-split", c.block = 1024, c.registers = 64; });
  for (const char* family : {"tiled", "register-split", "tensor-sum", "tensor", "tensor-pairs"}) {
    add(set, [=](auto& c) { c.family = family, c.early_launch = true; });
  }
  for (const int polynomial : {0, 4}) {
    add(set, [=](auto& c) { c.family = "tensor-pairs", c.polynomial = polynomial; });
    add(set, [=](auto& c) { c.family = "tensor-pairs", c.polynomial = polynomial, c.split_weights = true; });
  }
  for (const char* family : {"tensor-sum", "tensor"}) {
    for (const int rows : {1, 2, 4}) {
      add(set,
          [=](auto& c) { c.family = family, c.row_tiles = rows, c.polynomial = rows, c.block = 32 * rows; });
    }
    add(set, [=](auto& c) { c.family = family, c.block = 1024, c.registers = 64, c.polynomial = 0; });
  }
}

/// The other forms of a body: in the plane, with a charge, both; every layout and way to pass it.
void add_forms(std::vector<KernelConfiguration>& set) {
  for (const auto& layout : layouts) {
    const auto electric = [layout](auto& c) { c.layout = layout, c.force_law = electric_law.device_code; };
    add(set, [&](auto& c) { c.layout = layout, c.dimensions = 2, c.passing = "members"; });
    add(set, [&](auto& c) { c.layout = layout, c.dimensions = 2, c.precision = 64; });
    add(set, [&](auto& c) { electric(c), c.passing = "members"; });
    add(set, [&](auto& c) { electric(c), c.precision = 64, c.passing = "pointer", c.guard = true; });
    add(set, [&](auto& c) { electric(c), c.dimensions = 2, c.constant_memory = true; });
  }
  add(set, [](auto& c) { c.stage_bodies = true, c.force_law = electric_law.device_code; });
  add(set, [](auto& c) { c.fused = true, c.dimensions = 2, c.layout = "split"; });
}

void add_switches(std::vector<KernelConfiguration>& set) {
  for (const auto& layout : layouts) {
    for (const char* passing : {"members", "pointer"}) {
      add(set, [&](auto& c) { c.layout = layout, c.passing = passing; });
    }
    add(set, [&](auto& c) { c.layout = layout, c.precision = 64, c.arithmetic = "sqrt"; });
    add(set, [&](auto& c) { c.layout = layout, c.fused = true; });
  }
  for (const auto& family : family_names) {
    KernelConfiguration named;
    named.family = family.name;
    if (!uses_tensor_cores(named)) {
      add(set, [&](auto& c) { c.family = family.name, c.precision = 64; });
      add(set, [&](auto& c) { c.family = family.name, c.force_law = electric_law.device_code; });
    }
    add(set, [&](auto& c) { c.family = family.name, c.constant_memory = true, c.read_only = false; });
    add(set, [&](auto& c) { c.family = family.name, c.dimensions = 2, c.guard = true; });
  }
  for (const int precision : {32, 64}) {
    add(set, [=](auto& c) { c.family = "tiled-2d", c.cublas_sum = true, c.precision = precision; });
  }
  for (const char* family : {"tiled", "pairwise", "tiled-2d"}) {
    add(set, [=](auto& c) { c.family = family, c.batched = true; });
    add(set, [=](auto& c) { c.family = family, c.batched = true, c.precision = 64, c.layout = "soa"; });
    add(set, [=](auto& c) { c.family = family, c.batched = true, c.force_law = electric_law.device_code; });
  }
  add(set, [](auto& c) { c.fused = c.batched = true; });
  add_forms(set);
  add(set, [](auto& c) { c.stage_bodies = true; });
  for (const auto& layout : layouts) {
    add(set, [&](auto& c) { c.family = "tiled-2d", c.layout = layout, c.stage = false; });
    add(set, [&](auto& c) { c.family = "galaxy-block", c.layout = layout, c.stage = false; });
  }
  add(set, [](auto& c) {
    c.family = "tiled-2d", c.stage = false, c.bank_safe = false, c.force_law = electric_law.device_code;
  });
  add(set, [](auto& c) { c.fast_math = true; });
  add(set, [](auto& c) { c.flush_to_zero = true; });
  add(set, [](auto& c) { c.registers = 32; });
  add(set, [](auto& c) { c.fused = true, c.passing = "members", c.layout = "soa", c.precision = 64; });
}

}  // namespace

std::vector<KernelConfiguration> covering_set() {
  std::vector<KernelConfiguration> set;
  add_families(set);
  add_shapes(set);
  add_switches(set);
  add_splits(set);
  return set;
}

bool exists_on(const KernelConfiguration& configuration, const std::string& architecture) {
  return architecture != "sm_75" || !uses_tensor_cores(configuration);
}

std::vector<std::string> covered_architectures() {
  return {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"};
}

}  // namespace orrery::sim::cuda
