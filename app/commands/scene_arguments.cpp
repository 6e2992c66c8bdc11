#include "app/commands/scene_arguments.h"

#include <fmt/format.h>

#include "app/session/shared_names.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"

namespace orrery::app {

void add_offsets(Arguments& arguments, lab::DatasetRequest& dataset) {
  const auto take = [&dataset](const std::vector<std::string>& texts) {
    for (const auto& text : texts) dataset.offsets.push_back(sim::parse_placement(text));
  };
  arguments
      .texts(
          "--offset", take,
          "Several DATA in one scene: position, velocity and rotation (axis, degrees) of the next one, from "
          "the second on: X,Y,Z[:VX,VY,VZ[:AX,AY,AZ,DEG]]; auto: on a parabolic orbit")
      .shown_as("PLACE|auto")
      .one_each_time();
}

void settle_offsets(lab::DatasetRequest& dataset, std::vector<std::string>& sources) {
  auto& offsets = dataset.offsets;
  if (offsets.empty()) return;
  if (sources.size() < 2)
    throw sim::UsageError("--offset puts several datasets into one scene; name a second one");
  if (offsets.size() + 1 == sources.size()) offsets.insert(offsets.begin(), sim::Placement{});
  if (offsets.size() != sources.size())
    throw sim::UsageError(fmt::format("{} and {}: say --offset for each, or for all but the first",
                                      sim::counted(sources.size(), "dataset", "datasets"),
                                      sim::counted(offsets.size(), "offset", "offsets")));
  if (offsets.front().thrown)
    throw sim::UsageError("--offset auto is for the second dataset and later ones, which meet the first");
  dataset.source = sources.front();
  for (std::size_t n = 1; n < sources.size(); ++n)
    dataset.with.push_back(name_in_scene({.source = sources[n]}));
  sources.resize(1);
}

void require_one(const lab::DatasetRequest& dataset, const std::vector<std::string>& sources) {
  if (sources.size() < 2) return;
  throw sim::UsageError(
      fmt::format("one dataset at a time, not '{}' and '{}'; with --offset several are one "
                  "scene",
                  dataset.source, sources[1]));
}

}  // namespace orrery::app
