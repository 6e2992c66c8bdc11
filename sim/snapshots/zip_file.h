#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/mapped_file.h"
#include "sim/snapshots/unpack.h"

namespace orrery::sim {

/// One file in a zip archive, as the directory at its end says.
struct ZipMember {
  std::string name;
  unsigned method = 0;  ///< 0 stored, 8 deflated
  bool encrypted = false;
  std::uint32_t checksum = 0;
  std::uint64_t packed = 0, size = 0;  ///< bytes
  std::uint64_t offset = 0;            ///< byte offset of the local header
};

/// Everything in a zip archive, with sizes of 32 or 64 bits. Throws Error if the directory is missing or
/// damaged.
std::vector<ZipMember> zip_members(const FileView& file);

/// The bytes of a member, unpacked. Throws Error for another method, a wrong size or checksum, or beyond the
/// limits; what the member promises is compared with the limits before memory is taken.
std::vector<std::byte> zip_content(const FileView& file, const ZipMember& member,
                                   const UnpackLimits& limits = {});

}  // namespace orrery::sim
