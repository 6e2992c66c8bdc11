#pragma once

namespace orrery::sim {

/// Throws Error if the system does not give that many threads at once: limits of memory, address space or
/// processes. OpenMP would end the program. What was given before is not tried again.
void require_threads(int count);

}  // namespace orrery::sim
