#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "sim/core/mapped_file.h"
#include "sim/snapshots/format.h"
#include "sim/snapshots/named_array.h"

namespace orrery::sim {

/// The numbers of an `.npy` file (numpy.lib.format, versions 1 to 3), without any where it has pickled
/// objects, fields or more than two dimensions. Rows of a matrix are tuples. Throws Error for a header that
/// makes no sense, or that promises more numbers than `bytes` hold.
NamedArray npy_array(const FileView& file, const std::string& name, std::span<const std::byte> bytes);

/// Makes a scene of one NumPy array: the fields of a structured one, or the columns of a matrix. Throws Error
/// with one line. `bytes` are those of the `.npy` file, `name` is that of the array in an archive.
Scene scene_of_npy(const FileView& file, std::string_view name, std::span<const std::byte> bytes,
                   const ReadOptions& options);

}  // namespace orrery::sim
