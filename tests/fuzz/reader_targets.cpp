// The list of the tests that run under sanitizers too: without all that stands above the readers of
// snapshots, which takes long to compile for them.
#include <algorithm>

#include "tests/fuzz/fuzz_target.h"

namespace orrery::fuzz {

const std::vector<Target>& targets() {
  static const auto all = [] {
    std::vector<Target> list;
    add_snapshot_targets(list);
    std::ranges::sort(list, {}, &Target::name);
    return list;
  }();
  return all;
}

}  // namespace orrery::fuzz
