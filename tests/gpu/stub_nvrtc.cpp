// A libnvrtc with every function that the program looks for, none of which does anything: what tests fetch.
#include "sim/cuda/driver/cuda_abi.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

using namespace orrery::sim::cuda;

// NOLINTBEGIN(misc-definitions-in-headers)
extern "C" {
#define ORRERY_STUB(name, result, parameters) \
  result name parameters { return {}; }
ORRERY_NVRTC_FUNCTIONS(ORRERY_STUB)
#undef ORRERY_STUB
}
// NOLINTEND(misc-definitions-in-headers)
