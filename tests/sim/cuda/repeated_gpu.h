#pragma once

#include <cstdlib>
#include <string>

namespace orrery::sim::checks {

/// While it lives, every GPU is listed so often: a GPU has several parts, as several GPUs have one each.
class RepeatedGpu {
 public:
  explicit RepeatedGpu(int times) { setenv("ORRERY_TEST_REPEAT_GPU", std::to_string(times).c_str(), 1); }
  RepeatedGpu(const RepeatedGpu&) = delete;
  RepeatedGpu& operator=(const RepeatedGpu&) = delete;
  ~RepeatedGpu() { unsetenv("ORRERY_TEST_REPEAT_GPU"); }
};

}  // namespace orrery::sim::checks
