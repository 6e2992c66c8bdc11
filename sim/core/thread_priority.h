#pragma once

namespace orrery::sim {

/// Makes the calling thread, and threads it starts later, give way to others (Linux nice value, 0 to 19).
/// Drawing stays smooth while all cores compute. Failure is harmless and ignored.
void lower_thread_priority(int nice);

}  // namespace orrery::sim
