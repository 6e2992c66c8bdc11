#include "sim/tree/hilbert.h"

#include <array>
#include <bit>

namespace orrery::sim {

namespace {

constexpr std::uint32_t axes = 3, octants = 8;

/// Table of one level of the curve for an octant: its digit of the key, and the state of the next level
struct Turn {
  std::uint8_t digit = 0, next = 0;
};

constexpr std::uint32_t rotated_left(std::uint32_t bits, std::uint32_t by) {
  by %= axes;
  return ((bits << by) | (bits >> (axes - by))) & (octants - 1);
}

constexpr std::uint32_t gray(std::uint32_t number) { return number ^ (number >> 1U); }

constexpr std::uint32_t gray_inverse(std::uint32_t code) { return code ^ (code >> 1U) ^ (code >> 2U); }

/// The corner at which the curve enters the octant with that digit.
constexpr std::uint32_t entry(std::uint32_t digit) { return digit == 0 ? 0 : gray(2 * ((digit - 1) / 2)); }

/// The axis along which the curve crosses the octant with that digit.
constexpr std::uint32_t direction(std::uint32_t digit) {
  if (digit == 0) return 0;
  const std::uint32_t even = digit % 2 == 0 ? digit - 1 : digit;
  return static_cast<std::uint32_t>(std::countr_one(even)) % axes;
}

/// A state is a corner of entry and an axis: corner * 3 + axis.
constexpr Turn turn_of(std::uint32_t state, std::uint32_t octant) {
  const std::uint32_t corner = state / axes, axis = state % axes;
  const std::uint32_t digit = gray_inverse(rotated_left(octant ^ corner, 2 * axes - (axis + 1)));
  const std::uint32_t next_corner = corner ^ rotated_left(entry(digit), axis + 1);
  const std::uint32_t next_axis = (axis + direction(digit) + 1) % axes;
  return {static_cast<std::uint8_t>(digit), static_cast<std::uint8_t>(next_corner * axes + next_axis)};
}

constexpr auto turns = [] {
  std::array<std::array<Turn, octants>, octants * axes> table{};
  for (std::uint32_t state = 0; state < table.size(); ++state) {
    for (std::uint32_t octant = 0; octant < octants; ++octant) table[state][octant] = turn_of(state, octant);
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
    const Turn turn = turns[state][octant];
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
