// The list of the fuzzer, and of the tests of everything.
#include <algorithm>

#include "tests/fuzz/fuzz_target.h"

namespace orrery::fuzz {

const std::vector<Target>& targets() {
  static const auto all = [] {
    std::vector<Target> list;
    add_snapshot_targets(list);
    add_state_targets(list);
    add_setup_targets(list);
#ifdef ORRERY_SERVE
    add_serve_targets(list);
#endif
    std::ranges::sort(list, {}, &Target::name);
    return list;
  }();
  return all;
}

}  // namespace orrery::fuzz
