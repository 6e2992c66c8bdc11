#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>

#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/bodies/origin.h"
#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/core/mapped_file.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"
#include "sim/scene/periodic_box.h"
#include "sim/scene/suggest.h"
#include "sim/scene/unit_systems.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/foreign.h"
#include "sim/snapshots/text_table.h"
#include "sim/snapshots/unpack.h"
#include "snapshot_formats.h"

namespace orrery::sim {

namespace {

using registry::formats;

/// `names`: those to choose from.
const SnapshotFormat& known_format(std::string_view name, const std::vector<std::string>& names) {
  const auto* const format = find_snapshot_format(name);
  if (format != nullptr) return *format;
  throw UsageError(fmt::format("unknown format '{}' (choose one of {}){}", printable(name),
                               fmt::join(names, ", "), did_you_mean(name, names)));
}

[[noreturn]] void refuse_unrecognized(const FileView& file) {
  if (const auto foreign = foreign_format(file.bytes)) {
    cannot_read(file.path, fmt::format("it is {}, which is not read; {}", foreign->name, foreign->advice));
  }
  cannot_read(file.path, fmt::format("its content is of no known format ({}); convert it or copy it again",
                                     fmt::join(format_names(), ", ")));
}

/// The format to read `file` with: the one asked for, else by content.
const SnapshotFormat& format_of(const FileView& file, const ReadOptions& options) {
  if (!options.format.empty()) return known_format(options.format, format_names());
  // Named columns and lines to leave out mean a general table.
  if ((!options.columns.empty() || options.skip > 0) && csv_format.recognizes(file)) return csv_format;
  const auto found = std::ranges::find_if(formats, [&](const auto* f) { return f->recognizes(file); });
  if (found == formats.end()) refuse_unrecognized(file);
  return **found;
}

void leave_out_others(Scene& scene, const ComponentSet& wanted, const std::filesystem::path& path) {
  const auto there = component_names(scene.bodies);
  keep_components(scene, wanted);
  if (scene.bodies.empty())
    cannot_read(path, fmt::format("none of its bodies is of a component asked for; it has {}", there));
}

/// Counts the snapshots in the content; for a truncated file those that can be counted.
std::size_t count_content(const SnapshotFormat& format, const FileView& file,
                          const ReadOptions& options) try {
  return format.count != nullptr ? std::max<std::size_t>(format.count(file, options), 1) : 1;
} catch (const Error&) {
  return 1;
}

/// The compression of the content; empty if it is not compressed, or if it was asked for as a format that it
/// is without unpacking.
std::string_view packing_for(const FileView& file, const ReadOptions& options) {
  const auto* const asked = options.format.empty() ? nullptr : find_snapshot_format(options.format);
  return asked != nullptr && asked->recognizes(file) ? std::string_view() : packing_of(file.bytes);
}

/// The content that may be packed.
std::size_t count_in(const FileView& file, const ReadOptions& options) {
  if (packing_for(file, options).empty()) return count_content(format_of(file, options), file, options);
  const auto bytes = unpack(file, nullptr);
  return packing_of(bytes).empty() ? count_in({file.path, bytes}, options) : 1;
}

/// The content of `file`, unpacked if it is packed.
Scene read_content(const FileView& file, const ReadOptions& options) {
  const auto packing = packing_for(file, options);
  if (packing.empty()) {
    const auto& format = format_of(file, options);
    auto scene = format.read(file, options);
    scene.states_physics = scene.states_physics || format.carries_parameters;
    if (scene.snapshots == 0) scene.snapshots = count_content(format, file, options);
    if (scene.snapshots > 1)
      scene.notes.push_back(fmt::format("the file holds several snapshots: this is number {} of {}",
                                        options.snapshot + 1, scene.snapshots));
    return scene;
  }
  const auto bytes = unpack(file, options.progress);
  if (bytes.empty()) cannot_read(file.path, "nothing is packed in it; copy it again");
  if (!packing_of(bytes).empty()) cannot_read(file.path, "it is packed twice; unpack it once");
  auto scene = read_content({file.path, bytes}, options);
  scene.source += fmt::format(", packed with {}", packing);
  return scene;
}

void forget_pages(std::span<const std::byte> mapped) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): madvise takes a void*
  ::madvise(const_cast<std::byte*>(mapped.data()), mapped.size(), MADV_DONTNEED);
}

/// Where a periodic box has its edges.
void settle_box(Scene& scene, const ReadOptions& options, const std::filesystem::path& path) {
  if (scene.box != DVec3{} && !is_about_box(scene.bodies, scene.box)) scene.box = {};
  if (options.recentre && scene.box == DVec3{})
    cannot_read(path, "recentre is for files with a periodic box that holds all bodies; leave it out");
  if (options.recentre) return recentre_in_box(scene, options.box_middle);
  if (scene.box == DVec3{} || !cuts_densest_place(scene.bodies, scene.box)) return;
  scene.notes.emplace_back(
      "an edge of the periodic box cuts the densest place: `--set recentre=on` puts it in the middle, whole");
}

