#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/scene/body_filter.h"
#include "sim/scene/placement.h"
#include "sim/scene/scene.h"
#include "sim/series/snapshot_list.h"
#include "sim/snapshots/format.h"

namespace orrery::sim {
struct GalaxyModel;
}

namespace orrery::lab {

/// The largest number that the command line accepts.
inline constexpr std::uint32_t most_galaxies = 100'000;

/// The requested dataset: a file or a built-in galaxy, as asked for on the command line or kept in a state
/// file.
struct DatasetRequest {
  std::string source;  ///< a file's path or the name of a built-in galaxy; empty: the default one
  std::optional<std::size_t> bodies;   ///< built-in galaxies only
  std::uint64_t seed = 1;              ///< built-in galaxies only
  std::uint32_t galaxies = 1;          ///< independent copies, with different seeds where built in
  std::string columns;                 ///< text files: the column order
  std::string format;                  ///< files: overrides recognition by content
  std::string units = {};              ///< files: what their numbers stand for (sim/scene/unit_systems.h)
  bool built_in = false;               ///< `source` is a built-in galaxy, whatever files there are
  std::string only;                    ///< components to keep, comma separated; empty: all
  std::string without;                 ///< components to leave out, comma separated
  sim::BodyFilter filter = {};         ///< further filter, applied to each file
  std::vector<std::string> with = {};  ///< more files or built-in galaxies in the same scene
  /// Placements of `source` and each of `with`, in this order; empty without `with`.
  std::vector<sim::Placement> offsets = {};
  /// The snapshot of a series (sim/series/snapshot_list.h) to start with, from 0; default: the first.
  std::optional<std::size_t> snapshot = {};
  bool recentre = false;   ///< files with a periodic box: no edge cuts the densest place
  std::uint64_t skip = 0;  ///< text tables: leading lines to leave out
  std::string group = {};  ///< HDF5 and FITS: which of several groups, sets or tables

  friend bool operator==(const DatasetRequest&, const DatasetRequest&) = default;
};

/// True if the request names a file rather than a built-in galaxy. Of a bare name that is both, the file; a
/// folder is no dataset.
bool is_file(const DatasetRequest& request);
/// The built-in galaxy that is asked for, without a name the first one; null where it is a file.
const sim::GalaxyModel* built_in_model(const DatasetRequest& request);

/// The snapshots that play as a film: those of a folder, a pattern or a file with several, unless one of them
/// is named, or the dataset is more than that series. Empty: it does not play. Throws sim::Error.
std::vector<sim::SnapshotPlace> series_of(const DatasetRequest& request);
/// The series of a dataset that was loaded; its file is not opened again.
std::vector<sim::SnapshotPlace> series_of(const DatasetRequest& request, const sim::Scene& loaded);

/// Options for reading the request's file, at the first snapshot and without a watcher.
sim::ReadOptions read_options(const DatasetRequest& request);

/// Throws sim::UsageError, with the name that was probably meant, if the request names neither a file that
/// is there nor a built-in galaxy.
void require_dataset(const DatasetRequest& request);

/// Reads or makes the dataset. Throws sim::Error or sim::UsageError with one line; sim::Cancelled if told so.
sim::Scene load_dataset(const DatasetRequest& request, sim::LoadProgress* progress = nullptr);

/// The name of a dataset's file in JSON.
using FileName = std::function<std::string(const std::string& source)>;
/// The full path of a file.
std::string full_name(const std::string& source);

/// The JSON form in pictures, state files and checkpoints.
nlohmann::json to_json(const DatasetRequest& request, const FileName& name);
/// Throws sim::Error if the JSON is not of that form.
DatasetRequest dataset_request_from_json(const nlohmann::json& json);

}  // namespace orrery::lab
