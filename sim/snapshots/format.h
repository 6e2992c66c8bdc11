#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/bodies/components.h"
#include "sim/core/file_writer.h"
#include "sim/core/mapped_file.h"
#include "sim/core/progress.h"
#include "sim/scene/body_filter.h"
#include "sim/scene/scene.h"

namespace orrery::sim {

using LoadProgress = Progress;

/// Counters of masses that were rounded to single precision.
struct RoundedMasses {
  std::size_t vanished = 0;  ///< above 0 in the file and 0 in single precision
  double largest = 0.0;      ///< largest mass, scaled and before rounding
};

/// Options for reading. The defaults take everything from the file's content.
struct ReadOptions {
  /// Text only: overrides the recognized columns, e.g. "mass,x,y,z,vx,vy,vz"; "-" skips one.
  std::string columns;
  /// Reads the file as this format (a name of snapshot_formats()) instead of by its content; empty: content.
  std::string format;
  LoadProgress* progress = nullptr;  ///< may be null
  ComponentSet components;           ///< bodies of others are left out
  BodyFilter filter = {};            ///< further filter, applied after the components
  bool suggest = true;               ///< false: no parameters are suggested
  /// The snapshot of a file with several, from 0; only for formats that hold several.
  std::size_t snapshot = 0;
  /// The units of the numbers (a name of unit_systems()), where the file does not state its physics; empty:
  /// what it says.
  std::string units = {};
  /// The origin that readers of double-precision numbers subtract before rounding; they set Bodies::origin.
  /// Others give positions relative to 0. read_snapshot() chooses it.
  DVec3 origin = {};
  /// The factor by which readers of doubles multiply lengths and velocities before they round them,
  /// and masses by its cube: G and times stay. Empty: read_snapshot() chooses it where numbers are too large.
  std::optional<double> scale = {};
  /// Moves the bodies of a periodic box so that no edge cuts the densest region (recentre_in_box).
  bool recentre = false;
  /// The new origin, in sides of the box; empty: the densest place.
  std::optional<DVec3> box_middle = {};
  /// Text tables only: leading lines to leave out.
  std::size_t skip = 0;
  /// The group of arrays or the AMUSE set (name or path) of an HDF5 file, or the table (EXTNAME) of a FITS
  /// file. Empty: the first.
  std::string group = {};
  /// May be null. read_snapshot() sets it.
  RoundedMasses* masses = nullptr;
};

/// Options for writing.
struct WriteOptions {
  bool big_endian = false;       ///< Tipsy: the "standard" (XDR) byte order
  Progress* progress = nullptr;  ///< may be null; a writer that is told to stop throws Cancelled
  /// One a body, in the scene's order, for formats that hold them; empty: none are known. Borrowed.
  std::span<const Vec3> acceleration = {};
  std::string_view acceleration_source = {};  ///< source of the accelerations, for people
};

/// The parts besides the bodies' numbers that `write` of a format keeps.
struct WrittenParts {
  bool acceleration = false;  ///< WriteOptions::acceleration
  bool origin = false;        ///< Bodies::origin; else it gets positions counted from 0
  bool units = false;         ///< physical units of the numbers (Scene::units)
  bool colors = false;        ///< Bodies::color
  bool names = false;         ///< Scene::names
  bool no_color = false;      ///< bodies without a colour; else they are written as white
};

/// One file format: one file of code and one line in CMakeLists.txt.
struct SnapshotFormat {
  std::string_view name;             ///< as in `orrery convert --format NAME`
  std::string_view meaning;          ///< one line for the help
  std::string_view extensions = {};  ///< extensions of files to write, comma separated, e.g. "csv,txt"
  /// True if the file states or the format implies G, softening and time step; else they are suggested.
  bool carries_parameters = false;
  /// True if the content (never the name) says that it is of this format. Must look at few bytes.
  bool (*recognizes)(const FileView& file);
  /// Reads the first snapshot, as it is: read_snapshot() checks the bodies afterwards. Throws Error with one
  /// line; allocates nothing before the counts fit the size.
  Scene (*read)(const FileView& file, const ReadOptions& options);
  /// The whole file's content for `scene`, handed to `out` piece by piece; nullptr: cannot write. Throws
  /// Error for a scene that the format cannot hold.
  void (*write)(const Scene& scene, const WriteOptions& options, FileWriter& out) = nullptr;
  /// Counts the snapshots in a file; nullptr: always one. Throws Error.
  std::size_t (*count)(const FileView& file, const ReadOptions& options) = nullptr;
  WrittenParts keeps = {};
};

/// All formats in the order in which their content is tried.
std::span<const SnapshotFormat* const> snapshot_formats();
const SnapshotFormat* find_snapshot_format(std::string_view name);
/// Names of all formats, or of those that can be written.
std::vector<std::string> format_names(bool only_written = false);

/// Reads any recognized file. Throws Error with one line: what, why, what to do. A directory, an empty file,
/// a device or an unknown format is refused with the list of formats. Parameters that the format does not
/// carry are suggested (suggest_parameters); a title that it does not carry is the file's name. Positions of
/// bodies that are far from 0 count from a place among them (Bodies::origin), as far as they come back bit
/// for bit. Numbers in double precision that are beyond single precision are scaled (Scene::scale). What was
/// assumed or repaired is said in Scene::notes. Throws Cancelled when the watcher asks for it.
Scene read_snapshot(const std::filesystem::path& path, const ReadOptions& options = {});
/// The number of snapshots in a file, for formats that can hold several; 1 for others, and for files that
/// read_snapshot refuses. `options` give the format, as for read_snapshot. Reads few bytes of the file; a
/// packed file is unpacked. For a scene that was read, Scene::snapshots has the number.
std::size_t count_snapshots(const std::filesystem::path& path, const ReadOptions& options = {});
/// format.write, with positions counted from 0 where the format does not hold their origin. Throws Error.
void write_from_zero(const SnapshotFormat& format, const Scene& scene, const WriteOptions& options,
                     FileWriter& out);

/// The named format, or the one of the path's extension. Throws UsageError like write_snapshot.
const SnapshotFormat& format_to_write(const std::filesystem::path& path, std::string_view name);
/// Throws what write_snapshot throws for a name whose extension is of no format that can be written.
void check_snapshot_name(const std::filesystem::path& path);
/// Throws what write_snapshot would throw, and writes nothing that stays: before a long run.
void try_snapshot(const Scene& scene, const std::filesystem::path& path);
/// Writes `scene` in the named format, or in the one of the path's extension if `format` is empty; the
/// extension "std" asks for big-endian Tipsy. Throws UsageError for an unknown name or extension, Error if
/// the format cannot hold the scene, a number is not finite or the file cannot be written; then the target
/// is as it was.
void write_snapshot(const Scene& scene, const std::filesystem::path& path, std::string_view format = {},
                    const WriteOptions& options = {});

}  // namespace orrery::sim
