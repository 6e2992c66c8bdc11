#pragma once

#include <array>
#include <cstddef>

namespace orrery::sim::cuda {

/// Arguments of a kernel launch. Values are copied in; `pointers` is what cuLaunchKernel takes.
class Arguments {
 public:
  static constexpr std::size_t most = 32;

  Arguments() = default;
  Arguments(const Arguments& other) { *this = other; }
  Arguments& operator=(const Arguments& other);
  ~Arguments() = default;

  template <typename T>
  Arguments& add(T value) {
    static_assert(sizeof(T) <= sizeof(Slot));
    auto& slot = slots_.at(count_);
    __builtin_memcpy(&slot, &value, sizeof value);
    pointers_.at(count_++) = &slot;
    return *this;
  }
  /// An argument kept by the caller until the launch: a struct of any size.
  Arguments& add_struct(const void* value) {
    pointers_.at(count_++) = const_cast<void*>(value);
    return *this;
  }
  void** pointers() { return pointers_.data(); }
  std::size_t size() const { return count_; }

 private:
  struct alignas(16) Slot {
    std::array<unsigned char, 64> bytes;
  };
  std::array<Slot, most> slots_{};
  std::array<void*, most> pointers_{};
  std::size_t count_ = 0;
};

/// Pointers to copied values are to the copies.
inline Arguments& Arguments::operator=(const Arguments& other) {
  slots_ = other.slots_;
  pointers_ = other.pointers_;
  count_ = other.count_;
  for (std::size_t k = 0; k < count_; ++k) {
    if (other.pointers_[k] == &other.slots_[k]) pointers_[k] = &slots_[k];
  }
  return *this;
}

}  // namespace orrery::sim::cuda
