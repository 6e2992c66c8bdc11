#include "sim/core/torn_file.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>

namespace orrery::sim {

namespace {

/// The state that the signal handler reads: it must not take a lock.
struct Range {
  std::atomic<bool> taken{false};
  std::atomic<std::uintptr_t> begin{0}, end{0};
  std::atomic<bool> torn{false};
};
std::array<Range, 16> ranges;
std::uintptr_t page_size = 4096;
struct sigaction before {};

/// Puts a page of zeros where the file has none any more; the instruction is then repeated.
bool mend(std::uintptr_t address) {
  for (auto& range : ranges) {
    if (address < range.begin.load() || address >= range.end.load()) continue;
    range.torn = true;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the address of a signal
    void* const page = reinterpret_cast<void*>(address / page_size * page_size);
    return ::mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page;
  }
  return false;
}

void on_bus_error(int /*number*/, siginfo_t* info, void* /*context*/) {
  if (mend(reinterpret_cast<std::uintptr_t>(info->si_addr))) return;
  // None of ours: as if this handler were not there.
  ::sigaction(SIGBUS, &before, nullptr);
}

}  // namespace

void survive_torn_files() {
  page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, &before);
}

TornFileGuard::TornFileGuard(std::span<const std::byte> mapped) {
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    auto& range = ranges.at(k);
    if (range.taken.exchange(true)) continue;
    range.torn = false;
    range.begin = reinterpret_cast<std::uintptr_t>(mapped.data());
    range.end = range.begin + mapped.size();
    slot_ = static_cast<int>(k);
    return;
  }
}

TornFileGuard::~TornFileGuard() {
  if (slot_ < 0) return;
  auto& range = ranges.at(static_cast<std::size_t>(slot_));
  range.end = 0;
  range.begin = 0;
  range.taken = false;
}

bool TornFileGuard::torn() const { return slot_ >= 0 && ranges.at(static_cast<std::size_t>(slot_)).torn; }

}  // namespace orrery::sim
