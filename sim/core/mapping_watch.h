#pragma once

#include <cstddef>

namespace orrery::sim {

/// Called with the size of every file before a MappedFile maps it. Null, as in all programs but the reader's,
/// whose limits grow with what it reads: nobody is told.
inline void (*on_mapping)(std::size_t bytes) = nullptr;

}  // namespace orrery::sim
