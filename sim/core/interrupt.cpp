#include "sim/core/interrupt.h"

#include "sim/core/error.h"

namespace orrery::sim {

namespace {

std::atomic<bool> wanted{false};
std::atomic<int> received{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may set them");

}  // namespace

void interrupt(int signal) noexcept {
  received = signal;
  wanted = true;
}

bool interrupted() { return wanted.load(std::memory_order_relaxed); }
const std::atomic<bool>* interrupt_flag() { return &wanted; }
int interrupt_signal() { return received.load(); }

void stop_if_interrupted() {
  if (interrupted()) throw Cancelled();
}

}  // namespace orrery::sim
