#pragma once

#include <string>
#include <vector>

#include "lab/bench/benchmark.h"

namespace orrery::lab {

/// A measured kernel in the figure.
struct RooflinePoint {
  std::string label;
  double slots = 0.0;    ///< instructions issued for an interaction, counted in the machine code; above 0
  double gips = 0.0;     ///< 1e9 interactions per second, measured; above 0
  double special = 1.0;  ///< special functions of an interaction; may be 0
};

/// The data of the figure: the rates of kernels beneath what their device allows. Rates are of one device.
struct Roofline {
  std::string title;
  double instruction_rate = 0.0;  ///< 1e9 instructions of a lane per second that the device issues
  double special_rate = 0.0;      ///< 1e9 special functions per second; 0: not known
  /// Instruction slots per interaction of the FP32 limit that the reports use.
  double reference_slots = 13.0;
  std::vector<RooflinePoint> points;
};

/// The figure's content. Rows of a GPU whose machine code tells its instructions; of several GPUs rate and
/// limits are those of one. Throws sim::Error if there is no such row.
Roofline roofline_of(const std::vector<BenchmarkRow>& rows, const std::string& dataset);

}  // namespace orrery::lab
