#pragma once

#ifndef ORRERY_EMULATED
#include <cstddef>
#include <functional>
#endif

// Device code on the CPU: what kernels compute on machines without a GPU, and how. Threads of a block take
// turns, each until it must wait for others of its warp or block; blocks run one after the other. It finds
// wrong indices, forgotten bodies and, since turns are taken in a drawn order, reads of what another lane has
// not written for sure. It says nothing about speed, or about memory that blocks share while they run at a
// time. This header is compiled twice: with the program, and with device code that is compiled at run time
// (ORRERY_EMULATED).
namespace orrery::sim::cuda::emulator {

/// Position of a thread or block, or the size of a block or grid.
struct Index {
  unsigned x = 0, y = 0, z = 0;
};

/// What device code sees of the emulator. There is one; the device code gets its address.
struct Machine {
  Index thread, block, block_size, grid_size;  ///< of the thread whose turn it is
  unsigned warp = 0, lane = 0;                 ///< number of its warp, and its own in the warp
  void* dynamic_shared = nullptr;              ///< shared memory whose size the launch states
  void (*wait_for_warp)() = nullptr;           ///< waits for the other lanes
  void (*wait_for_block)() = nullptr;          ///< waits for the other threads of the block
  /// Gives the value (at most 8 bytes) of each lane to all lanes: they are valid until the next exchange but
  /// one.
  const unsigned long long* (*exchange)(unsigned long long value) = nullptr;
  void (*trap)() = nullptr;  ///< ends the launch with an error
};

/// A kernel of compiled device code. `call` runs one thread, with the addresses of the arguments.
struct KernelEntry {
  const char* name;
  void (*call)(void** arguments);
  const unsigned* sizes;  ///< bytes of each argument, then 0
};
/// A variable in constant memory.
struct ConstantEntry {
  const char* name;
  void* address;
  unsigned long long bytes;
};
/// What device code that was compiled at run time returns to the emulator. The last entries have no names.
struct CompiledModule {
  const KernelEntry* kernels;
  const ConstantEntry* constants;
};

#ifndef ORRERY_EMULATED
/// The size of a launch.
struct Launch {
  Index grid, block;
  std::size_t dynamic_shared = 0;  ///< bytes
  unsigned seed = 1;               ///< of the order of turns
};

/// Runs a kernel: `call(arguments)` once for each thread, in blocks of at most 1024. For one launch of the
/// process at a time: others wait. Throws Error if threads wait for others that have ended, or one has
/// trapped.
void run(const Launch& launch, void (*call)(void**), void** arguments);
/// Runs a function once for each thread of a launch.
void run(Index grid, Index block, const std::function<void()>& thread, unsigned seed);

/// What all device code of this process sees.
extern Machine machine;
#endif

}  // namespace orrery::sim::cuda::emulator
