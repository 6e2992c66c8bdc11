#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/cpu/kernel.h"

namespace orrery::sim {

/// Chunks are filled up to a multiple of this with bodies without mass: a multiple of every vector's length.
inline constexpr std::size_t chunk_unit = 16;

/// Places of a chunk, at most.
inline constexpr std::size_t most_chunk_bodies = 1024;

/// Some consecutive bodies of one galaxy, by their positions in ChunkArrays.
struct Chunk {
  std::size_t first = 0;   ///< index of the first body in ChunkArrays, a multiple of chunk_unit
  std::size_t padded = 0;  ///< places
  std::size_t body = 0;    ///< the first body of the dataset in it
  std::size_t bodies = 0;
};

/// Two chunks of a galaxy whose bodies attract each other, or one chunk (a == b) with itself.
struct ChunkPair {
  Chunk a, b;
};

/// The pairs of all galaxies, in rounds: a chunk occurs once in a round, so the pairs of one can run at the
/// same time, and every chunk receives its sums in the same order however many threads there are. Rounds are
/// those of a tournament where everybody plays everybody (circle method). The first round has each chunk with
/// itself.
using ChunkRounds = std::vector<std::vector<ChunkPair>>;

/// Cuts galaxies into chunks of about a sixteenth of their bodies, at most 1024, and pairs them.
ChunkRounds chunk_rounds(std::span<const GalaxyRange> galaxies);

/// Coordinates, masses and sums of all chunks, one array a component, aligned to 64 bytes. Views of the
/// scratch memory of a problem.
struct ChunkArrays {
  float *x = nullptr, *y = nullptr, *z = nullptr, *mass = nullptr;
  float *ax = nullptr, *ay = nullptr, *az = nullptr;
};

/// Room for all chunks of these rounds in `scratch`, which grows if it has to.
ChunkArrays chunk_arrays(const ChunkRounds& rounds, std::vector<Vec3>& scratch);
/// Copies the bodies of a chunk; its sums become 0.
void fill_chunk(const ForceProblem& problem, const Chunk& chunk, const ChunkArrays& arrays);
/// Writes the accelerations of a chunk: `factor` times its sums.
void write_chunk(const ForceProblem& problem, const Chunk& chunk, const ChunkArrays& arrays, float factor);

}  // namespace orrery::sim
