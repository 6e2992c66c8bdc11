#include "sim/tree/hilbert.h"

#include <array>

#include "sim/tree/shared/tree_numbers.h"

namespace orrery::sim {

namespace {

constexpr std::uint32_t axes = 3, octants = 8;

constexpr auto turns = [] {
  std::array<std::array<CurveTurn, octants>, octants * axes> table{};
  for (std::uint32_t state = 0; state < table.size(); ++state) {
    for (std::uint32_t octant = 0; octant < octants; ++octant)
      table[state][octant] = curve_turn(state, octant);
  }
  return table;
}();

/// Levels that one look into the table settles: fewer looks, each of which waits for the one before.
constexpr int levels_a_look = 3;
constexpr std::uint32_t coordinate_mask = (1U << levels_a_look) - 1;
constexpr unsigned state_bits = 5;
static_assert(hilbert_bits % levels_a_look == 0 && octants * axes <= 1U << state_bits);

/// A table entry for several levels at once: their digits, followed by the state of the next level.
constexpr std::uint16_t look_of(std::uint32_t state, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  std::uint32_t digits = 0;
  for (int level = levels_a_look - 1; level >= 0; --level) {
    const std::uint32_t octant = ((x >> level) & 1U) | ((y >> level) & 1U) << 1U | ((z >> level) & 1U) << 2U;
    const CurveTurn turn = turns[state][octant];
    digits = digits << 3U | turn.digit;
    state = turn.next;
  }
  return static_cast<std::uint16_t>(digits << state_bits | state);
}

constexpr std::uint32_t looks_a_state = 1U << (axes * levels_a_look);

const auto looks = []() noexcept {
  std::array<std::array<std::uint16_t, looks_a_state>, octants * axes> table{};
  for (std::uint32_t state = 0; state < table.size(); ++state) {
    for (std::uint32_t k = 0; k < looks_a_state; ++k)
      table[state][k] = look_of(state, k & coordinate_mask, (k >> levels_a_look) & coordinate_mask,
                                k >> (2 * levels_a_look));
  }
  return table;
}();

}  // namespace

std::uint64_t hilbert_key(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  std::uint64_t key = 0;
  std::uint32_t state = 0;
  for (int level = hilbert_bits - levels_a_look; level >= 0; level -= levels_a_look) {
    const std::uint32_t at = ((x >> level) & coordinate_mask) |
                             ((y >> level) & coordinate_mask) << levels_a_look |
                             ((z >> level) & coordinate_mask) << (2 * levels_a_look);
    const std::uint32_t look = looks[state][at];
    key = key << (axes * levels_a_look) | look >> state_bits;
    state = look & ((1U << state_bits) - 1);
  }
  return key;
}

}  // namespace orrery::sim
