#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "sim/snapshots/format.h"

namespace orrery::sim {

/// One file of a series.
struct SeriesEntry {
  std::string file;  ///< file name within the folder of the index
  std::uint64_t step = 0;
  double time = 0.0;                ///< simulated
  std::string acceleration_source;  ///< source of the accelerations; empty: the file has none
};

/// The index's name in the series' folder: "series.pvd" of VTK, else "series.EXTENSION.series", which are
/// ParaView's names.
std::string series_index_name(const SnapshotFormat& format);
/// The text of the index: VTK's collection, or ParaView's JSON with steps besides.
std::string series_index_text(const SnapshotFormat& format, std::span<const SeriesEntry> entries);

/// The first extension of the format, "txt" if it has none.
std::string series_extension(const SnapshotFormat& format);

}  // namespace orrery::sim
