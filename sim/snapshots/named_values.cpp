#include "sim/snapshots/named_values.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace orrery::sim {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

/// The head of each value: its kind, and how many bytes name and value have.
struct Prefix {
  enum Kind : std::uint16_t { number = 1, text = 2 };
  std::uint16_t kind = 0;
  std::uint16_t name_size = 0;
  std::uint32_t value_size = 0;
};
static_assert(sizeof(Prefix) == 8);

std::size_t padding_of(std::size_t size) { return (8 - size % 8) % 8; }

std::string entry(std::uint16_t kind, std::string_view name, std::string_view value) {
  const Prefix prefix{kind, static_cast<std::uint16_t>(name.size()),
                      static_cast<std::uint32_t>(value.size())};
  std::string bytes(sizeof prefix, '\0');
  std::memcpy(bytes.data(), &prefix, sizeof prefix);
  bytes.append(name).append(value);
  return bytes.append(padding_of(bytes.size()), '\0');
}

std::string bytes_of(double number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

double number_in(std::string_view bytes) {
  double number = 0.0;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

}  // namespace

std::vector<std::string> NamedValues::names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : values_) names.push_back(name);
  return names;
}

std::string NamedValues::bytes() const {
  std::string bytes;
  for (const auto& [name, value] : values_) {
    if (const auto* const number = std::get_if<double>(&value))
      bytes += entry(Prefix::number, name, bytes_of(*number));
    else if (const auto* const text = std::get_if<std::string>(&value))
      bytes += entry(Prefix::text, name, *text);
  }
  return bytes;
}

std::optional<NamedValues> NamedValues::from_bytes(std::span<const std::byte> bytes) {
  NamedValues values;
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  while (!rest.empty()) {
    Prefix prefix;
    if (rest.size() < sizeof prefix) return std::nullopt;
    std::memcpy(&prefix, rest.data(), sizeof prefix);
    const std::size_t size = sizeof prefix + prefix.name_size + std::size_t{prefix.value_size};
    if (rest.size() < size + padding_of(size)) return std::nullopt;
    const auto name = rest.substr(sizeof prefix, prefix.name_size);
    const auto value = rest.substr(sizeof prefix + prefix.name_size, prefix.value_size);
    if (values.has(name)) return std::nullopt;
    if (prefix.kind == Prefix::number && value.size() == sizeof(double))
      values.set(name, number_in(value));
    else if (prefix.kind == Prefix::text)
      values.set(name, value);
    else
      values.values_.try_emplace(std::string(name));
    rest.remove_prefix(size + padding_of(size));
  }
  return values;
}

}  // namespace orrery::sim
