#include "app/commands/written_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

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

/// The same of what bodies have besides their numbers.
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

}  // namespace orrery::app