/// The requested part of the file.
Scene read_part(const FileView& file, const ReadOptions& options) {
  Scene scene = read_content(file, options);
  // Hardly ever read again: its pages make room for what the checks need.
  forget_pages(file.bytes);
  if (scene.title.empty()) scene.title = readable(unpacked_name(file.path).filename().string(), 80);
  check_bodies(scene, file.path, options.progress);
  settle_box(scene, options, file.path);
  leave_out_others(scene, options.components, file.path);
  apply_filter(scene, options.filter);
  return scene;
}

/// True if masses leave room to be summed and squared.
bool is_comfortable(const Scene& scene) {
  constexpr float most = 1e30F;
  return std::ranges::all_of(scene.bodies.mass, [](float m) { return m < most; });
}

/// True if no mass is as large as a number of single precision with all its digits, or some became 0 beside
/// others that are hardly larger.
bool are_too_small(const RoundedMasses& masses) {
  constexpr double hardly_larger = 1e-20;
  const bool some_are = masses.largest > 0.0 && masses.largest < std::numeric_limits<float>::min();
  return some_are || (masses.vanished > 0 && masses.largest < hardly_larger);
}

/// With the first of the scales with which its numbers fit in single precision and `suits` the scene.
template <typename Suits>
std::optional<Scene> read_scaled(const FileView& file, ReadOptions& options,
                                 std::initializer_list<double> scales, const Suits& suits) {
  for (const double scale : scales) {
    options.scale = scale;
    *options.masses = {};
    try {
      auto scene = read_part(file, options);
      if (suits(scene)) return scene;
    } catch (const TooLarge&) {
      if (scale > 1.0) break;  // larger ones fit even less
    }
  }
  return std::nullopt;
}

/// With the first scale by which masses that are too small become numbers; else as it is.
Scene read_enlarged(const FileView& file, ReadOptions& options, Scene scene) {
  const auto as_it_is = *options.masses;
  const auto are_numbers = [&](const Scene&) {
    return options.masses->vanished == 0 && !are_too_small(*options.masses);
  };
  if (auto larger = read_scaled(file, options, {1e3, 1e6, 1e9, 1e12}, are_numbers)) return std::move(*larger);
  options.scale.reset();
  note_vanished(scene, as_it_is);
  return scene;
}

/// Masses that are too small for single precision are scaled, or a note says that they are lost.
Scene read_not_too_large(const FileView& file, ReadOptions& options) {
  *options.masses = {};
  auto scene = read_part(file, options);
  if (!options.scale && are_too_small(*options.masses)) return read_enlarged(file, options, std::move(scene));
  note_vanished(scene, *options.masses);
  return scene;
}

/// The same where numbers may be beyond single precision: by the first scale with which they fit.
Scene read_fitting(const FileView& file, ReadOptions& options) try {
  return read_not_too_large(file, options);
} catch (const TooLarge&) {
  if (options.scale) throw;
  auto scene = read_scaled(file, options, {1e-3, 1e-6, 1e-9, 1e-12}, is_comfortable);
  if (!scene) throw;
  note_vanished(*scene, *options.masses);
  return std::move(*scene);
}

void note_scale(Scene& scene) {
  const double s = scene.scale;
  scene.notes.push_back(fmt::format(
      "numbers beyond single precision: lengths and velocities are multiplied by {:g}, masses by {:g}; "
      "G and times stay",
      s, s * s * s));
}

/// Converts the other quantities of the scene that are in the units of its file.
void scale_rest(Scene& scene) {
  if (scene.scale == 1.0) return;
  const double s = scene.scale;
  scale_meaning(scene, {.mass = s * s * s, .length = s, .velocity = s});
}

/// Those that somebody named.
void take_units(Scene& scene, const std::string& name) {
  if (name.empty()) return;
  const auto& system = unit_system_named(name);
  if (scene.states_physics) {
    scene.notes.emplace_back("--units is left out: the file states its physics");
    return;
  }
  state_units(scene, system);
  scene.notes.push_back(fmt::format("units as asked for: {}", system.meaning));
}

void note_origin(Scene& scene) {
  const auto& origin = scene.bodies.origin;
  scene.notes.push_back(
      fmt::format("far from 0: computed about ({:.9g}, {:.9g}, {:.9g}), so that no digits are lost", origin.x,
                  origin.y, origin.z));
}

/// Moves the origin of bodies that are far from 0 to a point among them. Double-precision positions are read
/// again for that. If a position would not be restored exactly, nothing changes.
void choose_origin(Scene& scene, const FileView& file, ReadOptions options) {
  if (scene.bodies.origin != DVec3{}) return note_origin(scene);
  options.origin = wanted_origin(scene.bodies);
  if (options.origin == DVec3{}) return;
  options.progress = nullptr;
  auto again = read_part(file, options);
  again.scale = scene.scale;
  if (again.bodies.origin == options.origin && agrees(again.bodies, scene.bodies)) {
    scene = std::move(again);
  } else if (keeps_bits(scene.bodies.position, options.origin)) {
    set_origin(scene.bodies, options.origin);
  } else {
    return;
  }
  note_origin(scene);
}

