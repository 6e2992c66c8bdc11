#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/catalogue.h"
#include "app/doctor/findings.h"
#include "app/run/interruption.h"
#include "lab/setup/machine.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/simulation/engine_registry.h"

namespace orrery::app {

namespace {

using nlohmann::json;

/// The word of a state, which is also what JSON has.
const char* word_of(FindingState state) {
  switch (state) {
    case FindingState::works:
      return "ok";
    case FindingState::absent:
      return "none";
    case FindingState::missing:
      return "missing";
  }
  return "";
}

json engines() {
  auto list = json::array();
  for (const auto* kind : sim::engine_kinds()) {
    const auto why_not = kind->unavailable();
    list.push_back({{"name", kind->name},
                    {"meaning", kind->meaning},
                    {"available", why_not.empty()},
                    {"why_not", why_not}});
  }
  return list;
}

/// The findings of each topic, in the order in which they are printed.
using Findings = std::vector<std::pair<const char*, std::vector<Finding>>>;

json json_of(const Findings& all) {
  auto list = json::array();
  for (const auto& [topic, findings] : all)
    for (const auto& finding : findings)
      list.push_back({{"topic", topic},
                      {"name", finding.name},
                      {"state", word_of(finding.state)},
                      {"meaning", finding.meaning},
                      {"remedy", finding.remedy}});
  return list;
}

void print(const Findings& all) {
  fmt::print("orrery {} on {}\n", ORRERY_VERSION, lab::this_machine().system);
  std::vector<std::string> missing;
  for (const auto& [topic, findings] : all) {
    fmt::print("\n{}\n", topic);
    for (const auto& finding : findings) {
      fmt::print("  {:<8}{:<20}{}\n", word_of(finding.state), finding.name, finding.meaning);
      if (!finding.remedy.empty()) fmt::print("  {:<8}{:<20}{}\n", "", "", "-> " + finding.remedy);
      if (finding.state == FindingState::missing) missing.push_back(finding.name);
    }
  }
  if (missing.empty()) {
    fmt::print("\nNothing is missing.\n");
  } else {
    fmt::print("\n{} missing: {}. The lines with -> say what helps.\n",
               sim::counted(missing.size(), "part is", "parts are"), fmt::join(missing, ", "));
  }
}

int doctor(bool as_json) {
  const auto window = window_drawing();
  const auto headless = headless_drawing();
  const Findings findings{{"Computing", computing_findings()},
                          {"Drawing", drawing_findings(window, headless)},
                          {"Files and browser", file_findings()},
                          {"Folders that are written to", folder_findings()}};
  if (as_json) {
    const json report{{"findings", json_of(findings)},
                      {"engines", engines()},
                      {"window_drawing", window},
                      {"headless_drawing", headless}};
    fmt::print("{}\n", sim::dump_json(report, 2));
  } else {
    print(findings);
  }
  return 0;
}

int fix_part(const std::string& part) {
  if (part != "nvrtc") throw sim::UsageError(fmt::format("--fix fetches nvrtc, not '{}'", part));
  end_early_on_signals();
  fix_nvrtc();
  return 0;
}

Action declare_doctor(Arguments& arguments) {
  const auto as_json = std::make_shared<bool>(false);
  const auto fix = std::make_shared<std::string>();
  arguments.flag("--json", *as_json, "As JSON");
  arguments
      .value("--fix", *fix, "Fetch a missing part, without root's rights: nvrtc, the compiler of GPU kernels")
      .shown_as("PART")
      .not_empty();
  return [as_json, fix] { return fix->empty() ? doctor(*as_json) : fix_part(*fix); };
}

}  // namespace

/// Lists the parts of this machine and the command that brings each missing one.
extern const Command doctor_command{
    .name = "doctor",
    .meaning = "Say what computes and draws on this machine, and what is missing",
    .declare = declare_doctor};

}  // namespace orrery::app
