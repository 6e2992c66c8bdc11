#include "sim/snapshots/named_values.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "sim/core/byte_order.h"
#include "sim/core/message.h"

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

constexpr std::size_t longest_title = 4096;

/// The value of that name; empty if the file does not state it. A known name with a value of another kind
/// would otherwise be taken for the default.
template <typename T>
std::optional<T> stated(const FileView& file, const NamedValues& values, std::string_view name,
                        const std::optional<T>& value) {
  if (!value && values.has(name))
    cannot_read(
        file.path,
        fmt::format("the value '{}' is of a kind that this version does not read; update the program", name));
  return value;
}

/// Sets members of a Scene to the values of their names.
struct ValueReader {
  const FileView& file;
  const NamedValues& values;

  void operator()(const char* name, double& number) const {
    number = stated(file, values, name, values.number(name)).value_or(number);
  }
  void operator()(const char* name, int& number) const {
    const double found = stated(file, values, name, values.number(name)).value_or(number);
    number = std::abs(found) < 1e9 && found == std::floor(found) ? static_cast<int>(found) : 0;
  }
  template <typename T>
  void operator()(const char* name, const T*& registered) const {
    if (const auto found = stated(file, values, name, values.text(name)))
      registered = find_named(*found, registered);
  }
};

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
      bytes += entry(Prefix::number, name, {reinterpret_cast<const char*>(number), sizeof *number});
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
      values.set(name, load<double>(reinterpret_cast<const std::byte*>(value.data()), false));
    else if (prefix.kind == Prefix::text)
      values.set(name, value);
    else
      values.values_.try_emplace(std::string(name));
    rest.remove_prefix(size + padding_of(size));
  }
  return values;
}

NamedValues values_of(const Scene& scene) {
  NamedValues values;
  values.set("time", scene.time);
  values.set("speed", scene.speed);
  for_each_unit(scene.units, [&](const char* name, double unit) {
    if (unit > 0.0) values.set(name, unit);
  });
  if (const auto& origin = scene.bodies.origin; origin != DVec3{}) {
    values.set("origin-x", origin.x);
    values.set("origin-y", origin.y);
    values.set("origin-z", origin.z);
  }
  values.set("title", scene.title.substr(0, longest_title));
  for_each_value(scene.physics, [&](const char* name, const auto& value) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
      values.set(name, static_cast<double>(value));
    else
      values.set(name, value->name);
  });
  return values;
}

void take_values(const FileView& file, const NamedValues& values, Scene& scene) {
  const ValueReader read{file, values};
  read("time", scene.time);
  read("speed", scene.speed);
  for_each_unit(scene.units, read);
  read("origin-x", scene.bodies.origin.x);
  read("origin-y", scene.bodies.origin.y);
  read("origin-z", scene.bodies.origin.z);
  scene.title = stated(file, values, "title", values.text("title")).value_or(std::string());
  for_each_value(scene.physics, read);
}

void require_sense(const FileView& file, const Scene& scene) {
  std::string problem = problem_of(scene.physics);
  if (!std::isfinite(scene.time) || !std::isfinite(scene.speed))
    problem = "time or speed is not a finite number";
  for (const double unit : {scene.units.length, scene.units.time, scene.units.mass})
    if (!std::isfinite(unit) || unit < 0.0) problem = "unit of length, time or mass makes no sense";
  if (!is_finite(scene.bodies.origin)) problem = "origin of places is not finite";
  if (!problem.empty())
    cannot_read(file.path, fmt::format("its {}; write it again, or update the program", problem));
}

}  // namespace orrery::sim
