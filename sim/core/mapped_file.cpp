#include "sim/core/mapped_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>

#include "sim/core/descriptor.h"
#include "sim/core/message.h"

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

void require_regular(const std::filesystem::path& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) cannot_read(path, "it is a folder; name a snapshot file inside it");
  if (!S_ISREG(status.st_mode)) {
    cannot_read(path, "it is a device or a pipe, not a regular file; copy the data to a file first");
  }
  if (status.st_size == 0) cannot_read(path, "the file is empty; copy it again");
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

MappedFile::MappedFile(const std::filesystem::path& path) {
  // Not to wait for the writer of a pipe.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) {
    const char* const advice = errno == ENOENT   ? "; check the name"
                               : errno == EACCES ? "; check its permissions"
                               : errno == ELOOP  ? ", or one that leads to itself; name another file"
                                                 : "";
    cannot_read(path, reason_of(errno) + advice);
  }
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) cannot_read(path, reason_of(errno));
  require_regular(path, status);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (on_mapping != nullptr) on_mapping(size);
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (address == MAP_FAILED) cannot_read(path, "it cannot be mapped: " + reason_of(errno));
  ::madvise(address, size, MADV_SEQUENTIAL);
  view_ = {path, {static_cast<const std::byte*>(address), size}};
}

MappedFile::~MappedFile() {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): munmap takes a void*
  ::munmap(const_cast<std::byte*>(view_.bytes.data()), view_.bytes.size());
}

}  // namespace orrery::sim
