#pragma once

#include "sim/snapshots/format.h"

namespace orrery::sim {

/// Writes HDF5 as Gadget-2 has it, with units as attributes (SnapshotFormat::write).
void write_hdf5(const Scene& scene, const WriteOptions& options, FileWriter& out);

}  // namespace orrery::sim
