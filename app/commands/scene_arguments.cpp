#include "app/commands/scene_arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/session/shared_names.h"
#include "lab/setup/watched.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/scene/unit_systems.h"
#include "sim/snapshots/format.h"
#include "sim/snapshots/stated_units.h"

namespace orrery::app {

void add_snapshot_format(Arguments& arguments, WrittenSnapshot& file, const std::string& meaning) {
  arguments.value("--format", file.format, meaning).shown_as("FORMAT");
  arguments.flag("--big-endian", file.big_endian, "Tipsy: the standard (XDR) byte order");
}

void check_output(const WrittenSnapshot& file) {
  const auto& format = sim::format_to_write(file.path, file.format);
  if (file.big_endian && format.name != "tipsy")
    throw sim::UsageError(fmt::format("--big-endian is for tipsy, and {} is to be {}; leave it out",
                                      sim::quoted(file.path), format.name));
}

namespace {

/// The units that a scene without any got, because the file must have some; empty: none were needed.
std::string assumed_units(const sim::Scene& scene, const sim::SnapshotFormat& format) {
  if (format.name != "hdf5" || !sim::units_text(scene.units).empty()) return {};
  return fmt::format("hdf5 needs units: {} were put in, so that G is {:.6g}",
                     sim::unit_names(sim::units_for(scene), false), scene.physics.gravitational_constant);
}

/// The units that the file cannot hold, for a message; empty: none are lost.
std::string lost_units(const sim::Scene& scene, const sim::SnapshotFormat& format) {
  const auto text = sim::units_text(scene.units);
  if (format.keeps.units || text.empty()) return {};
  const auto* const system = sim::unit_system_of(scene);
  return fmt::format("{} holds no units ({}, G = {:.6g}): {}", format.name, text,
                     scene.physics.gravitational_constant,
                     system != nullptr ? fmt::format("read it with --units {}", system->name)
                                       : std::string("bin, vtk and hdf5 do"));
}

/// Says which colours and names of bodies the format does not keep.
std::vector<std::string> lost_looks(const sim::Scene& scene, const sim::SnapshotFormat& format) {
  const auto& bodies = scene.bodies;
  const auto& keeps = format.keeps;
  std::vector<std::string> lost;
  if (bodies.has_colors() && !keeps.colors)
    lost.emplace_back("the colours of the bodies are left out: bin, csv and vtk keep them");
  if (bodies.has_colors() && keeps.colors && !keeps.no_color &&
      std::ranges::find(bodies.color, sim::no_color) != bodies.color.end())
    lost.emplace_back("bodies without a colour are white in the file: bin and csv keep that they have none");
  if (!scene.names.empty() && !keeps.names)
    lost.emplace_back("the names of the bodies are left out: csv keeps them");
  return lost;
}

}  // namespace

void write_and_report(const sim::Scene& scene, const WrittenSnapshot& file) {
  {
    lab::Watch watch("writing " + file.path.string());
    sim::write_snapshot(scene, file.path, file.format,
                        {.big_endian = file.big_endian, .progress = watch.progress()});
  }
  const auto& format = sim::format_to_write(file.path, file.format);
  fmt::print("{}: {}\n", sim::one_line(file.path.string()),
             sim::counted(scene.bodies.size(), "body", "bodies"));
  for (const auto& note : lost_looks(scene, format)) fmt::print("  {}\n", note);
  for (const auto& note : scene.notes) fmt::print("  {}\n", note);
  if (const auto note = assumed_units(scene, format); !note.empty()) fmt::print("  {}\n", note);
  if (const auto note = lost_units(scene, format); !note.empty()) fmt::print("  {}\n", note);
}

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
