#include "sim/core/thread_priority.h"

#include <sys/resource.h>

namespace orrery::sim {

void lower_thread_priority(int nice) {
  // On Linux a "process" of setpriority is a thread; 0 is the calling one.
  setpriority(PRIO_PROCESS, 0, nice);
}

}  // namespace orrery::sim
