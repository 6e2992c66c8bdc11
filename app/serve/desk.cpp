#include "app/serve/desk.h"

#include <chrono>
#include <utility>

namespace orrery::app::serve {

namespace {

/// A person makes a few hundred a second at most.
constexpr std::size_t most_messages = 4096;

}  // namespace

bool Desk::put(ClientMessage message) {
  {
    const std::lock_guard lock(mutex_);
    using Kind = ClientMessage::Kind;
    const bool both_move =
        message.kind == Kind::cursor && !messages_.empty() && messages_.back().kind == Kind::cursor;
    if (both_move) {
      messages_.back() = std::move(message);
    } else {
      // Keys of a driver who has left are never kept down.
      if (messages_.size() >= most_messages && message.kind != Kind::release) return false;
      messages_.push_back(std::move(message));
    }
  }
  wake();
  return true;
}

void Desk::put_file(std::filesystem::path file) {
  {
    const std::lock_guard lock(mutex_);
    files_.push_back(std::move(file));
  }
  wake();
}

void Desk::put_errand(Errand errand) {
  {
    const std::lock_guard lock(mutex_);
    errands_.push_back(std::move(errand));
  }
  wake();
}

void Desk::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  wake_.notify_all();
}

void Desk::wait(double seconds) {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return woken_; });
  woken_ = false;
}

std::vector<ClientMessage> Desk::take_messages() {
  using Kind = ClientMessage::Kind;
  const std::lock_guard lock(mutex_);
  std::vector<ClientMessage> taken;
  bool moved = false;
  while (!messages_.empty()) {
    auto& next = messages_.front();
    const bool button = next.kind == Kind::button;
    const bool elsewhere = (button || next.kind == Kind::cursor) && next.position != pointer_;
    if (elsewhere) pointer_ = next.position;
    if (button && next.pressed && (moved || elsewhere)) {
      // A finger comes down without a move before.
      if (elsewhere) taken.push_back({.kind = Kind::cursor, .position = pointer_});
      return taken;
    }
    moved = moved || elsewhere;
    taken.push_back(std::move(next));
    messages_.pop_front();
    if (button) return taken;
  }
  return taken;
}

std::vector<std::filesystem::path> Desk::take_files() {
  const std::lock_guard lock(mutex_);
  return std::exchange(files_, {});
}

bool Desk::has_errands() const {
  const std::lock_guard lock(mutex_);
  return !errands_.empty();
}

std::vector<Desk::Errand> Desk::take_errands() {
  const std::lock_guard lock(mutex_);
  return std::exchange(errands_, {});
}

}  // namespace orrery::app::serve
