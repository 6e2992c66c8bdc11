#pragma once

#include "sim/snapshots/format.h"

namespace orrery::sim {

extern const SnapshotFormat bin_format;      ///< bin.cpp
extern const SnapshotFormat tipsy_format;    ///< tipsy.cpp
extern const SnapshotFormat com4521_format;  ///< com4521.cpp
extern const SnapshotFormat csv_format;      ///< csv.cpp

}  // namespace orrery::sim
