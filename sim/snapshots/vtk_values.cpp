#include "sim/snapshots/vtk_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "sim/core/message.h"
#include "sim/snapshots/text_table.h"

namespace orrery::sim {

namespace {

struct Name {
  std::string_view name;
  VtkType type;
};
constexpr std::array xml_names{
    Name{"Int8", VtkType::i8},     Name{"UInt8", VtkType::u8},    Name{"Int16", VtkType::i16},
    Name{"UInt16", VtkType::u16},  Name{"Int32", VtkType::i32},   Name{"UInt32", VtkType::u32},
    Name{"Int64", VtkType::i64},   Name{"UInt64", VtkType::u64},  Name{"Float32", VtkType::f32},
    Name{"Float64", VtkType::f64}, Name{"String", VtkType::text},
};

template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

template <typename T>
std::optional<std::uint64_t> whole_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    constexpr double end = 18446744073709551616.0;  // 2^64
    const auto number = static_cast<double>(value);
    if (!(number >= 0.0 && number < end) || number != std::floor(number)) return std::nullopt;
  } else if constexpr (std::is_signed_v<T>) {
    if (value < 0) return std::nullopt;
  }
  return static_cast<std::uint64_t>(value);
}

/// Calls visit with element i as what it is.
template <typename Visit>
auto visit_element(VtkType type, const std::byte* bytes, std::size_t i, const Visit& visit) {
  const auto* const at = bytes + i * size_of(type);
  switch (type) {
    case VtkType::i8:
      return visit(load<std::int8_t>(at));
    case VtkType::u8:
    case VtkType::text:
      return visit(load<std::uint8_t>(at));
    case VtkType::i16:
      return visit(load<std::int16_t>(at));
    case VtkType::u16:
      return visit(load<std::uint16_t>(at));
    case VtkType::i32:
      return visit(load<std::int32_t>(at));
    case VtkType::u32:
      return visit(load<std::uint32_t>(at));
    case VtkType::i64:
      return visit(load<std::int64_t>(at));
    case VtkType::u64:
      return visit(load<std::uint64_t>(at));
    case VtkType::f64:
      return visit(load<double>(at));
    case VtkType::f32:
      break;
  }
  return visit(load<float>(at));
}

/// The same for the type itself.
template <typename Visit>
bool visit_type(VtkType type, const Visit& visit) {
  constexpr std::array<std::byte, 8> zeros{};
  return visit_element(type, zeros.data(), 0, visit);
}

template <std::size_t size>
void reverse_each(std::span<std::byte> bytes) {
  for (std::size_t i = 0; i + size <= bytes.size(); i += size)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                 bytes.begin() + static_cast<std::ptrdiff_t>(i + size));
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Whole numbers digit by digit, so that ids beyond 2^53 stay what they are.
template <typename T>
bool parse_into(std::string_view field, std::byte* to) {
  T value{};
  if constexpr (std::is_floating_point_v<T>) {
    const auto number = parse_number(field);
    if (!number) return false;
    value = static_cast<T>(*number);
  } else {
    if (field.starts_with('+')) field.remove_prefix(1);
    // A wider type, since from_chars takes a char for a letter.
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    Wide wide{};
    const auto result = std::from_chars(field.data(), field.data() + field.size(), wide);
    if (result.ec != std::errc() || result.ptr != field.data() + field.size() || !std::in_range<T>(wide))
      return false;
    value = static_cast<T>(wide);
  }
  std::memcpy(to, &value, sizeof(T));
  return true;
}

}  // namespace

std::size_t size_of(VtkType type) {
  switch (type) {
    case VtkType::i8:
    case VtkType::u8:
    case VtkType::text:
      return 1;
    case VtkType::i16:
    case VtkType::u16:
      return 2;
    case VtkType::i32:
    case VtkType::u32:
    case VtkType::f32:
      return 4;
    default:
      return 8;
  }
}

std::optional<VtkType> vtk_type_of_xml(std::string_view name) {
  const auto* const found = std::ranges::find(xml_names, name, &Name::name);
  return found == xml_names.end() ? std::nullopt : std::optional(found->type);
}

double VtkArray::number(std::size_t i) const {
  return visit_element(type, bytes.data(), i, [](auto value) { return static_cast<double>(value); });
}

std::optional<std::uint64_t> VtkArray::whole(std::size_t i) const {
  return visit_element(type, bytes.data(), i, [](auto value) { return whole_of(value); });
}

std::string VtkArray::text() const {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::string(all.substr(0, all.find('\0')));
}

void to_native(std::span<std::byte> bytes, std::size_t size, bool big_endian) {
  if (big_endian == (std::endian::native == std::endian::big)) return;
  if (size == 2) reverse_each<2>(bytes);
  if (size == 4) reverse_each<4>(bytes);
  if (size == 8) reverse_each<8>(bytes);
}

std::size_t read_ascii(const FileView& file, std::string_view text, std::size_t count, VtkArray& array) {
  const auto refuse = [&](std::string_view what) {
    cannot_read(file.path, fmt::format("its array '{}' {}; copy it again", printable(array.name), what));
  };
  // Before anything is allocated: a number and the blank behind it are two characters.
  if (count > (text.size() + 1) / 2) refuse("has fewer numbers than it should");
  const auto size = size_of(array.type);
  array.bytes.resize(count * size);
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    while (at < text.size() && is_blank(text[at])) ++at;
    if (at == text.size()) refuse("has fewer numbers than it should");
    const auto begin = at;
    while (at < text.size() && !is_blank(text[at])) ++at;
    const auto field = text.substr(begin, at - begin);
    auto* const to = array.bytes.data() + i * size;
    const bool good =
        visit_type(array.type, [&](auto value) { return parse_into<decltype(value)>(field, to); });
    if (!good) refuse(fmt::format("holds '{}', which is no such number", printable(field)));
  }
  return at;
}

}  // namespace orrery::sim
