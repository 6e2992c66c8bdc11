#include "sim/cpu/simd/instruction_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/core/vector_targets.h"
// After targets.h, which says what is compiled.
#include <hwy/highway.h>

namespace orrery::sim {

namespace {

constexpr std::array sets{
    InstructionSet{"avx512", "16 numbers at once, 14-bit estimates of 1/sqrt.", HWY_TARGETS& HWY_AVX3},
    InstructionSet{"avx2", "8 numbers at once, 12-bit estimates.", HWY_TARGETS& HWY_AVX2},
    InstructionSet{"sse4", "4 numbers at once, 12-bit estimates, no fused multiply-add.",
                   HWY_TARGETS& HWY_SSE4},
    InstructionSet{"neon", "4 numbers at once (ARM), 8-bit estimates.", HWY_TARGETS& ORRERY_NEON},
    InstructionSet{"scalar", "one number at a time, square root and division: any CPU.",
                   HWY_TARGETS&(HWY_EMU128 | HWY_SCALAR)},
};

constexpr bool all_have_a_name() {
  std::int64_t named = 0;
  for (const auto& set : sets) named |= set.targets;
  return named == HWY_TARGETS;
}
static_assert(all_have_a_name(), "Highway compiles more than sim/core/vector_targets.h asks for");

bool runs(const InstructionSet& set) {
  // Highway does not list what needs no instructions of its own.
  const auto here = hwy::SupportedTargets() | HWY_STATIC_TARGET | HWY_EMU128 | HWY_SCALAR;
  return (set.targets & here) != 0;
}

}  // namespace

std::span<const InstructionSet> instruction_sets() { return sets; }

std::string why_not_here(const InstructionSet& set) {
  if (set.targets == 0) return fmt::format("{} is not compiled for this kind of CPU", set.name);
  if (runs(set)) return {};
  return fmt::format("this CPU has no {}; it runs {}", set.name, instruction_set("auto").name);
}

const InstructionSet& instruction_set(std::string_view name) {
  const auto named = std::ranges::find(sets, name, &InstructionSet::name);
  if (named != sets.end() && runs(*named)) return *named;
  // What every CPU of this kind has is always among them.
  return *std::ranges::find_if(sets, runs);
}

std::size_t dispatch_index(const InstructionSet& set, std::size_t size) {
  if (size == 1) return 0;
  hwy::ChosenTarget chosen;
  chosen.Update(set.targets);
  return chosen.GetIndex();
}

}  // namespace orrery::sim
