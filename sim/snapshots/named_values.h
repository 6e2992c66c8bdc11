#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/core/mapped_file.h"
#include "sim/scene/scene.h"

namespace orrery::sim {

/// Numbers and texts with their names, as a block of bytes that says itself what it holds: a reader takes
/// what it knows and skips the rest, so that files can hold more one day. docs/formats.md has the bytes.
class NamedValues {
 public:
  void set(std::string_view name, double number) { values_.insert_or_assign(std::string(name), number); }
  void set(std::string_view name, std::string_view text) {
    values_.insert_or_assign(std::string(name), std::string(text));
  }
  bool has(std::string_view name) const { return values_.find(name) != values_.end(); }
  /// The value of that name; empty if there is none, or one of another kind.
  std::optional<double> number(std::string_view name) const { return value<double>(name); }
  std::optional<std::string> text(std::string_view name) const { return value<std::string>(name); }
  std::vector<std::string> names() const;

  /// Little-endian, a multiple of 8 bytes.
  std::string bytes() const;
  /// The inverse; empty if the bytes are no such block, or a name stands there twice. Values of kinds that
  /// are not known keep their name.
  static std::optional<NamedValues> from_bytes(std::span<const std::byte> bytes);

 private:
  template <typename T>
  std::optional<T> value(std::string_view name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) return std::nullopt;
    const auto* const value = std::get_if<T>(&found->second);
    return value != nullptr ? std::optional<T>(*value) : std::nullopt;
  }

  std::map<std::string, std::variant<std::monostate, double, std::string>, std::less<>> values_;
};

/// The registered things of each kind by their names; null: there is none of that name.
inline const ForceLaw* find_named(std::string_view name, const ForceLaw* /*kind*/) {
  return find_force_law(name);
}
inline const Integrator* find_named(std::string_view name, const Integrator* /*kind*/) {
  return find_integrator(name);
}
inline const ExternalField* find_named(std::string_view name, const ExternalField* /*kind*/) {
  return find_external_field(name);
}
inline const StepRule* find_named(std::string_view name, const StepRule* /*kind*/) {
  return find_step_rule(name);
}

/// The values of a scene in files of ours besides its bodies: time, speed, units, origin, title and physics.
NamedValues values_of(const Scene& scene);
/// Takes these from values; what they do not state stays what it is. Throws Error with one line for a known
/// name whose value is of another kind.
void take_values(const FileView& file, const NamedValues& values, Scene& scene);
/// Throws Error with one line where numbers that were taken so make no sense.
void require_sense(const FileView& file, const Scene& scene);

}  // namespace orrery::sim
