#include "lab/bench/published_codes.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/setup/paths.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/core/text_file.h"

namespace orrery::lab {

namespace {

/// Largest ratio of body numbers for which the time of a tree is carried over.
constexpr double carried = 2.0;

double pairs_of(const PublishedCode& code) {
  const auto n = static_cast<double>(code.bodies);
  return static_cast<double>(code.galaxies) * n * n;
}

double seconds_of(const nlohmann::json& json, const PublishedCode& code) {
  if (json.contains("seconds")) return json.at("seconds").get<double>();
  return json.contains("gips") ? pairs_of(code) / json.at("gips").get<double>() * 1e-9 : 0.0;
}

Growth growth_of(const std::string& word) {
  if (word == "pairs") return Growth::pairs;
  if (word == "bodies") return Growth::bodies;
  throw sim::Error(fmt::format("'{}' is neither pairs nor bodies", word));
}

PublishedCode published_code_of(const nlohmann::json& json) {
  PublishedCode code{.name = json.at("name").get<std::string>(),
                     .hardware = json.at("hardware").get<std::string>(),
                     .bodies = json.at("bodies").get<std::size_t>(),
                     .galaxies = json.value("galaxies", std::size_t{1}),
                     .error = json.value("error", 0.0),
                     .growth = growth_of(json.value("grows-with", "pairs")),
                     .source = json.at("source").get<std::string>()};
  code.seconds = seconds_of(json, code);
  if (!(code.seconds > 0.0) || !std::isfinite(code.seconds))
    throw sim::Error(fmt::format("'{}' has neither seconds nor gips above 0", code.name));
  return code;
}

}  // namespace

std::optional<double> seconds_for(const PublishedCode& code, const ProblemSize& size) {
  if (code.growth == Growth::pairs) return code.seconds * size.pairs / pairs_of(code);
  const double factor = size.bodies / static_cast<double>(code.bodies * code.galaxies);
  if (factor > carried || factor * carried < 1.0) return std::nullopt;
  return code.seconds * factor;
}

std::vector<PublishedCode> read_published_codes(const std::filesystem::path& file) {
  const auto text = sim::read_text_file(file);
  try {
    std::vector<PublishedCode> codes;
    const auto json = sim::parse_json(text);
    for (const auto& each : json.at("codes")) codes.push_back(published_code_of(each));
    return codes;
  } catch (const nlohmann::json::exception& error) {
    throw sim::Error(fmt::format("{}: {}; repair it", file.string(), sim::json_problem(error)));
  } catch (const sim::Error& error) {
    throw sim::Error(fmt::format("{}: {}", file.string(), error.what()));
  }
}

std::vector<PublishedCode> known_published_codes() {
  const auto file = data_folder() / "published_codes.json";
  std::error_code failure;
  return std::filesystem::exists(file, failure) ? read_published_codes(file) : std::vector<PublishedCode>();
}

}  // namespace orrery::lab
