#include "sim/cpu/simd/instruction_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/core/vector_targets.h"
// After targets.h, which says what is compiled.
#include <hwy/highway.h>

namespace orrery::sim {

namespace {

constexpr std::int64_t wide = HWY_TARGETS & (HWY_AVX3 | HWY_AVX3_DL);
constexpr std::int64_t with_a_name = HWY_AVX3 | HWY_AVX3_DL | HWY_AVX2 | HWY_SSE4 | HWY_NEON;
/// Also what other versions of Highway take for the least that a compiler may use.
constexpr std::int64_t without_vectors =
    HWY_TARGETS & ~with_a_name & (HWY_EMU128 | HWY_SCALAR | HWY_STATIC_TARGET);

constexpr std::array sets{
    InstructionSet{"avx512", "16 numbers at once, 14-bit estimates of 1/sqrt.", wide},
    InstructionSet{"avx2", "8 numbers at once, 12-bit estimates.", HWY_TARGETS& HWY_AVX2},
    InstructionSet{"sse4", "4 numbers at once, 12-bit estimates, no fused multiply-add.",
                   HWY_TARGETS& HWY_SSE4},
    InstructionSet{"neon", "4 numbers at once (ARM), 8-bit estimates.", HWY_TARGETS& HWY_NEON},
    InstructionSet{"scalar", "one number at a time, square root and division: any CPU.", without_vectors},
};

}  // namespace

std::span<const InstructionSet> instruction_sets() { return sets; }

std::string why_not_here(const InstructionSet& set) {
  if (set.targets == 0) return fmt::format("{} is not compiled for this kind of CPU", set.name);
  if ((set.targets & (hwy::SupportedTargets() | HWY_STATIC_TARGET)) != 0) return {};
  return fmt::format("this CPU has no {}; it runs {}", set.name, instruction_set("auto").name);
}

const InstructionSet& instruction_set(std::string_view name) {
  const auto runs = [](const InstructionSet& set) {
    return set.targets != 0 && (set.targets & (hwy::SupportedTargets() | HWY_STATIC_TARGET)) != 0;
  };
  const auto named = std::ranges::find(sets, name, &InstructionSet::name);
  if (named != sets.end() && runs(*named)) return *named;
  // What every processor of this kind has is always among them.
  return *std::ranges::find_if(sets, runs);
}

std::size_t dispatch_index(const InstructionSet& set, std::size_t size) {
  if (size == 1) return 0;
  hwy::ChosenTarget chosen;
  chosen.Update(set.targets);
  return chosen.GetIndex();
}

}  // namespace orrery::sim
