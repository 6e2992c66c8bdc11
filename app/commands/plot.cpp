#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/catalogue.h"
#include "app/session/run_options.h"
#include "lab/figures/figure_kind.h"
#include "lab/plots/figure_file.h"
#include "lab/plots/fonts.h"
#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"

namespace orrery::app {

namespace {

struct PlotOptions {
  std::string kind;
  std::vector<std::string> files;
  lab::FigureRequest figure;
  std::string rungs;  ///< rungs of a ladder, comma separated
  std::filesystem::path output;
  plots::PictureForm form;
};

int plot(PlotOptions& options) {
  const auto& kind = lab::find_figure_kind(options.kind);
  if (options.files.empty())
    throw sim::UsageError(fmt::format("plot {0} draws the JSON of {1}: orrery plot {0} FILE -o {2}",
                                      kind.name, kind.reads, options.output.string()));
  for (const auto name : sim::split_text(options.rungs, ','))
    if (!name.empty()) options.figure.rungs.emplace_back(name);
  lab::complete(options.figure, kind);
  plots::check_figure_file(options.output, options.form);
  const auto documents = lab::read_documents(kind, options.files);
  plots::write_figure(options.output, lab::draw_documents(kind, documents, options.figure), options.form);
  if (!plots::has_font())
    fmt::print(stderr,
               "this machine has no font: the letters are plain ones (fonts-dejavu-core has better)\n");
  fmt::print("{}\n", sim::one_line(options.output.string()));
  return 0;
}

std::string kinds_help() {
  std::string text = "Kinds of figures, the command whose JSON each draws, and its quantities:\n";
  for (const auto* kind : lab::all_figure_kinds()) {
    text += fmt::format("  {:<12} {}\n{:15}of {}\n", kind->name, kind->meaning, "", kind->reads);
    if (!kind->quantities.empty())
      text += fmt::format("{:15}--quantity {}\n", "", fmt::join(kind->quantities, "|"));
  }
  return text;
}

Action declare_plot(Arguments& arguments) {
  const auto options = std::make_shared<PlotOptions>();
  auto& figure = options->figure;
  arguments.positional("KIND", options->kind, "What is drawn (see below)").required().not_empty();
  arguments
      .positional("FILES", options->files,
                  "JSON that a measuring command wrote with --json (see below); of sweep and scaling several")
      .names_file(FileRole::read);
  arguments.group("What is drawn");
  arguments.value("--quantity", figure.quantity, "What the values are (see below)")
      .shown_as("NAME")
      .not_empty();
  arguments.value("--scale", figure.scale, "Axis of the values: linear or log (default: what suits them)")
      .shown_as("linear|log")
      .not_empty();
  arguments.value("--ladder", figure.ladder, "If the JSON has several ladders: this one")
      .shown_as("LADDER")
      .not_empty();
  arguments.value("--rungs", options->rungs, "Of a ladder these rungs only, comma separated, in this order")
      .shown_as("LIST")
      .not_empty();
  arguments.value("--bodies", figure.sizes, "Of a ladder these numbers of bodies only, comma separated")
      .comma_separated()
      .whole_number(1);
  arguments.group("Output");
  arguments.value("-o,--output", options->output, "Figure to write, .svg or .png")
      .required()
      .names_file(FileRole::written);
  arguments
      .text(
          "--size",
          [options](const std::string& text) {
            const auto size = parse_picture_size(text);
            options->form = {.width = size.width, .height = size.height};
          },
          "Pixels of a PNG, and the shape of both (default: what suits the figure, 1600 wide)")
      .shown_as("WxH");
  arguments.footer(kinds_help());
  return [options] { return plot(*options); };
}

}  // namespace

extern const Command plot_command{.name = "plot",
                                  .meaning = "Draw what was measured as a figure for paper, SVG or PNG",
                                  .declare = declare_plot};

}  // namespace orrery::app
