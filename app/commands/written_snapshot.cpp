#include "app/commands/written_snapshot.h"

#include <fmt/format.h>

#include "lab/setup/watched.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/snapshots/format.h"

namespace orrery::app {

void add_snapshot_format(Arguments& arguments, WrittenSnapshot& file, const std::string& meaning) {
  arguments.value("--format", file.format, meaning).shown_as("FORMAT");
  arguments.flag("--big-endian", file.big_endian, "Tipsy: the standard (XDR) byte order");
}

void check_output(const WrittenSnapshot& file) {
  if (file.path != "-") return;
  throw sim::UsageError(
      "snapshots are not written to standard output, because a file is whole or absent; name a file (./- is "
      "one of that name)");
}

void write_and_report(const sim::Scene& scene, const WrittenSnapshot& file) {
  {
    lab::Watch watch("writing " + file.path.string());
    sim::write_snapshot(scene, file.path, file.format,
                        {.big_endian = file.big_endian, .progress = watch.progress()});
  }
  fmt::print("{}: {}\n", file.path.string(), sim::counted(scene.bodies.size(), "body", "bodies"));
  if (sim::loses_colors(scene, file.path, file.format))
    fmt::print("  the colours of the bodies are left out: bin, csv, ply and vtk keep them\n");
  for (const auto& note : scene.notes) fmt::print("  {}\n", note);
}

}  // namespace orrery::app
