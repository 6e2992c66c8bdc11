#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "sim/core/mapped_file.h"
#include "sim/core/progress.h"

namespace orrery::sim {

/// "gzip" or "zstd" if the content says that it is packed so; else empty.
std::string_view packing_of(std::span<const std::byte> bytes);

/// Limits of the unpacked size.
struct UnpackLimits {
  /// Bytes, by default half of the machine's memory.
  std::size_t bytes;
  /// Times the packed size, above a few megabytes: what packs better is no snapshot.
  double times = 200.0;
  UnpackLimits();
  UnpackLimits(std::size_t most_bytes, double most_times) : bytes(most_bytes), times(most_times) {}
};

/// Unpacks a file for which packing_of() names something, all of its parts. Memory grows with what was
/// unpacked, never by what the file promises. Throws Error with one line if it is cut off, damaged or beyond
/// the limits, Cancelled if the watcher asks for it.
std::vector<std::byte> unpack(const FileView& file, Progress* progress, const UnpackLimits& limits = {});

/// The name without ".gz", ".zst" or ".zstd".
std::filesystem::path unpacked_name(const std::filesystem::path& path);

}  // namespace orrery::sim
