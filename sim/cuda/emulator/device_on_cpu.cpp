#include "sim/cuda/emulator/device_on_cpu.h"

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <vector>

#include "sim/core/error.h"

namespace orrery::sim::cuda::emulator {

namespace {

constexpr unsigned lanes = 32, most_threads = 1024;
constexpr std::size_t stack_bytes = 128 * 1024;

/// Those that wait for each other, and how often they have all arrived.
struct Gathering {
  unsigned members = 0, arrived = 0;
  unsigned long long rounds = 0;

  void arrive() {
    if (++arrived < members) return;
    arrived = 0;
    ++rounds;
  }
};

struct Warp {
  Gathering gathering;
  std::array<std::array<unsigned long long, lanes>, 2> values{};
};

struct Thread {
  std::unique_ptr<std::byte[]> stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
  jmp_buf at{};
  bool started = false, ended = false;
  const Gathering* waits_for = nullptr;
  unsigned long long until_round = 0;

  bool can_run() const { return !ended && (waits_for == nullptr || waits_for->rounds >= until_round); }
};

/// The threads of one block at a time; their stacks are kept.
struct Block {
  std::vector<Thread> threads = std::vector<Thread>(most_threads);
  std::array<Warp, most_threads / lanes> warps{};
  Gathering all;
  void (*call)(void**) = nullptr;
  void** arguments = nullptr;
  unsigned current = 0;
  bool trapped = false;
  jmp_buf scheduler{};
};

/// Of the run under way.
Block* the_block = nullptr;
Block& block() { return *the_block; }

void leave() {
  auto& b = block();
  if (_setjmp(b.threads[b.current].at) == 0) _longjmp(b.scheduler, 1);
}

/// A stack goes on to the next block's thread: to begin on a new one takes calls of the system.
[[noreturn]] void enter() {
  for (;;) {
    block().call(block().arguments);
    block().threads[block().current].ended = true;
    leave();
  }
}

void wait_for(Gathering& gathering) {
  auto& thread = block().threads[block().current];
  thread.waits_for = &gathering;
  thread.until_round = gathering.rounds + 1;
  gathering.arrive();
  if (!thread.can_run()) leave();
  thread.waits_for = nullptr;
}

/// Until the thread waits or ends.
void take_turn(unsigned k) {
  auto& b = block();
  auto& thread = b.threads[k];
  b.current = k;
  const auto& size = machine.block_size;
  machine.thread = {k % size.x, k / size.x % size.y, k / size.x / size.y};
  machine.lane = k % lanes;
  if (_setjmp(b.scheduler) != 0) return;
  if (thread.started) _longjmp(thread.at, 1);
  thread.started = true;
  ucontext_t context{};
  getcontext(&context);
  context.uc_stack.ss_sp = thread.stack.get();
  context.uc_stack.ss_size = stack_bytes;
  context.uc_link = nullptr;
  makecontext(&context, enter, 0);
  setcontext(&context);
}

void begin_block(unsigned threads) {
  auto& b = block();
  for (unsigned k = 0; k < threads; ++k) {
    auto& thread = b.threads[k];
    // Of a kernel that could not go on, it is still in the middle.
    if (!thread.ended) thread.started = false;
    thread.ended = false;
    thread.waits_for = nullptr;
  }
  for (unsigned w = 0; w * lanes < threads; ++w)
    b.warps[w].gathering = {.members = std::min(lanes, threads - w * lanes)};
  b.all = {.members = threads};
}

/// In turns that begin with a drawn thread and go up or down.
void run_block(unsigned threads, std::mt19937& random) {
  begin_block(threads);
  for (unsigned ended = 0; ended < threads;) {
    const auto first = static_cast<unsigned>(random() % threads), step = random() % 2 == 0 ? 1U : threads - 1;
    bool moved = false;
    for (unsigned turn = 0, k = first; turn < threads; ++turn, k = (k + step) % threads) {
      if (!block().threads[k].can_run()) continue;
      take_turn(k);
      if (block().trapped) throw Error("a thread has trapped");
      moved = true;
      ended += block().threads[k].ended ? 1 : 0;
    }
    if (!moved) throw Error("threads wait for others that have ended");
  }
}

void wait_for_warp() { wait_for(block().warps[block().current / lanes].gathering); }
void wait_for_block() { wait_for(block().all); }

const unsigned long long* exchange(unsigned long long value) {
  auto& warp = block().warps[block().current / lanes];
  auto& values = warp.values[warp.gathering.rounds % 2];
  values[block().current % lanes] = value;
  wait_for(warp.gathering);
  return values.data();
}

/// The thread is not taken up again.
void trap() {
  block().trapped = true;
  leave();
}

}  // namespace

Machine machine{
    .wait_for_warp = wait_for_warp, .wait_for_block = wait_for_block, .exchange = exchange, .trap = trap};

void run(const Launch& launch, void (*call)(void**), void** arguments) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static Block kept;
  the_block = &kept;
  std::vector<std::max_align_t> dynamic_shared(launch.dynamic_shared / sizeof(std::max_align_t) + 1);
  machine.dynamic_shared = dynamic_shared.data();
  machine.grid_size = launch.grid;
  machine.block_size = launch.block;
  block().call = call;
  block().arguments = arguments;
  block().trapped = false;
  const unsigned threads = launch.block.x * launch.block.y * launch.block.z;
  if (threads == 0 || threads > most_threads) throw Error("a block has 1 to 1024 threads");
  std::mt19937 random(launch.seed);
  std::vector<unsigned> order(std::size_t{launch.grid.x} * launch.grid.y);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::shuffle(order, random);
  for (const unsigned k : order) {
    machine.block = {k % launch.grid.x, k / launch.grid.x, 0};
    run_block(threads, random);
  }
}

void run(Index grid, Index block, const std::function<void()>& thread, unsigned seed) {
  void* arguments[] = {const_cast<void*>(static_cast<const void*>(&thread))};
  const auto call = [](void** of) { (*static_cast<const std::function<void()>*>(*of))(); };
  run({.grid = grid, .block = block, .seed = seed}, call, arguments);
}

}  // namespace orrery::sim::cuda::emulator
