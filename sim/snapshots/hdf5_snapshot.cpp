#include "sim/snapshots/hdf5_snapshot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "sim/core/message.h"

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

}  // namespace orrery::sim
