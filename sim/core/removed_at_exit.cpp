#include "sim/core/removed_at_exit.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace orrery::sim {

namespace {

/// A signal handler may neither allocate nor lock: names lie in a fixed place.
struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<bool> armed{false};  ///< `path` is whole
  std::array<char, PATH_MAX> path{};
};

constexpr std::size_t slot_count = 64;
std::array<Slot, slot_count> slots;
static_assert(std::atomic<bool>::is_always_lock_free);

/// SA_RESETHAND has put back what a signal usually does: end the program.
void remove_and_end(int signal) {
  remove_files_in_the_making();
  ::raise(signal);
}

void install(int signal) {
  struct sigaction now {};
  if (::sigaction(signal, nullptr, &now) != 0) return;
  if ((now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL) return;
  struct sigaction ours {};
  ours.sa_handler = remove_and_end;
  ours.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  ::sigaction(signal, &ours, nullptr);
}

std::size_t free_slot() {
  std::size_t slot = 0;
  while (slot < slot_count && slots.at(slot).taken.exchange(true)) ++slot;
  return slot;
}

}  // namespace

void remove_files_when_ended() {
  for (const int signal : ending_signals) install(signal);
  std::atexit([] { remove_files_in_the_making(); });
}

RemovedAtExit::RemovedAtExit(const std::filesystem::path& path) : slot_(slot_count) {
  const auto& name = path.native();
  if (name.size() >= PATH_MAX) return;
  slot_ = free_slot();
  if (slot_ == slot_count) return;
  auto& slot = slots.at(slot_);
  std::memcpy(slot.path.data(), name.c_str(), name.size() + 1);
  slot.armed = true;
}

RemovedAtExit::~RemovedAtExit() {
  if (slot_ == slot_count) return;
  slots.at(slot_).armed = false;
  slots.at(slot_).taken = false;
}

void remove_files_in_the_making() noexcept {
  const int before = errno;
  for (auto& slot : slots) {
    if (slot.armed) ::unlink(slot.path.data());
  }
  errno = before;
}

}  // namespace orrery::sim
