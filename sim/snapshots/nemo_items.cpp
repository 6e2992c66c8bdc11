#include "sim/snapshots/nemo_items.h"

#include <fmt/format.h>

#include "sim/core/byte_order.h"
#include "sim/core/message.h"

namespace orrery::sim {

namespace {

constexpr std::uint16_t single_magic = 0x0992, plural_magic = 0x0b92;
constexpr std::string_view types = "cbsilfd()";
constexpr std::size_t longest_text = 64;
constexpr std::size_t most_dimensions = 8;

bool is_magic(std::uint16_t value) { return value == single_magic || value == plural_magic; }

/// Bytes of a number; 0 for the borders of sets.
std::size_t size_of(char type) {
  switch (type) {
    case 'c':
    case 'b':
      return 1;
    case 's':
      return 2;
    case 'l':
    case 'd':
      return 8;
    case 'i':
    case 'f':
      return 4;
    default:
      return 0;
  }
}

}  // namespace

bool looks_like_nemo(std::span<const std::byte> bytes) {
  if (bytes.size() < 4) return false;
  const bool known_type = types.find(static_cast<char>(bytes[2])) != std::string_view::npos;
  return known_type && bytes[3] == std::byte{0} &&
         (is_magic(load<std::uint16_t>(bytes.data(), false)) ||
          is_magic(load<std::uint16_t>(bytes.data(), true)));
}

std::uint64_t NemoItem::count() const {
  const auto size = size_of(type);
  return size == 0 ? 0 : bytes.size() / size;
}

NemoItems::NemoItems(const FileView& file) : file_(file) {
  if (!looks_like_nemo(file.bytes))
    cannot_read(file.path, "it is no NEMO file; leave the format to be recognized");
  big_endian_ = !is_magic(load<std::uint16_t>(file.bytes.data(), false));
}

std::optional<NemoItem> NemoItems::next() {
  if (at_ == file_.bytes.size()) return std::nullopt;
  const auto kind = magic();
  const auto type = text();
  if (type.size() != 1 || types.find(type[0]) == std::string_view::npos) refuse();
  NemoItem item{.type = type[0]};
  if (item.type == ')') return item;
  item.tag = text();
  if (item.type == '(') return item;
  std::uint64_t bytes = size_of(item.type);
  if (kind == plural_magic) {
    while (const auto length = load<std::uint32_t>(take(4).data(), big_endian_)) {
      if (item.dimensions.size() == most_dimensions) refuse();
      item.dimensions.push_back(length);
      // Each factor at least one number, so that this stays far below overflow.
      bytes *= length;
      if (bytes > file_.bytes.size()) refuse();
    }
  }
  item.bytes = take(bytes);
  return item;
}

std::uint16_t NemoItems::magic() {
  const auto value = load<std::uint16_t>(take(2).data(), big_endian_);
  if (!is_magic(value)) refuse();
  return value;
}

std::string NemoItems::text() {
  std::string value;
  while (true) {
    const auto letter = static_cast<char>(take(1)[0]);
    if (letter == '\0') return value;
    if (value.size() == longest_text) refuse();
    value += letter;
  }
}

std::span<const std::byte> NemoItems::take(std::uint64_t bytes) {
  if (bytes > file_.bytes.size() - at_) refuse();
  const auto taken = file_.bytes.subspan(at_, static_cast<std::size_t>(bytes));
  at_ += taken.size();
  return taken;
}

void NemoItems::refuse() const {
  cannot_read(file_.path,
              fmt::format("its NEMO items are cut off or damaged near byte {}; copy it again", at_));
}

}  // namespace orrery::sim
