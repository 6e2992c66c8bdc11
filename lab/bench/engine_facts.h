#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/engines/engine_report.h"
#include "sim/options/configuration.h"

namespace orrery::lab {

/// The choice that an engine made where the option says "auto"; empty where it says something else, or the
/// engine does not tell (it has not computed yet, or does not use the option).
std::string taken_choice(const sim::Configuration& configuration, const std::string& option,
                         const sim::EngineReport& report);

/// All options that say "auto", with what the engine took, by name.
std::vector<std::pair<std::string, std::string>> taken_choices(const sim::Configuration& configuration,
                                                               const sim::EngineReport& report);

/// "simd", and "auto (simd)" where the choice stands for another.
std::string with_taken(const std::string& choice, const std::string& taken);

/// The computing kernel of the CPU or family of a GPU, with what it stands for.
std::string computing_text(const sim::Configuration& configuration, const sim::EngineReport& report);

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
