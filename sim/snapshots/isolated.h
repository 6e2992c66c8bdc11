#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "sim/bodies/bodies.h"
#include "sim/core/progress.h"

namespace orrery::sim {

/// Arrays of bodies in memory that a process shares with those that it makes.
class SharedBodies {
 public:
  /// Throws Error if the system has no such memory.
  SharedBodies();
  SharedBodies(const SharedBodies&) = delete;
  SharedBodies& operator=(const SharedBodies&) = delete;
  ~SharedBodies();

  /// Gives them their size, once; all is 0 then. Throws std::bad_alloc.
  void resize(std::size_t count);
  std::size_t size() const { return count_; }
  std::span<std::uint64_t> id() const;
  std::span<Vec3> position() const;
  std::span<Vec3> velocity() const;
  std::span<float> mass() const;
  std::span<Component> component() const;

  /// Called in the waiting process: takes the data that the other one left, `count` bodies as it reported.
  void take(std::size_t count, Bodies& bodies);

 private:
  int file_ = -1;
  std::byte* memory_ = nullptr;
  std::size_t count_ = 0;

  void map(std::size_t count);
  template <typename T>
  std::span<T> array(std::size_t bytes_before) const;
};

/// The outcome of work in a separate process.
struct IsolatedResult {
  enum class End { done, refused, no_memory, crashed, too_long };
  End end = End::crashed;
  std::string text;  ///< result of the work, or the message of the Error that it threw
};

/// The limits of the work.
struct IsolatedLimits {
  std::size_t memory = 0;  ///< bytes more than this process has
  unsigned seconds = 0;    ///< limit of CPU time
};

/// Does `work` in a process of its own, a copy of this one, and waits for it. For libraries that damaged
/// input can crash, or send into endless loops: neither ends the program. Only memory that is shared
/// (SharedBodies) and the text come back. `work` gets what it calls with the fraction that is done, from 0 to
/// 1. Throws Cancelled if the watcher asks for it, Error if the system makes no process.
IsolatedResult run_isolated(
    const std::function<std::string(const std::function<void(float)>& progress)>& work,
    const IsolatedLimits& limits, Progress* progress);

}  // namespace orrery::sim
