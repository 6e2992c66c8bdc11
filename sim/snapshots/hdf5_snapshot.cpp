#include "sim/snapshots/hdf5_snapshot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <bit>
#include <limits>
#include <sstream>

#include "sim/core/message.h"

namespace orrery::sim {

namespace {

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

/// The numbers of a dataset in bytes; the largest number if they are too many to count.
std::uint64_t bytes_of(const Hdf5Shape& shape) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t bytes = shape.width;
  for (const auto side : shape.extent) {
    if (side != 0 && bytes > most / side) return most;
    bytes *= side;
  }
  return bytes;
}

}  // namespace

std::string Hdf5Facts::to_text() const {
  const auto& units = scene.units;
  const std::array numbers{
      scene.time,  units.length, units.time, units.mass, scene.physics.gravitational_constant,
      scene.box.x, scene.box.y,  scene.box.z};
  auto text = fmt::format("{} {}", bodies, scene.snapshots);
  for (const double number : numbers) text += fmt::format(" {}", bits(number));
  text += fmt::format(" {} {} {} {} {} {}\n{}\n", int{scene.states_gravity}, int{scene.has_velocities},
                      int{has_masses}, int{has_ids}, int{has_origin}, int{is_settled}, scene.source);
  for (const auto& note : scene.notes) text += fmt::format("n{}\n", note);
  for (const auto& name : left_out) text += fmt::format("l{}\n", name);
  return text;
}

Hdf5Facts Hdf5Facts::from_text(const std::string& text) {
  Hdf5Facts facts;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  std::istringstream first(line);
  auto& scene = facts.scene;
  first >> facts.bodies >> scene.snapshots;
  for (double* const number :
       {&scene.time, &scene.units.length, &scene.units.time, &scene.units.mass,
        &scene.physics.gravitational_constant, &scene.box.x, &scene.box.y, &scene.box.z}) {
    std::uint64_t stored = 0;
    first >> stored;
    *number = std::bit_cast<double>(stored);
  }
  first >> scene.states_gravity >> scene.has_velocities >> facts.has_masses >> facts.has_ids >>
      facts.has_origin >> facts.is_settled;
  std::getline(lines, facts.scene.source);
  while (std::getline(lines, line)) {
    if (line.starts_with('n')) facts.scene.notes.push_back(line.substr(1));
    if (line.starts_with('l')) facts.left_out.insert(line.substr(1));
  }
  return facts;
}

void refuse_dataset(const FileView& view, const std::string& path, std::string_view why) {
  cannot_read(view.path, fmt::format("its dataset {} {}; copy it again or choose another file",
                                     printable(path, 60), why));
}

std::string some_of(std::vector<std::string> names, std::size_t most) {
  const auto more = names.size() > most ? names.size() - most : 0;
  names.resize(names.size() - more);
  for (auto& name : names) name = printable(name, 32);
  return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

bool is_named(std::string_view path, std::string_view named) {
  while (named.starts_with('/')) named.remove_prefix(1);
  while (named.ends_with('/')) named.remove_suffix(1);
  if (named.empty()) return true;
  return fmt::format("{}/", path).find(fmt::format("/{}/", named)) != std::string::npos;
}

void refuse_group(const FileView& view, std::string_view named, std::vector<std::string> groups) {
  cannot_read(view.path,
              fmt::format("it has no bodies in a group '{}'; choose one of {} with --set group=NAME",
                          printable(named, 40), some_of(std::move(groups), 6)));
}

void require_plausible(const FileView& view, const std::string& path, const Hdf5Shape& shape) {
  if (shape.elsewhere)
    refuse_dataset(view, path, "is kept in other files, of which this one is an index: name one of those");
  // What deflate packs best is 1032 times as long; other filters can leave out constant numbers altogether.
  constexpr std::uint64_t most_packed = 1100;
  const auto bytes = bytes_of(shape);
  const bool fits =
      shape.stored <= view.bytes.size() && bytes / (shape.packed ? most_packed : 1) <= shape.stored;
  if (!fits)
    refuse_dataset(view, path,
                   fmt::format("should have {} rows, for which the {} bytes in the file are too few",
                               shape.extent.empty() ? 0 : shape.extent[0], shape.stored));
}

}  // namespace orrery::sim
