#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "sim/core/error.h"
#include "sim/ranks/communicator.h"

// What ranks of one program on machines of one kind send each other: bytes as they lie in memory.
namespace orrery::sim {

/// Appends the values, with their number before them.
template <typename T>
void pack(std::span<const T> values, Bytes& to) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::size_t count = values.size(), at = to.size();
  to.resize(at + sizeof(count) + values.size_bytes());
  std::memcpy(to.data() + at, &count, sizeof(count));
  if (count > 0) std::memcpy(to.data() + at + sizeof(count), values.data(), values.size_bytes());
}
template <typename T>
void pack(const std::vector<T>& values, Bytes& to) {
  pack(std::span<const T>(values), to);
}

/// Takes values out of a message, in the order in which they were packed. Throws Error where it ends before.
class Unpacking {
 public:
  explicit Unpacking(std::span<const std::byte> bytes) : left_(bytes) {}
  bool done() const { return left_.empty(); }

  template <typename T>
  void take(std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::size_t count = 0;
    copy(&count, sizeof(count));
    if (count > left_.size() / sizeof(T)) throw Error(cut_short);
    values.resize(count);
    copy(values.data(), count * sizeof(T));
  }
  template <typename T>
  std::vector<T> take() {
    std::vector<T> values;
    take(values);
    return values;
  }

 private:
  static constexpr const char* cut_short = "a message of another process ends too early; start all again";

  void copy(void* to, std::size_t size) {
    if (size > left_.size()) throw Error(cut_short);
    if (size > 0) std::memcpy(to, left_.data(), size);
    left_ = left_.subspan(size);
  }

  std::span<const std::byte> left_;
};

}  // namespace orrery::sim
