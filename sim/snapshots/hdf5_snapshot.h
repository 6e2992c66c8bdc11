#pragma once

#include <string>

#include "sim/core/mapped_file.h"
#include "sim/scene/scene.h"
#include "sim/snapshots/format.h"
#include "sim/snapshots/hdf5_library.h"

namespace orrery::sim {

/// One HDF5 file that is being read. All is borrowed.
struct Hdf5Reader {
  const Hdf5Library& library;
  const FileView& view;  ///< the bytes of the file
  const Hdf5File& file;
  const ReadOptions& options;

  /// `done` of 1 is done.
  void tell(double done) const { Ticker(options.progress, 1, static_cast<float>(done)).at(0); }
};

/// Throws Error unless the dataset's numbers can come from the bytes that it takes in the file: a damaged
/// size must not ask for memory.
void require_plausible(const FileView& view, const std::string& path, const Hdf5Shape& shape);
/// Throws Error: this dataset does not make sense or cannot be unpacked.
[[noreturn]] void refuse_dataset(const FileView& view, const std::string& path, std::string_view why);

/// True if it has the groups PartType0, PartType1, ... of Gadget and its relatives.
bool is_gadget_hdf5(const Hdf5File& file);
/// Reads all bodies of such a file and of those that belong to it; there may be none. Throws Error with one
/// line.
Scene read_gadget_hdf5(const Hdf5Reader& reader);

/// The sets of particles that AMUSE stored, as paths.
struct AmuseSets {
  std::vector<std::string> all;  ///< sets with particles if there are any, else all sets
  /// The sets that are states of one system: the set that was named, or the first, and its neighbours whose
  /// names are numbers too ("/particles/0000000002"). Empty where no set has the name.
  std::vector<std::string> states;
};
/// `named`: ReadOptions::group.
AmuseSets amuse_sets(const Hdf5File& file, std::string_view named);
/// Reads the one of the states that the options want. Throws Error with one line.
Scene read_amuse_hdf5(const Hdf5Reader& reader, const AmuseSets& sets);

/// True if `path` is `named`, lies in it, or has it as one of its parts: "/data/stars/0000000001" is "stars".
/// Empty names are all paths.
bool is_named(std::string_view path, std::string_view named);
/// Throws Error: none of the file's groups has that name; `groups` are those that it has.
[[noreturn]] void refuse_group(const FileView& view, std::string_view named, std::vector<std::string> groups);
/// "/gas, /stars and 2 more", at most `most` names, for messages.
std::string some_of(std::vector<std::string> names, std::size_t most);

/// The groups, "/" or those in it, whose datasets have the names of a text table's columns, places among
/// them; the root stands first.
std::vector<std::string> groups_of_arrays(const Hdf5File& file);
/// Reads the bodies of the one of `groups` that the options name, or of the first, and says that there are
/// more. Throws Error with one line.
Scene read_hdf5_arrays(const Hdf5Reader& reader, const std::vector<std::string>& groups);

/// Writes HDF5 as Gadget-2 has it, with units as attributes (SnapshotFormat::write).
void write_hdf5(const Scene& scene, const WriteOptions& options, FileWriter& out);

}  // namespace orrery::sim
