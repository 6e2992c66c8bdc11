#pragma once

#include <string>
#include <utility>

#include "sim/options/configuration.h"

namespace orrery::sim::checks {

/// While it lives, configurations name every GPU so often (configuration_of): a GPU has several parts, as
/// several GPUs have one each.
class RepeatedGpu {
 public:
  explicit RepeatedGpu(int times) : before_(std::exchange(times_, times)) {}
  RepeatedGpu(const RepeatedGpu&) = delete;
  RepeatedGpu& operator=(const RepeatedGpu&) = delete;
  ~RepeatedGpu() { times_ = before_; }

  /// Names the GPUs of a configuration once more for each repetition, which no assignment can; `usual` where
  /// it names none.
  static void apply(Configuration& configuration, int usual = 0) {
    if (times_ == 1) return;
    const auto& chosen = configuration.choice("devices");
    const auto once = chosen == "auto" ? std::to_string(usual) : chosen;
    auto all = once;
    for (int k = 1; k < times_; ++k) all += ',' + once;
    configuration.set("devices", all);
  }

 private:
  static inline int times_ = 1;
  int before_;
};

}  // namespace orrery::sim::checks
