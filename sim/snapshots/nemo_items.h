#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/mapped_file.h"

namespace orrery::sim {

/// One item of a NEMO structured file (filesecret.c): a number, an array, or the begin or end of a set.
struct NemoItem {
  char type = '\0';  ///< 'c', 'b', 's', 'i', 'l', 'f', 'd'; '(' and ')' begin and end a set
  std::string tag;   ///< empty at the end of a set
  std::vector<std::uint32_t> dimensions;  ///< dimensions of an array; empty: a single number
  std::span<const std::byte> bytes;       ///< its numbers, in the file's byte order

  /// The number of values.
  std::uint64_t count() const;
};

/// Walks through the items of a file.
class NemoItems {
 public:
  /// `file` is borrowed. Throws Error if it does not begin with an item.
  explicit NemoItems(const FileView& file);

  bool big_endian() const { return big_endian_; }
  /// The next item, or nothing at the end of the file. Throws Error with one line for what is no item.
  std::optional<NemoItem> next();

 private:
  std::uint16_t magic();
  std::string text();
  std::span<const std::byte> take(std::uint64_t bytes);
  [[noreturn]] void refuse() const;

  const FileView& file_;
  std::size_t at_ = 0;
  bool big_endian_ = false;
};

/// True if the bytes begin with an item.
bool looks_like_nemo(std::span<const std::byte> bytes);

}  // namespace orrery::sim
