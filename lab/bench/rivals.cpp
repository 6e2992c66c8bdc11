#include "lab/bench/rivals.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lab/setup/paths.h"
#include "sim/core/error.h"
#include "sim/core/text_file.h"

namespace orrery::lab {

namespace {

Rival rival_of(const nlohmann::json& json) {
  Rival rival{.name = json.at("name").get<std::string>(),
              .hardware = json.at("hardware").get<std::string>(),
              .bodies = json.at("bodies").get<std::size_t>(),
              .galaxies = json.value("galaxies", std::size_t{1}),
              .gips = json.value("gips", 0.0),
              .source = json.at("source").get<std::string>()};
  const auto n = static_cast<double>(rival.bodies);
  if (json.contains("seconds"))
    rival.gips = static_cast<double>(rival.galaxies) * n * n / json.at("seconds").get<double>() * 1e-9;
  if (!(rival.gips > 0.0))
    throw sim::Error(fmt::format("'{}' has neither seconds nor gips above 0", rival.name));
  return rival;
}

}  // namespace

std::vector<Rival> read_rivals(const std::filesystem::path& file) {
  const auto text = sim::read_text_file(file);
  try {
    std::vector<Rival> rivals;
    const auto json = nlohmann::json::parse(text);
    for (const auto& each : json.at("rivals")) rivals.push_back(rival_of(each));
    return rivals;
  } catch (const nlohmann::json::exception& error) {
    throw sim::Error(fmt::format("{}: {}; repair it", file.string(), error.what()));
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
