#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/scene_arguments.h"
#include "app/ending/answer_in_time.h"
#include "app/run/interruption.h"
#include "lab/setup/watched.h"
#include "sim/core/error.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

namespace {

struct MakeOptions {
  lab::DatasetRequest dataset;
  WrittenSnapshot output;
  bool list = false;
};

std::string bodies_of(const sim::GalaxyModel& model) {
  return model.minimum_bodies == model.maximum_bodies
             ? fmt::format("{}", model.minimum_bodies)
             : fmt::format("{} to {}", model.minimum_bodies, model.maximum_bodies);
}

int list_models() {
  fmt::print("{:<20} {:<18} meaning\n", "model", "bodies");
  for (const auto* model : sim::galaxy_models())
    fmt::print("{:<20} {:<18} {}\n", model->name, bodies_of(*model), model->meaning);
  return 0;
}

void check_making(const MakeOptions& options) {
  if (options.dataset.source.empty())
    throw sim::UsageError("make needs the name of a built-in galaxy; `orrery make --list` lists them");
  if (options.output.path.empty())
    throw sim::UsageError(
        fmt::format("make needs a file to write: orrery make {} -o FILE", options.dataset.source));
  check_output(options.output);
}

int make(MakeOptions& options) {
  if (options.list) return list_models();
  check_making(options);
  end_early_on_signals();
  const NothingToKeep nothing;
  options.dataset.built_in = true;
  write_and_report(lab::load_watched(options.dataset), options.output);
  return 0;
}

Action declare_make(Arguments& arguments) {
  const auto options = std::make_shared<MakeOptions>();
  auto& dataset = options->dataset;
  arguments.positional("MODEL", dataset.source, "Name of a built-in galaxy").not_empty();
  arguments.flag("--list", options->list, "List the built-in galaxies with their numbers of bodies");
  arguments.value("--bodies", dataset.bodies, "Number of bodies").whole_number(1);
  arguments.value("--galaxies", dataset.galaxies, "Independent galaxies with different seeds")
      .whole_number(1, lab::most_galaxies);
  arguments.value("--seed", dataset.seed, "Seed (default 1)").whole_number(0);
  add_reading(arguments, dataset);
  arguments.value("-o,--output", options->output.path, "File to write; its extension chooses the format")
      .names_file(FileRole::written);
  add_snapshot_format(arguments, options->output,
                      "Format instead of the extension's, e.g. tipsy, csv, bin, vtk");
  arguments.footer(galaxies_help());
  return [options] { return make(*options); };
}

}  // namespace

extern const Command make_command{
    .name = "make", .meaning = "Write a built-in galaxy to a file", .declare = declare_make};

}  // namespace orrery::app
