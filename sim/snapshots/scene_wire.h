#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sim/core/descriptor.h"
#include "sim/core/large_array.h"
#include "sim/scene/scene.h"
#include "sim/scene/unit_systems.h"
#include "sim/snapshots/column_question.h"
#include "sim/snapshots/format.h"
#include "sim/snapshots/named_values.h"

// Scenes and reading options between the program and its reader (reader_process.h): two processes of one
// build on one machine, so numbers travel as their bytes. The order of the members is written once, for both
// directions.
namespace orrery::sim {

/// Values that travel as their bytes. A bool does not: its byte could hold anything.
template <typename T>
concept Plain =
    (std::is_arithmetic_v<T> && !std::same_as<T, bool>) || std::is_enum_v<T> || std::same_as<T, Vec3> ||
    std::same_as<T, DVec3> || std::same_as<T, PhysicalUnits> || std::same_as<T, ComponentSet>;

/// Sends values into a pipe or file. Vectors are emptied, so that no scene is in memory twice.
class WireSender {
 public:
  explicit WireSender(int file) : file_(file) {}
  template <typename... T>
  void operator()(T&... values) const {
    (send(values), ...);
  }

 private:
  int file_;

  /// A receiver that is gone needs no answer: its end of the pipe ends this process with SIGPIPE.
  void send_bytes(const void* from, std::size_t size) const {
    if (!write_all(file_, {static_cast<const std::byte*>(from), size}))
      throw Error("the answer cannot be sent");
  }
  template <Plain T>
  void send(const T& value) const {
    send_bytes(&value, sizeof(T));
  }
  void send(bool value) const { send(static_cast<std::uint8_t>(value)); }
  void send(std::string_view text) const {
    send(text.size());
    send_bytes(text.data(), text.size());
  }
  template <typename T>
  void send(std::optional<T>& value) const {
    send(value.has_value());
    if (value) send(*value);
  }
  template <typename T, std::size_t size>
  void send(std::array<T, size>& values) const {
    for (auto& value : values) send(value);
  }
  template <typename T>
  void send(std::vector<T>& values) const {
    send(values.size());
    if constexpr (Plain<T>)
      send_bytes(values.data(), values.size() * sizeof(T));
    else
      for (auto& value : values) send(value);
    std::vector<T>().swap(values);
  }
  void send(ColumnQuestion::Proposal& each) const { (*this)(each.columns, each.gives); }
  /// Force laws, integrators and the like travel as their names.
  template <typename T>
  void send(const T* registered) const {
    send(registered->name);
  }
};

/// Thrown if the bytes received cannot come from a WireSender.
class Nonsense : public Error {
 public:
  Nonsense() : Error("the message makes no sense") {}
};

/// Receives what a WireSender sent, and trusts nothing of it: sizes are bounded, names must be known. Throws
/// Nonsense, and std::bad_alloc where the values do not fit.
class WireReceiver {
 public:
  /// Fills that many bytes from there or throws.
  using Take = std::function<void(void* to, std::size_t size)>;
  /// `room`: bytes that all vectors and texts together may take.
  WireReceiver(Take take, std::size_t room) : take_(std::move(take)), room_(room) {}
  template <typename... T>
  void operator()(T&... values) {
    (receive(values), ...);
  }

 private:
  Take take_;
  std::size_t room_;

  std::size_t count(std::size_t bytes_each) {
    std::size_t count = 0;
    receive(count);
    constexpr std::size_t conceivable = std::size_t{1} << 48;
    if (count > conceivable / bytes_each) throw Nonsense();
    if (count > room_ / bytes_each) throw std::bad_alloc();
    room_ -= count * bytes_each;
    return count;
  }
  template <Plain T>
  void receive(T& value) {
    take_(&value, sizeof(T));
  }
  void receive(bool& value) {
    std::uint8_t byte = 0;
    receive(byte);
    value = byte != 0;
  }
  void receive(std::string& text) {
    text.resize(count(1));
    take_(text.data(), text.size());
  }
  template <typename T>
  void receive(std::optional<T>& value) {
    bool is_there = false;
    receive(is_there);
    if (is_there)
      receive(value.emplace());
    else
      value.reset();
  }
  template <typename T, std::size_t size>
  void receive(std::array<T, size>& values) {
    for (auto& value : values) receive(value);
  }
  template <typename T>
  void receive(std::vector<T>& values) {
    const auto size = count(sizeof(T));
    if constexpr (Plain<T>) {
      // Pieces stay in the cache between being made and being filled.
      constexpr std::size_t piece = (std::size_t{256} << 10) / sizeof(T);
      reserve_large(values, size);
      while (values.size() < size) {
        const auto first = values.size(), more = std::min(piece, size - first);
        values.resize(first + more);
        take_(values.data() + first, more * sizeof(T));
      }
    } else {
      for (std::size_t k = 0; k < size; ++k) receive(values.emplace_back());
    }
  }
  void receive(ColumnQuestion::Proposal& each) { (*this)(each.columns, each.gives); }
  /// The name of a unit system: it must live as long as the program.
  void receive(std::string_view& name) {
    std::string text;
    receive(text);
    const auto* const system = find_unit_system(text);
    if (system == nullptr && !text.empty()) throw Nonsense();
    name = system == nullptr ? std::string_view() : system->name;
  }
  template <typename T>
  void receive(const T*& registered) {
    std::string name;
    receive(name);
    registered = find_named(name, registered);
    if (registered == nullptr) throw Nonsense();
  }
};

/// All of a scene. A member that is added to these types and not here does not compile.
template <typename Wire>
void pass(Wire& wire, Scene& scene) {
  auto& [bodies, time, physics, units, scale, speed, period, title, source, wants_double, has_velocities,
         names, radii, states_physics, states_gravity, names_units, proposed_units, virial_ratio,
         physics_suggested, snapshots, box, box_middle, notes, suggested_notes, motion_note] = scene;
  auto& [position, velocity, mass, charge, id, component, galaxy, color, origin] = bodies;
  wire(position, velocity, mass, charge, id, component, galaxy, color, origin, time, units, scale, speed,
       period, title, source, wants_double, has_velocities, names, radii, states_physics, states_gravity,
       names_units, proposed_units, virial_ratio, physics_suggested, snapshots, box, box_middle, notes,
       suggested_notes, motion_note);
  for_each_value(physics, [&](std::string_view, auto& value) { wire(value); });
}

/// All of a question, in either direction.
template <typename Wire>
void pass(Wire& wire, ColumnQuestion& question) {
  wire(question.rows, question.proposals);
}

/// All of the options but what points into the memory of their process.
template <typename Wire>
void pass(Wire& wire, ReadOptions& options) {
  auto& [columns, format, progress, components, filter, suggest, snapshot, units, origin, scale, recentre,
         box_middle, skip, group, masses] = options;
  auto& [inside, radius, nearest, centre, every_nth] = filter;
  wire(columns, format, components, inside, radius, nearest, centre, every_nth, suggest, snapshot, units,
       origin, scale, recentre, box_middle, skip, group);
}

}  // namespace orrery::sim
