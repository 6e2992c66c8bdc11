#include <fmt/format.h>

#include "app/commands/commands.h"
#include "sim/error.h"

namespace orrery::app {

namespace {

void report(const sim::Scene& scene, const std::filesystem::path& output) {
  fmt::print("{}: {} bodies\n", output.string(), scene.bodies.size());
  for (const auto& note : scene.notes) fmt::print("  {}\n", note);
}

}  // namespace

int make_command(const MakeOptions& options) {
  const auto scene = load_dataset(options.dataset);
  sim::write_snapshot(scene, options.output, options.format, {.big_endian = options.big_endian});
  report(scene, options.output);
  return 0;
}

int convert_command(const ConvertOptions& options) {
  if (!is_file(options.input)) {
    throw sim::UsageError(fmt::format("'{}' is a built-in galaxy; write it with `orrery make {} -o FILE`",
                                      options.input.source, options.input.source));
  }
  const auto scene = load_dataset(options.input);
  sim::write_snapshot(scene, options.output, options.format, {.big_endian = options.big_endian});
  report(scene, options.output);
  return 0;
}

}  // namespace orrery::app
