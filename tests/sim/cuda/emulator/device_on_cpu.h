#pragma once

#include <cstddef>
#include <functional>

// Device code on the processor, for tests of what kernels compute on machines without a GPU. Threads of a
// block take turns, each until it must wait for others of its warp or block; blocks run one after the other.
// It finds wrong indices, forgotten bodies and, since turns are taken in a drawn order, reads of what another
// lane has not written for sure. It says nothing about speed, or about memory that blocks share while they
// run at a time.
namespace orrery::sim::cuda::emulator {

/// Of a thread, or the size of a block or grid.
struct Index {
  unsigned x = 0, y = 0, z = 0;
};

/// Runs a kernel: `thread` once for each thread, in blocks of at most 1024. `seed`: of the order of turns.
/// Throws std::logic_error if threads wait for others that have ended.
void run(Index grid, Index block, const std::function<void()>& thread, unsigned seed);

/// The variables that device code reads as threadIdx and so on, of the thread whose turn it is.
extern Index thread_index, block_index, block_size, grid_size;

/// Waits for the other lanes of the warp, or threads of the block.
void wait_for_warp();
void wait_for_block();

/// Gives the value (at most 8 bytes) of each lane to all lanes: they are valid until the next exchange but
/// one.
const unsigned long long* exchange(unsigned long long value);

}  // namespace orrery::sim::cuda::emulator
