#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace orrery::test {

/// The most memory that this process has had, bytes.
inline std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) << 10U;
}

}  // namespace orrery::test
