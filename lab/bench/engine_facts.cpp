#include "lab/bench/engine_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "lab/setup/machine.h"
#include "sim/options/engine_option.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::lab {

namespace {

/// The key of the fact in which an engine reports the value it chose; empty for kernels of another engine.
std::string key_of(const sim::Configuration& configuration, const std::string& option) {
  if (option == "kernel" || option == "family")
    return option == sim::kernel_option(configuration) ? "kernel_taken" : "";
  auto key = option;
  std::ranges::replace(key, '-', '_');
  return key;
}

constexpr std::array counted_keys{sim::limit_keys::issue, sim::limit_keys::special, sim::limit_keys::fp64};

double percent(const sim::RateLimit& limit, double gips) {
  return limit.gips > 0.0 ? 100.0 * gips / limit.gips : 0.0;
}

std::string bytes_text(double bytes) {
  constexpr std::array units{"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024.0) return fmt::format("{:.0f} B", bytes);
  std::size_t unit = 0;
  for (bytes /= 1024.0; bytes >= 1024.0 && unit + 1 < units.size(); ++unit) bytes /= 1024.0;
  return fmt::format("{:.1f} {}", bytes, units.at(unit));
}

std::string number_text(double value, std::string_view unit) {
  if (unit == "B") return bytes_text(value);
  if (unit == "%") return fmt::format("{:.0f} %", 100.0 * value);
  return unit.empty() ? fmt::format("{:.4g}", value) : fmt::format("{:.4g} {}", value, unit);
}

std::string value_text(const sim::Fact& fact) {
  return std::visit(
      [&](const auto& value) -> std::string {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::monostate>)
          return {};
        else if constexpr (std::is_same_v<Value, std::string>)
          return value;
        else if (std::is_same_v<Value, std::int64_t> && fact.unit.empty())
          return fmt::format("{}", value);
        else
          return number_text(static_cast<double>(value), fact.unit);
      },
      fact.value);
}

nlohmann::json value_json(const sim::Fact& fact) {
  return std::visit(
      [](const auto& value) -> nlohmann::json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          return {};
        else
          return value;
      },
      fact.value);
}

/// A number, or null where 0 means that it is not known.
nlohmann::json known(double value) { return value > 0.0 ? nlohmann::json(value) : nlohmann::json(); }

}  // namespace

std::string taken_choice(const sim::Configuration& configuration, const std::string& option,
                         const sim::EngineReport& report) {
  const auto* choice = std::get_if<std::string>(&configuration.value(option));
  return choice != nullptr && *choice == sim::automatic_kernel ? report.text(key_of(configuration, option))
                                                               : std::string();
}

std::vector<std::pair<std::string, std::string>> taken_choices(const sim::Configuration& configuration,
                                                               const sim::EngineReport& report) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& [option, value] : configuration.values())
    if (auto taken = taken_choice(configuration, option, report); !taken.empty())
      all.emplace_back(option, std::move(taken));
  return all;
}

std::string with_taken(const std::string& choice, const std::string& taken) {
  return taken.empty() ? choice : choice + " (" + taken + ")";
}

std::string computing_text(const sim::Configuration& configuration, const sim::EngineReport& report) {
  return with_taken(sim::computing_name(configuration),
                    taken_choice(configuration, sim::kernel_option(configuration), report));
}

CountedLimits counted_limits(const sim::EngineReport& report, double gips) {
  return {.fp32_percent = percent(report.limit(sim::limit_keys::fp32), gips),
          .slots = report.limit(sim::limit_keys::issue).operations,
          .issue_percent = percent(report.limit(sim::limit_keys::issue), gips),
          .special_percent = percent(report.limit(sim::limit_keys::special), gips),
          .fp64_percent = percent(report.limit(sim::limit_keys::fp64), gips)};
}

std::string counted_text(const sim::EngineReport& report, double gips) {
  const double slots = report.limit(sim::limit_keys::issue).operations;
  if (slots <= 0.0) return "slots per interaction: the machine code does not tell";
  auto text = fmt::format("{:.1f} slots per interaction", slots);
  const char* between = ": ";
  for (const auto key : counted_keys) {
    const auto limit = report.limit(key);
    if (limit.gips <= 0.0) continue;
    text += fmt::format("{}{:.0f} % of the {}", between, percent(limit, gips), limit.label);
    between = ", ";
  }
  return text;
}

std::string device_name(const sim::EngineReport& report) {
  return report.device.empty() ? this_machine().cpu : report.device;
}

std::string fact_text(const sim::Fact& fact) {
  const auto value = value_text(fact);
  return fact.label.empty() || value.empty() ? std::string() : fmt::format("{} {}", fact.label, value);
}

nlohmann::json report_json(const sim::EngineReport& report, double gips) {
  nlohmann::json json{{"devices", report.devices}};
  for (const auto& limit : report.limits) {
    const std::string key(limit.key);
    json[key + "_gips"] = known(limit.gips);
    json["percent_of_" + key] = known(limit.gips > 0.0 ? 100.0 * gips / limit.gips : 0.0);
  }
  for (const auto& fact : report.facts) json[std::string(fact.key)] = value_json(fact);
  return json;
}

}  // namespace orrery::lab
