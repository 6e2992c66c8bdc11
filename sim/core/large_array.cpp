#include "sim/core/large_array.h"

#include <cstdint>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace orrery::sim {

void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t large_page = std::uintptr_t{2} << 20U;
  // The C library maps larger blocks anew each time, and takes others from memory that has been written
  // before.
  constexpr std::size_t worth_it = 16 * large_page;
  if (bytes < worth_it) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory), end = begin + bytes;
  const auto first = (begin + large_page - 1) / large_page * large_page, last = end / large_page * large_page;
  // A system without large pages refuses: then the pages are small.
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // NOLINT(performance-no-int-to-ptr)
#endif
}

}  // namespace orrery::sim
