#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace orrery::sim {

/// Hands the indices of three slots between one writer and one reader without a lock: the writer fills its
/// slot and offers it, the reader takes the newest offered one. Neither ever waits; values in between are
/// lost.
class SlotExchange {
 public:
  static constexpr int slots = 3;

  /// Writer: the slot to fill.
  int writing() const { return writing_; }
  /// Writer: offers the filled slot and gets another to fill.
  void offer() { writing_ = middle_.exchange(static_cast<std::uint8_t>(writing_ | fresh)) & index; }

  /// Reader: true if a newer slot is on offer.
  bool has_news() const { return (middle_.load() & fresh) != 0; }
  /// Reader: takes the newest slot, giving back the one it had. Call only after has_news().
  void take() { reading_ = middle_.exchange(static_cast<std::uint8_t>(reading_)) & index; }
  /// Reader: the slot taken last. Valid after the first take().
  int reading() const { return reading_; }

 private:
  static constexpr std::uint8_t fresh = 4;
  static constexpr std::uint8_t index = 3;
  std::atomic<std::uint8_t> middle_{1};
  int writing_ = 0;
  int reading_ = 2;
};

/// The latest value of T from one thread to another, without a lock.
template <typename T>
class Mailbox {
 public:
  /// Writer: replaces what the reader has not seen yet.
  void send(T value) {
    values_[static_cast<std::size_t>(slots_.writing())] = std::move(value);
    slots_.offer();
  }
  /// Reader: true and the newest value in `value` if there is one that was not received before.
  bool receive(T& value) {
    if (!slots_.has_news()) return false;
    slots_.take();
    value = std::move(values_[static_cast<std::size_t>(slots_.reading())]);
    return true;
  }

 private:
  std::array<T, SlotExchange::slots> values_;
  SlotExchange slots_;
};

}  // namespace orrery::sim