Scene read_mapped(const FileView& file, ReadOptions options) {
  const bool given = options.scale.has_value();
  RoundedMasses masses;
  options.masses = &masses;
  Scene scene = read_fitting(file, options);
  scene.scale = options.scale.value_or(1.0);
  choose_origin(scene, file, options);
  if (scene.scale != 1.0 && !given) note_scale(scene);
  take_units(scene, options.units);
  scale_rest(scene);
  if (!scene.states_physics && options.suggest) suggest_parameters(scene);
  return scene;
}

std::string extension_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  if (extension.starts_with('.')) extension.erase(0, 1);
  return lower_case(extension);
}

/// The extensions of formats that can be written: ".bin, .vtp, ...".
std::string written_extensions() {
  std::vector<std::string> extensions;
  for (const auto* format : formats)
    if (format->write != nullptr && !format->extensions.empty())
      extensions.push_back(fmt::format(".{}", format->extensions.substr(0, format->extensions.find(','))));
  return fmt::format("{}", fmt::join(extensions, ", "));
}

/// `advice`: what to do where the extension says nothing.
const SnapshotFormat& writable(const std::filesystem::path& path, std::string_view name,
                               const std::string& advice) {
  const auto extension = extension_of(path);
  const auto found = std::ranges::find_if(
      formats, [&](const auto* f) { return !extension.empty() && is_listed(f->extensions, extension); });
  if (name.empty() && found == formats.end())
    throw UsageError(fmt::format("cannot write {}: its extension names no format; {}", quoted(path), advice));
  const auto& format = name.empty() ? **found : known_format(name, format_names(true));
  if (format.write != nullptr) return format;
  throw UsageError(fmt::format("cannot write {}: the format {} can only be read; take one of {}",
                               quoted(path), format.name, fmt::join(format_names(true), ", ")));
}

/// `end` decides whether the file gets its name.
void write_content(const Scene& scene, const std::filesystem::path& path, std::string_view format_name,
                   WriteOptions options, void (*end)(FileWriter&)) {
  const auto& format = format_to_write(path, format_name);
  if (scene.bodies.empty()) cannot_write(path, "there are no bodies to write");
  if (const auto bad = first_not_finite(scene.bodies); !bad.empty())
    cannot_write(path, bad + " is not finite, and no such file could be read");
  options.big_endian |= format_name.empty() && extension_of(path) == "std";
  FileWriter out(path);
  write_from_zero(format, scene, options, out);
  end(out);
}

}  // namespace

std::span<const SnapshotFormat* const> snapshot_formats() { return formats; }

const SnapshotFormat* find_snapshot_format(std::string_view name) {
  const auto found = std::ranges::find(formats, name, &SnapshotFormat::name);
  return found == formats.end() ? nullptr : *found;
}

std::vector<std::string> format_names(bool only_written) {
  std::vector<std::string> names;
  for (const auto* format : formats)
    if (!only_written || format->write != nullptr) names.emplace_back(format->name);
  return names;
}

Scene read_snapshot(const std::filesystem::path& path, const ReadOptions& options) {
  const MappedFile file(path);
  const TornFileGuard guard(file.view().bytes);
  const auto refuse_torn = [&] {
    if (guard.torn()) cannot_read(path, "another program shortened it while it was read; read it again");
  };
  try {
    auto scene = read_mapped(file.view(), options);
    refuse_torn();
    return scene;
  } catch (const Error&) {
    refuse_torn();
    throw;
  } catch (const std::bad_alloc&) {
    cannot_read(path,
                "there is not enough memory for its bodies; close other programs or use a smaller file");
  }
}

std::size_t count_snapshots(const std::filesystem::path& path, const ReadOptions& options) try {
  const MappedFile file(path);
  const TornFileGuard guard(file.view().bytes);
  return count_in(file.view(), options);
} catch (const Error&) {
  return 1;
}

const SnapshotFormat& format_to_write(const std::filesystem::path& path, std::string_view name) {
  return writable(path, name,
                  fmt::format("name one of {} with --format", fmt::join(format_names(true), ", ")));
}

void check_snapshot_name(const std::filesystem::path& path) {
  writable(path, {}, "end its name in one of " + written_extensions());
}

void try_snapshot(const Scene& scene, const std::filesystem::path& path) {
  write_content(scene, path, {}, {}, [](FileWriter&) {});
}

void write_snapshot(const Scene& scene, const std::filesystem::path& path, std::string_view format_name,
                    const WriteOptions& options) {
  write_content(scene, path, format_name, options, [](FileWriter& out) { out.finish(); });
}

void write_from_zero(const SnapshotFormat& format, const Scene& scene, const WriteOptions& options,
                     FileWriter& out) {
  if (format.keeps.origin || scene.bodies.origin == DVec3{}) return format.write(scene, options, out);
  Scene from_zero = scene;
  set_origin(from_zero.bodies, {});
  format.write(from_zero, options, out);
}

}  // namespace orrery::sim
