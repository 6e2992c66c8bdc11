#include "sim/cuda/emulator/device_on_cpu.h"

#ifndef __x86_64__
#include <setjmp.h>
#include <ucontext.h>
#endif

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <vector>

#include "sim/core/error.h"

#ifdef __x86_64__
// Goes on where `to` was left, with the registers that a call keeps. The functions of the library look after
// signals too, which takes several times as long.
extern "C" void orrery_switch_stack(void** from, void* to);
asm(R"(
.text
.hidden orrery_switch_stack
.globl orrery_switch_stack
.type orrery_switch_stack, @function
orrery_switch_stack:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
.size orrery_switch_stack, .-orrery_switch_stack
)");
#endif

namespace orrery::sim::cuda::emulator {

namespace {

constexpr unsigned lanes = 32, most_threads = 1024;
constexpr std::size_t stack_bytes = 128 * 1024, most_unused = 16 * 1024;

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

/// What decides whose turn it is.
struct Thread {
  const Gathering* waits_for = nullptr;
  unsigned long long until_round = 0;
  bool started = false, ended = false;

  bool can_run() const { return !ended && (waits_for == nullptr || waits_for->rounds >= until_round); }
};

/// Where a thread, or the scheduler, goes on.
struct Place {
  std::unique_ptr<std::byte[]> stack;
#ifdef __x86_64__
  void* at = nullptr;
#else
  jmp_buf at{};
  ucontext_t first{};
  bool started = false;
#endif
};

#ifdef __x86_64__
/// The next turn begins with `enter`, on a stack of so many bytes.
void prepare(Place& place, std::size_t bytes, void (*enter)()) {
  auto top = reinterpret_cast<std::uintptr_t>(place.stack.get()) + bytes;
  top -= top % 16;
  auto* words = reinterpret_cast<void**>(top);  // NOLINT(performance-no-int-to-ptr)
  constexpr int saved = 6;
  words[-2] = reinterpret_cast<void*>(enter);
  for (int k = 1; k <= saved; ++k) words[-2 - k] = nullptr;
  place.at = words - 2 - saved;
}
void go(Place& from, Place& to) { orrery_switch_stack(&from.at, to.at); }
#else
void prepare(Place& place, std::size_t bytes, void (*enter)()) {
  getcontext(&place.first);
  place.first.uc_stack.ss_sp = place.stack.get();
  place.first.uc_stack.ss_size = bytes;
  place.first.uc_link = nullptr;
  makecontext(&place.first, enter, 0);
  place.started = false;
}
void go(Place& from, Place& to) {
  from.started = true;
  if (_setjmp(from.at) != 0) return;
  if (to.started) _longjmp(to.at, 1);
  setcontext(&to.first);
}
#endif

/// The threads of one block at a time; their stacks are kept.
struct Block {
  std::vector<Thread> threads = std::vector<Thread>(most_threads);
  std::vector<Place> places = std::vector<Place>(most_threads);
  std::array<Warp, most_threads / lanes> warps{};
  Gathering all;
  void (*call)(void**) = nullptr;
  void** arguments = nullptr;
  unsigned current = 0;
  bool trapped = false;
  Place scheduler;
};

/// Of the run under way.
Block* the_block = nullptr;
Block& block() { return *the_block; }

void leave() {
  auto& b = block();
  go(b.places[b.current], b.scheduler);
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
  machine.warp = k / lanes;
  machine.lane = k % lanes;
  auto& place = b.places[k];
  if (!thread.started) {
    thread.started = true;
    if (place.stack == nullptr) place.stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
    // Stacks that begin at multiples of a large power of two would share few lines of the cache.
    prepare(place, stack_bytes - k * 704 % most_unused, enter);
  }
  go(b.scheduler, place);
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
