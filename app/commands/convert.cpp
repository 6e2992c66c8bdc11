#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/scene_arguments.h"
#include "app/ending/answer_in_time.h"
#include "app/run/interruption.h"
#include "lab/setup/watched.h"
#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/scene/suggest.h"
#include "sim/scene/unit_systems.h"
#include "sim/snapshots/format.h"

namespace orrery::app {

namespace {

struct ConvertOptions {
  std::vector<std::string> files;  ///< those to read, and last the one to write
  lab::DatasetRequest input;
  WrittenSnapshot output;
  sim::UnitScales scales;
  std::optional<double> gravity;  ///< G in the units of the input
  bool to_unit_gravity = false;
};

/// Takes another G than the file states or was assumed, with the time step that goes with it.
void set_gravity(sim::Scene& scene, double gravity) {
  auto physics = scene.physics;
  const double factor = gravity / physics.gravitational_constant;
  physics.gravitational_constant = gravity;
  if (scene.physics_suggested) return sim::take_physics(scene, physics);
  if (factor > 0.0 && std::isfinite(factor)) physics.time_step /= std::sqrt(factor);
  scene.physics = physics;
}

/// The steps of units in their order: the file's own G, the scales, and last what makes G one.
void change_units(sim::Scene& scene, const ConvertOptions& options) {
  if (options.gravity) set_gravity(scene, *options.gravity);
  if (options.to_unit_gravity && !options.gravity && !scene.states_physics && !scene.states_gravity) {
    throw sim::UsageError(
        fmt::format("{} does not state its gravitational constant, which --to-G1 needs; name it with --G "
                    "(0.0043009 for solar masses, parsecs and km/s)",
                    sim::quoted(options.input.source)));
  }
  sim::scale_units(scene, options.scales);
  if (options.to_unit_gravity) sim::scale_units(scene, sim::scales_to_unit_gravity(scene));
}

void settle_files(ConvertOptions& options) {
  auto sources = options.files;
  if (sources.size() < 2) throw sim::UsageError("OUT is missing: name the file to write, as the last one");
  options.output.path = sources.back();
  check_output(options.output);
  sources.pop_back();
  options.input.source = sources.front();
  settle_offsets(options.input, sources);
  require_one(options.input, sources);
}

int convert(ConvertOptions& options) {
  end_early_on_signals();
  const NothingToKeep nothing;
  settle_files(options);
  lab::require_dataset(options.input);
  if (!lab::is_file(options.input)) {
    throw sim::UsageError(fmt::format("'{}' is a built-in galaxy; write it with `orrery make {} -o FILE`",
                                      options.input.source, options.input.source));
  }
  auto scene = lab::load_watched(options.input);
  change_units(scene, options);
  write_and_report(scene, options.output);
  return 0;
}

constexpr const char* units_help =
    "Units: G, softening, time step and time follow the scales, so that the bodies move as before. Stored by "
    "bin and vtk; with the other formats, look at what is printed.\n\n";

/// One line per format, in the order in which files are recognized; tools/reference.py reads them.
std::string formats_help() {
  std::string text = "File formats [with the extensions that select one for writing]:\n";
  for (const auto* format : sim::snapshot_formats()) {
    const char* use = format->write == nullptr ? "read" : "read, write";
    const char* between = format->extensions.empty() ? "" : ": ";
    text += fmt::format("  {:<10} {} [{}{}{}]\n", format->name, format->meaning, use, between,
                        format->extensions);
  }
  return text;
}

void add_units(Arguments& arguments, ConvertOptions& options) {
  auto& scales = options.scales;
  arguments.value("--mass-scale", scales.mass, "Multiply masses by this").positive_number();
  arguments.value("--length-scale", scales.length, "Multiply lengths by this").positive_number();
  arguments.value("--velocity-scale", scales.velocity, "Multiply velocities by this").positive_number();
  arguments.flag("--to-G1", options.to_unit_gravity,
                 "Multiply masses by G (after other scales), so that G is 1");
  arguments
      .value("--G", options.gravity,
             "Gravitational constant in the file's units (default: what the file states, else 1)")
      .positive_number();
}

Action declare_convert(Arguments& arguments) {
  const auto options = std::make_shared<ConvertOptions>();
  auto& input = options->input;
  arguments
      .positional("FILES", options->files,
                  "IN and OUT: file to read, and file to write, whose extension chooses the format; several "
                  "IN with --offset")
      .required()
      .not_empty()
      .names_files_and_output();
  arguments.group("Input");
  add_file_shortcuts(arguments, input);
  add_reading(arguments, input);
  add_offsets(arguments, input);
  arguments.group("Output");
  add_snapshot_format(arguments, options->output,
                      "Write this format instead of the extension's, e.g. tipsy, csv, bin, vtk");
  add_units(arguments, *options);
  arguments.footer(units_help + formats_help());
  return [options] { return convert(*options); };
}

}  // namespace

extern const Command convert_command{
    .name = "convert", .meaning = "Read a file and write it in another format", .declare = declare_convert};

}  // namespace orrery::app
