#include "lab/bench/rivals.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/setup/paths.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/core/text_file.h"

namespace orrery::lab {

namespace {

/// How far from its own number of bodies the time of a tree says something.
constexpr double carried = 2.0;

double pairs_of(const Rival& rival) {
  const auto n = static_cast<double>(rival.bodies);
  return static_cast<double>(rival.galaxies) * n * n;
}

double seconds_of(const nlohmann::json& json, const Rival& rival) {
  if (json.contains("seconds")) return json.at("seconds").get<double>();
  return json.contains("gips") ? pairs_of(rival) / json.at("gips").get<double>() * 1e-9 : 0.0;
}

Growth growth_of(const std::string& word) {
  if (word == "pairs") return Growth::pairs;
  if (word == "bodies") return Growth::bodies;
  throw sim::Error(fmt::format("'{}' is neither pairs nor bodies", word));
}

Rival rival_of(const nlohmann::json& json) {
  Rival rival{.name = json.at("name").get<std::string>(),
              .hardware = json.at("hardware").get<std::string>(),
              .bodies = json.at("bodies").get<std::size_t>(),
              .galaxies = json.value("galaxies", std::size_t{1}),
              .error = json.value("error", 0.0),
              .growth = growth_of(json.value("grows-with", "pairs")),
              .source = json.at("source").get<std::string>()};
  rival.seconds = seconds_of(json, rival);
  if (!(rival.seconds > 0.0) || !std::isfinite(rival.seconds))
    throw sim::Error(fmt::format("'{}' has neither seconds nor gips above 0", rival.name));
  return rival;
}

}  // namespace

std::optional<double> seconds_for(const Rival& rival, const ProblemSize& size) {
  if (rival.growth == Growth::pairs) return rival.seconds * size.pairs / pairs_of(rival);
  const double factor = size.bodies / static_cast<double>(rival.bodies * rival.galaxies);
  if (factor > carried || factor * carried < 1.0) return std::nullopt;
  return rival.seconds * factor;
}

std::vector<Rival> read_rivals(const std::filesystem::path& file) {
  const auto text = sim::read_text_file(file);
  try {
    std::vector<Rival> rivals;
    const auto json = sim::parse_json(text);
    for (const auto& each : json.at("rivals")) rivals.push_back(rival_of(each));
    return rivals;
  } catch (const nlohmann::json::exception& error) {
    throw sim::Error(fmt::format("{}: {}; repair it", file.string(), sim::json_problem(error)));
  } catch (const sim::Error& error) {
    throw sim::Error(fmt::format("{}: {}", file.string(), error.what()));
  }
}

std::vector<Rival> known_rivals() {
  const auto file = data_folder() / "rivals.json";
  std::error_code failure;
  return std::filesystem::exists(file, failure) ? read_rivals(file) : std::vector<Rival>();
}

}  // namespace orrery::lab
