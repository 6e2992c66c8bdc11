#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/engines/engine_report.h"

namespace orrery::lab {

/// The engine's device, or the name of this machine's CPU.
std::string device_name(const sim::EngineReport& report);

/// A fact for people, "shared 12.0 KiB"; empty for one that is not known or not for people.
std::string fact_text(const sim::Fact& fact);

/// All limits, each with the percentage of it that `gips` (1e9 interactions per second) reaches, and all
/// facts:
/// {"issue_limit_gips": ..., "percent_of_issue_limit": ..., "registers": ...}. What is not known is null.
nlohmann::json report_json(const sim::EngineReport& report, double gips);

}  // namespace orrery::lab
