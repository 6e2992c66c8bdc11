#include <memory>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/interruption.h"
#include "app/commands/written_snapshot.h"
#include "lab/setup/watched.h"

namespace orrery::app {

namespace {

struct Options {
  lab::DatasetRequest dataset;
  WrittenSnapshot output;
};

int make(Options& options) {
  end_early_on_signals();
  check_output(options.output);
  options.dataset.built_in = true;
  write_and_report(lab::load_watched(options.dataset), options.output);
  return 0;
}

Action declare(Arguments& arguments) {
  const auto options = std::make_shared<Options>();
  auto& dataset = options->dataset;
  arguments.positional("MODEL", dataset.source, "Name of a built-in galaxy").required().not_empty();
  arguments.value("--bodies", dataset.bodies, "Number of bodies").whole_number(1);
  arguments.value("--galaxies", dataset.galaxies, "Independent galaxies with different seeds")
      .whole_number(1, lab::most_galaxies);
  arguments.value("--seed", dataset.seed, "Seed (default 1)").whole_number(0);
  add_components(arguments, dataset);
  arguments.value("-o,--output", options->output.path, "File to write; its extension chooses the format")
      .required();
  add_snapshot_format(arguments, options->output,
                      "Format instead of the extension's, e.g. tipsy, csv, bin, vtk");
  arguments.footer(galaxies_help());
  return [options] { return make(*options); };
}

}  // namespace

extern const Command make_command{
    .name = "make", .meaning = "Write a built-in galaxy to a file", .declare = declare};

}  // namespace orrery::app
