#pragma once

#include <memory>

#include "sim/core/error.h"
#include "sim/snapshots/hdf5_library.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Ids = std::vector<std::uint64_t>;

/// Why HDF5 cannot be tested here; empty if it can.
inline std::string lacking_hdf5() {
  try {
    hdf5_library("no HDF5");
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

/// Writes HDF5 files piece by piece and reads them as snapshots.
class Hdf5 : public SnapshotTest {
 protected:
  void SetUp() override {
    if (const auto reason = lacking_hdf5(); !reason.empty()) GTEST_SKIP() << reason;
    out_ = hdf5_library("").create();
  }
  Hdf5Output& out() { return *out_; }
  std::filesystem::path put(const std::string& name) {
    const auto bytes = out_->content();
    EXPECT_FALSE(bytes.empty());
    auto path = save(name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    out_ = hdf5_library("").create();
    return path;
  }
  Scene read_made() { return read_snapshot(put("made.hdf5")); }

  /// One type with places (k, 0, 0) and velocities (0, k, 0), k counting from `from`.
  void type(int number, std::size_t count, float from = 1.0F) {
    const auto group = "/PartType" + std::to_string(number);
    Floats place, velocity;
    for (std::size_t k = 0; k < count; ++k) {
      const float value = from + static_cast<float>(k);
      place.insert(place.end(), {value, 0, 0});
      velocity.insert(velocity.end(), {0, value, 0});
    }
    out().group(group);
    out().dataset(group + "/Coordinates", 3, place);
    out().dataset(group + "/Velocities", 3, velocity);
  }
  void masses(int number, const Floats& values) {
    out().dataset("/PartType" + std::to_string(number) + "/Masses", 1, values);
  }

 private:
  std::unique_ptr<Hdf5Output> out_;
};

}  // namespace orrery::sim
