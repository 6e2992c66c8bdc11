#include "sim/cpu/simd/chunk_pairs.h"

#include <algorithm>
#include <memory>

namespace orrery::sim {

namespace {

constexpr std::size_t chunks_a_galaxy = 16;
constexpr std::size_t least_bodies = 64;
constexpr std::size_t arrays_count = 7;
constexpr std::size_t alignment = 64;

constexpr std::size_t rounded_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Appends the chunks of a galaxy; `place` goes on behind them.
std::vector<Chunk> chunks_of(const GalaxyRange& galaxy, std::size_t& place) {
  const auto wanted = rounded_up(galaxy.size() / chunks_a_galaxy, chunk_unit);
  const auto size = std::clamp(wanted, least_bodies, most_chunk_bodies);
  std::vector<Chunk> chunks;
  for (std::size_t body = galaxy.first; body < galaxy.last; body += size) {
    const auto bodies = std::min(size, galaxy.last - body);
    const auto padded = rounded_up(bodies, chunk_unit);
    chunks.push_back({.first = place, .padded = padded, .body = body, .bodies = bodies});
    place += padded;
  }
  return chunks;
}

/// Circle method: the last player stays, the others turn by one each round. With an odd number of chunks the
/// last is a player who is not there.
void add_tournament(const std::vector<Chunk>& chunks, ChunkRounds& rounds) {
  const std::size_t players = rounded_up(chunks.size(), 2);
  const std::size_t turning = players - 1;
  for (std::size_t round = 0; round < turning; ++round) {
    if (rounds.size() < round + 2) rounds.emplace_back();
    for (std::size_t k = 0; k < players / 2; ++k) {
      const std::size_t left = (round + k) % turning;
      const std::size_t right = k == 0 ? turning : (round + turning - k) % turning;
      if (std::max(left, right) < chunks.size()) rounds[round + 1].push_back({chunks[left], chunks[right]});
    }
  }
}

}  // namespace

ChunkRounds chunk_rounds(std::span<const GalaxyRange> galaxies) {
  ChunkRounds rounds(1);
  std::size_t place = 0;
  for (const auto& galaxy : galaxies) {
    const auto chunks = chunks_of(galaxy, place);
    for (const auto& chunk : chunks) rounds.front().push_back({chunk, chunk});
    if (chunks.size() > 1) add_tournament(chunks, rounds);
  }
  return rounds;
}

ChunkArrays chunk_arrays(const ChunkRounds& rounds, std::vector<Vec3>& scratch) {
  const auto& all = rounds.front();
  const std::size_t places = all.empty() ? 0 : all.back().a.first + all.back().a.padded;
  const std::size_t bytes = arrays_count * places * sizeof(float) + alignment;
  scratch.resize(std::max(scratch.size(), bytes / sizeof(Vec3) + 1));
  void* begin = scratch.data();
  std::size_t room = scratch.size() * sizeof(Vec3);
  std::align(alignment, bytes - alignment, begin, room);
  const auto array = [&](std::size_t k) { return static_cast<float*>(begin) + k * places; };
  return {array(0), array(1), array(2), array(3), array(4), array(5), array(6)};
}

void fill_chunk(const ForceProblem& problem, const Chunk& chunk, const ChunkArrays& arrays) {
  for (std::size_t k = 0; k < chunk.padded; ++k) {
    const std::size_t place = chunk.first + k;
    const std::size_t body = chunk.body + std::min(k, chunk.bodies - 1);
    const Vec3 x = problem.position[body];
    arrays.x[place] = x.x, arrays.y[place] = x.y, arrays.z[place] = x.z;
    arrays.mass[place] = k < chunk.bodies ? problem.mass[body] : 0.0F;
    arrays.ax[place] = arrays.ay[place] = arrays.az[place] = 0.0F;
  }
}

void write_chunk(const ForceProblem& problem, const Chunk& chunk, const ChunkArrays& arrays, float factor) {
  for (std::size_t k = 0; k < chunk.bodies; ++k) {
    const std::size_t place = chunk.first + k;
    problem.acceleration[chunk.body + k] =
        factor * Vec3{arrays.ax[place], arrays.ay[place], arrays.az[place]};
  }
}

}  // namespace orrery::sim
