#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace orrery::test {

/// Calls `done` until it is true. False after two minutes, which even a busy machine keeps.
inline bool eventually(const std::function<bool()>& done) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!done()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace orrery::test
