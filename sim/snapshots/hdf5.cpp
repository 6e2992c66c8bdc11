#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "sim/core/message.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/hdf5_loading.h"
#include "sim/snapshots/hdf5_snapshot.h"
#include "sim/snapshots/hdf5_writer.h"
#include "snapshot_formats.h"

// HDF5 files of Gadget and its relatives, of AMUSE, and of arrays with plain names. They are read in a
// process of their own: libhdf5 trusts what it reads, and damaged files crash it.

namespace orrery::sim {

namespace {

/// At the beginning, or after a block of the user's of 512, 1024, 2048, ... bytes.
bool recognizes(const FileView& file) {
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

/// Losses of rounding are known in this process only.
std::string text_of(Hdf5Facts facts, const ReadOptions& options) {
  if (options.masses != nullptr) note_vanished(facts.scene, *options.masses);
  return facts.to_text();
}

std::string read_here(const FileView& file, const Hdf5Library& library, SharedBodies& bodies,
                      const std::function<void(float)>& progress, const ReadOptions& options) {
  const auto opened = library.open(file.bytes);
  if (opened == nullptr) refuse_damaged(file);
  const Hdf5Reader reader(library, file, *opened, bodies, progress, options);
  if (is_gadget_hdf5(*opened)) {
    const auto facts = read_gadget_hdf5(reader);
    if (facts.bodies > 0 && !options.group.empty())
      cannot_read(file.path,
                  "its groups are kinds of bodies of one snapshot: only and without choose among them, "
                  "not --set group=...");
    if (facts.bodies > 0) return facts.to_text();
  }
  const auto sets = amuse_sets(*opened, options.group);
  if (!sets.all.empty()) return text_of(read_amuse_hdf5(reader, sets), options);
  const auto groups = groups_of_arrays(*opened);
  if (groups.empty()) refuse_without_bodies(file, *opened);
  return text_of(read_hdf5_arrays(reader, groups), options);
}

IsolatedLimits limits_for(const FileView& file) {
  // Packed numbers take many times their place in the file, and libhdf5's own tables some room.
  constexpr std::size_t room = std::size_t{512} << 20, times = 24;
  constexpr std::size_t bytes_a_second = 10'000'000;
  return {.memory = room + times * file.bytes.size(),
          .seconds = 2 + static_cast<unsigned>(file.bytes.size() / bytes_a_second)};
}

void settle(Scene& scene, const Hdf5Facts& facts) {
  if (!scene.has_velocities) assume_no_velocities(scene);
  if (!facts.has_masses) {
    if (std::ranges::any_of(scene.bodies.mass, [](float m) { return m != 0.0F; }))
      scene.notes.emplace_back("some types of bodies have no masses: they count nothing");
    else
      assume_equal_masses(scene);
  }
  settle_ids(scene, facts.has_ids, true);
  if (!facts.left_out.empty())
    scene.notes.push_back(
        fmt::format("left out: {}", some_of({facts.left_out.begin(), facts.left_out.end()}, 12)));
}

std::string text_of_done(const FileView& file, const IsolatedResult& result) {
  switch (result.end) {
    case IsolatedResult::End::done:
      return result.text;
    case IsolatedResult::End::refused:
      throw Error(result.text);
    case IsolatedResult::End::no_memory:
      cannot_read(file.path, "its HDF5 datasets need more memory than there is for a file of this size");
    case IsolatedResult::End::too_long:
      cannot_read(file.path, "the HDF5 library comes to no end with it: it is damaged; copy it again");
    case IsolatedResult::End::crashed:
      break;
  }
  cannot_read(file.path, "the HDF5 library fails with it: it is damaged; copy it again");
}

/// Returns the result of `work`, which reads the file in a process of its own.
template <typename Work>
std::string in_isolation(const FileView& file, const Work& work, Progress* progress) {
  const std::lock_guard lock(hdf5_lock());
  return text_of_done(file, run_isolated(work, limits_for(file), progress));
}

Scene read(const FileView& file, const ReadOptions& options) {
  const auto& library = hdf5_library(fmt::format("cannot read {}", quoted(file.path)));
  SharedBodies bodies;
  const auto text = in_isolation(
      file, [&](const auto& progress) { return read_here(file, library, bodies, progress, options); },
      options.progress);
  auto facts = Hdf5Facts::from_text(text);
  Scene scene = std::move(facts.scene);
  bodies.take(facts.bodies, scene.bodies);
  if (facts.has_origin) scene.bodies.origin = options.origin;
  if (!facts.is_settled) settle(scene, facts);
  scene.snapshots = std::max<std::size_t>(scene.snapshots, 1);
  return scene;
}

/// Sets of AMUSE are snapshots; files of Gadget and its relatives hold one.
std::size_t count(const FileView& file, const ReadOptions& options) {
  const auto& library = hdf5_library(fmt::format("cannot read {}", quoted(file.path)));
  const auto text = in_isolation(
      file,
      [&](const auto&) {
        const auto opened = library.open(file.bytes);
        if (opened == nullptr || is_gadget_hdf5(*opened)) return std::string("1");
        return fmt::format("{}", amuse_sets(*opened, options.group).states.size());
      },
      nullptr);
  std::size_t snapshots = 1;
  std::from_chars(text.data(), text.data() + text.size(), snapshots);
  return snapshots;
}

}  // namespace

const SnapshotFormat hdf5_format{
    "hdf5",         "HDF5 of Gadget, AREPO, GIZMO, SWIFT and AMUSE (written as Gadget has it)",
    "hdf5,h5",      false,
    &recognizes,    &read,
    &write_hdf5,    &count,
    {.units = true}};

}  // namespace orrery::sim
