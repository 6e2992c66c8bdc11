#include "tests/sim/cuda/emulator/device_on_cpu.h"

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace orrery::sim::cuda::emulator {

Index thread_index, block_index, block_size, grid_size;

namespace {

constexpr unsigned lanes = 32, most_threads = 1024;
constexpr std::size_t stack_bytes = 64 * 1024;

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
  const std::function<void()>* body = nullptr;
  unsigned current = 0;
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
    (*block().body)();
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
  thread_index = {k, 0, 0};
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
      moved = true;
      ended += block().threads[k].ended ? 1 : 0;
    }
    if (!moved) throw std::logic_error("threads wait for others that have ended");
  }
}

}  // namespace

void run(Index grid, Index size, const std::function<void()>& thread, unsigned seed) {
  static Block kept;
  the_block = &kept;
  std::mt19937 random(seed);
  const unsigned threads = size.x * size.y * size.z;
  block().body = &thread;
  grid_size = grid;
  block_size = size;
  std::vector<unsigned> order(std::size_t{grid.x} * grid.y);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::shuffle(order, random);
  for (const unsigned k : order) {
    block_index = {k % grid.x, k / grid.x, 0};
    run_block(threads, random);
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

}  // namespace orrery::sim::cuda::emulator
