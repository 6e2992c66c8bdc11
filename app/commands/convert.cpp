#include <fmt/format.h>

#include <memory>

#include "app/commands/catalogue.h"
#include "app/commands/interruption.h"
#include "app/commands/written_snapshot.h"
#include "lab/setup/watched.h"
#include "sim/core/error.h"

namespace orrery::app {

namespace {

struct Options {
  lab::DatasetRequest input;
  WrittenSnapshot output;
};

int convert(const Options& options) {
  end_early_on_signals();
  lab::require_dataset(options.input);
  if (!lab::is_file(options.input)) {
    throw sim::UsageError(fmt::format("'{}' is a built-in galaxy; write it with `orrery make {} -o FILE`",
                                      options.input.source, options.input.source));
  }
  write_and_report(lab::load_watched(options.input), options.output);
  return 0;
}

Action declare(Arguments& arguments) {
  const auto options = std::make_shared<Options>();
  auto& input = options->input;
  arguments.positional("IN", input.source, "File to read").required().not_empty();
  arguments.positional("OUT", options->output.path, "File to write; its extension chooses the format")
      .required();
  arguments.value("--columns", input.columns,
                  "Text files: column order, e.g. mass,x,y,z,vx,vy,vz; - skips one");
  arguments.value("--input-format", input.format, "Read as this format instead of recognizing the content")
      .shown_as("FORMAT");
  add_snapshot_format(arguments, options->output,
                      "Write this format instead of the extension's: tipsy, csv or bin");
  return [options] { return convert(*options); };
}

}  // namespace

extern const Command convert_command{
    .name = "convert", .meaning = "Read a file and write it in another format", .declare = declare};

}  // namespace orrery::app
