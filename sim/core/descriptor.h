#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace orrery::sim {

/// The descriptor of an open file, closed when this goes.
class Descriptor {
 public:
  /// Negative: no file is open.
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  /// False: errno says what the device said last.
  bool close();

 private:
  int number_;
};

/// Writes all of it. False: errno says why not.
bool write_all(int descriptor, std::span<const std::byte> bytes);
bool write_all(int descriptor, std::string_view text);

}  // namespace orrery::sim
