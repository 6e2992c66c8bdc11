#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lab/figures/figure_kind.h"
#include "lab/plots/figure.h"

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
  double reference_slots =
      13.0;  ///< instruction slots per interaction of the FP32 limit that the reports use
  std::vector<RooflinePoint> points;
};

/// The kernels of `orrery bench --json` or the rungs of `orrery ladder --json` whose instructions were
/// counted. Of several GPUs rate and limits are those of one. Throws sim::Error if there is no such kernel.
Roofline roofline_in(const nlohmann::json& document, const FigureRequest& request);

/// Rate over slots, both logarithmic: the falling line of the issue limit, the level line of one special
/// function an interaction, a mark where `reference_slots` meet the issue limit, a point with its name and
/// its share of the nearer limit for each kernel, a dash where its own number of special functions sets its
/// limit. Needs a point and an instruction rate.
plots::Figure roofline_figure(const Roofline& roofline);

}  // namespace orrery::lab
