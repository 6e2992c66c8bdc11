#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {

/// Reads texts as files of VTK.
class Vtk : public SnapshotTest {
 protected:
  Scene read_as(std::string_view content) const { return read_snapshot(save("a.dat", content)); }
};

template <typename T>
std::string bytes_of(T value, bool big_endian) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  if (big_endian) std::ranges::reverse(bytes);
  return bytes;
}

}  // namespace orrery::sim
