#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "sim/core/message.h"
#include "sim/snapshots/hdf5_library.h"
#include "sim/snapshots/hdf5_snapshot.h"
#include "snapshot_formats.h"

// HDF5 files of Gadget and its relatives, of AMUSE, and of arrays with plain names. libhdf5 trusts what it
// reads, and damaged files crash it: read_snapshot_apart() survives that.

namespace orrery::sim {

namespace {

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

/// At the beginning, or after a block of the user's of 512, 1024, 2048, ... bytes.
bool recognizes_hdf5(const FileView& file) {
  const std::string_view bytes(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  constexpr std::string_view signature("\x89HDF\r\n\x1a\n");
  if (bytes.starts_with(signature)) return true;
  for (std::size_t at = 512; at < bytes.size() && at <= std::size_t{1} << 20; at *= 2)
    if (bytes.substr(at).starts_with(signature)) return true;
  return false;
}

[[noreturn]] void refuse_damaged(const FileView& file) {
  cannot_read(file.path, "it is no whole HDF5 file, cut off or damaged; copy it again");
}

[[noreturn]] void refuse_without_bodies(const FileView& file, const Hdf5File& opened) {
  const auto groups = opened.children("/");
  cannot_read(file.path,
              fmt::format("its HDF5 groups hold no bodies with coordinates, as PartType0/Coordinates, as "
                          "AMUSE has them or named like x, y and z; it has {}",
                          groups.empty() ? "nothing" : some_of(groups, 4)));
}

Scene scene_of(const Hdf5Library& library, const FileView& file, const ReadOptions& options) {
  const auto opened = library.open(file.bytes);
  if (opened == nullptr) refuse_damaged(file);
  const Hdf5Reader reader{library, file, *opened, options};
  if (is_gadget_hdf5(*opened)) {
    auto scene = read_gadget_hdf5(reader);
    if (!scene.bodies.empty() && !options.group.empty())
      cannot_read(file.path,
                  "its groups are kinds of bodies of one snapshot: only and without choose among them, "
                  "not --set group=...");
    if (!scene.bodies.empty()) return scene;
  }
  const auto sets = amuse_sets(*opened, options.group);
  if (!sets.all.empty()) return read_amuse_hdf5(reader, sets);
  const auto groups = groups_of_arrays(*opened);
  if (groups.empty()) refuse_without_bodies(file, *opened);
  return read_hdf5_arrays(reader, groups);
}

Scene read_hdf5(const FileView& file, const ReadOptions& options) {
  const auto& library = hdf5_library(fmt::format("cannot read {}", quoted(file.path)));
  const std::lock_guard lock(hdf5_lock());
  auto scene = scene_of(library, file, options);
  scene.snapshots = std::max<std::size_t>(scene.snapshots, 1);
  return scene;
}

/// Sets of AMUSE are snapshots; files of Gadget and its relatives hold one.
std::size_t count_hdf5(const FileView& file, const ReadOptions& options) {
  const auto& library = hdf5_library(fmt::format("cannot read {}", quoted(file.path)));
  const std::lock_guard lock(hdf5_lock());
  const auto opened = library.open(file.bytes);
  if (opened == nullptr || is_gadget_hdf5(*opened)) return 1;
  return amuse_sets(*opened, options.group).states.size();
}

}  // namespace

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

const SnapshotFormat hdf5_format{
    "hdf5",
    "HDF5 of Gadget, AREPO, GIZMO, EAGLE, SWIFT and AMUSE, or flat arrays; written as Gadget has it",
    "hdf5,h5",
    false,
    &recognizes_hdf5,
    &read_hdf5,
    &write_hdf5,
    &count_hdf5,
    {.units = true}};

}  // namespace orrery::sim
