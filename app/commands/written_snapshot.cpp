#include "app/commands/written_snapshot.h"

#include <fmt/format.h>

#include "sim/snapshots/format.h"

namespace orrery::app {

void add_snapshot_format(Arguments& arguments, WrittenSnapshot& file, const std::string& meaning) {
  arguments.value("--format", file.format, meaning).shown_as("FORMAT");
  arguments.flag("--big-endian", file.big_endian, "Tipsy: the standard (XDR) byte order");
}

void write_and_report(const sim::Scene& scene, const WrittenSnapshot& file) {
  sim::write_snapshot(scene, file.path, file.format, {.big_endian = file.big_endian});
  fmt::print("{}: {} bodies\n", file.path.string(), scene.bodies.size());
  for (const auto& note : scene.notes) fmt::print("  {}\n", note);
}

}  // namespace orrery::app
