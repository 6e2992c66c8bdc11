#include "app/commands/scene_arguments.h"

#include <fmt/format.h>

#include <charconv>

#include "app/session/shared_names.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"

namespace orrery::app {

namespace {

std::size_t parse_snapshot_number(const std::string& text) {
  std::uint32_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || number < 1)
    throw sim::UsageError(fmt::format("--snapshot takes a whole number from 1, not '{}'", text));
  return number - 1;
}

}  // namespace

void add_filter(Arguments& arguments, lab::DatasetRequest& dataset) {
  auto& filter = dataset.filter;
  const auto add = [&](const char* name, void (*set)(sim::BodyFilter&, std::string_view), const char* shown,
                       const char* meaning) {
    arguments
        .text(
            name, [&filter, set](const std::string& text) { set(filter, text); }, meaning)
        .shown_as(shown);
  };
  add("--in-box", sim::set_box, "X,Y,Z,X,Y,Z", "Take the bodies between these two corners only");
  add("--in-sphere", sim::set_sphere, "[X,Y,Z,]R",
      "Take the bodies within R of this point only; without one of the centre (median of the places)");
  add("--nearest", sim::set_nearest, "N[,X,Y,Z]", "Take the N bodies nearest to this point or to the centre");
  arguments
      .text(
          "--snapshot",
          [&dataset](const std::string& text) { dataset.snapshot = parse_snapshot_number(text); },
          "Of a series (a folder, a pattern or a file with several) start with this snapshot, from 1")
      .shown_as("N");
  arguments
      .value("--every-nth", filter.every_nth,
             "Take one of N bodies of each component, and make masses larger so that its mass stays")
      .shown_as("N")
      .whole_number(1);
}

void add_offsets(Arguments& arguments, lab::DatasetRequest& dataset) {
  const auto take = [&dataset](const std::vector<std::string>& texts) {
    for (const auto& text : texts) dataset.offsets.push_back(sim::parse_placement(text));
  };
  arguments
      .texts("--offset", take,
             "Several datasets in one scene: place, velocity and rotation (axis, degrees) of the next one, "
             "from the second on (from the first, if there is one for each); auto: on a parabolic orbit")
      .shown_as("X,Y,Z[:VX,VY,VZ[:AX,AY,AZ,DEG]]|auto")
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
