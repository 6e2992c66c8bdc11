#pragma once

#include <atomic>
#include <utility>

namespace orrery::sim {

/// A question of one thread to another one, which answers when it gets to it.
template <typename T>
class Request {
 public:
  // Of the thread that asks.
  void ask() { asked_ = true; }
  /// The answer to `ask`; waits for it.
  T wait() {
    asked_.wait(true);
    return std::move(answer_);
  }

  // Of the thread that answers.
  bool asked() const { return asked_; }
  void answer(T answer) {
    answer_ = std::move(answer);
    asked_ = false;
    asked_.notify_one();
  }

 private:
  std::atomic<bool> asked_{false};
  T answer_{};
};

}  // namespace orrery::sim
