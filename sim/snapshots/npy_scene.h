#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/snapshots/format.h"
#include "sim/snapshots/npy_header.h"

namespace orrery::sim {

/// Makes a scene of one NumPy array: the fields of a structured one, or the columns of a matrix. Throws Error
/// with one line. `bytes` are those of the `.npy` file, `name` is that of the array in an archive.
Scene scene_of_npy(const FileView& file, std::string_view name, std::span<const std::byte> bytes,
                   const ReadOptions& options);

}  // namespace orrery::sim
