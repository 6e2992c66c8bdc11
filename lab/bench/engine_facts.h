#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/engines/engine_report.h"

namespace orrery::lab {

/// A rate as a fraction of the FP32 limit and of the limit set by the compiled kernel's own instructions; 0
/// if that is not known (some virtual GPUs do not report their clock).
struct CountedLimits {
  double fp32_percent = 0.0;
  double slots = 0.0;  ///< instructions issued for an interaction
  double issue_percent = 0.0;
  double special_percent = 0.0;
  double fp64_percent = 0.0;
};

/// `gips`: the rate in 1e9 interactions per second.
CountedLimits counted_limits(const sim::EngineReport& report, double gips);
/// The counted limits as one line of text.
std::string counted_text(const sim::EngineReport& report, double gips);

/// The engine's device, or the name of this machine's CPU.
std::string device_name(const sim::EngineReport& report);

/// A fact for people, "shared 12.0 KiB"; empty for one that is not known or not for people.
std::string fact_text(const sim::Fact& fact);

/// All limits, each with the percentage of it that `gips` (1e9 interactions per second) reaches, and all
/// facts:
/// {"issue_limit_gips": ..., "percent_of_issue_limit": ..., "registers": ...}. What is not known is null.
nlohmann::json report_json(const sim::EngineReport& report, double gips);

}  // namespace orrery::lab
