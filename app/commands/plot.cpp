#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/interruption.h"
#include "app/commands/kernel_folder.h"
#include "app/picture/display_options.h"
#include "lab/bench/bench_setup.h"
#include "lab/figures/figure_kind.h"
#include "lab/plots/figure_file.h"
#include "lab/plots/fonts.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

namespace {

struct PlotOptions {
  std::string kind;
  std::vector<std::string> words;  ///< arguments of the kind, and DATA
  RunOptions run;
  lab::FigureRequest figure;
  std::string rungs;               ///< rungs of a ladder, comma separated
  std::vector<std::string> saved;  ///< --from, files
  std::filesystem::path output;
  plots::PictureForm form;
  std::string json;  ///< a file, "-" for standard output, empty: none
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> names;
  std::size_t start = 0;
  while (start <= list.size() && !list.empty()) {
    const auto end = std::min(list.find(',', start), list.size());
    if (end > start) names.push_back(list.substr(start, end - start));
    start = end + 1;
  }
  return names;
}

/// True for a built-in galaxy and for a file that is there.
bool names_data(const std::string& word) {
  std::error_code failure;
  return sim::find_galaxy_model(word) != nullptr || std::filesystem::exists(word, failure);
}

/// The first word is the kind's subject, the next one the dataset.
void take_words(PlotOptions& options, const lab::FigureKind& kind) {
  const std::size_t most = kind.subject.empty() ? 1 : 2;
  if (options.words.size() > most)
    throw sim::UsageError(fmt::format("'{}' is too much: orrery plot {}{}{} [DATA] -o FILE",
                                      options.words.at(most), kind.name, kind.subject.empty() ? "" : " ",
                                      kind.subject));
  auto word = options.words.begin();
  const bool may_lack = kind.subject.starts_with('[') && options.words.size() == 1;
  if (!kind.subject.empty() && !(may_lack && names_data(*word)) && word != options.words.end())
    options.figure.subject = *word++;
  if (word != options.words.end()) options.run.dataset.source = *word;
}

/// The words of the command line put together, and checked before anything is measured.
const lab::FigureKind& complete(PlotOptions& options) {
  const auto& kind = lab::find_figure_kind(options.kind);
  take_words(options, kind);
  options.figure.dataset = options.run.dataset;
  options.figure.assignments = options.run.assignments;
  options.figure.rungs = split(options.rungs);
  lab::complete(options.figure, kind);
  if (options.figure.steps && *options.figure.steps < 1) throw sim::UsageError("--steps takes 1 or more");
  if (!options.saved.empty() && !options.run.dataset.source.empty())
    throw sim::UsageError(
        fmt::format("--from draws what was measured before; leave '{}' out", options.run.dataset.source));
  plots::check_figure_file(options.output);
  lab::check_report(options.json);
  return kind;
}

/// One document is written as it is, several as a list.
void write_json(const std::string& where, const lab::Documents& documents) {
  if (where.empty()) return;
  const auto text = documents.size() == 1 ? documents.front().dump(1) : nlohmann::json(documents).dump(1);
  lab::write_report(where, text + "\n");
}

lab::Documents documents_of(const PlotOptions& options, const lab::FigureKind& kind) {
  if (!options.saved.empty()) return lab::read_documents(kind, options.saved);
  return kind.measure(all_options(), options.figure);
}

int plot(PlotOptions& options) {
  end_early_on_signals();
  const auto& kind = complete(options);
  read_kernels_from(options.run.kernel_folder);
  lab::Documents documents;
  try {
    documents = documents_of(options, kind);
  } catch (const sim::Cancelled&) {
    if (!sim::interrupted()) throw;
  }
  if (!documents.empty()) write_json(options.json, documents);
  if (const int status = interrupted_at("the measurement; no figure was written")) return status;
  const auto figure = lab::draw_documents(kind, documents, options.figure);
  plots::write_figure(options.output, figure, options.form);
  if (!plots::has_font())
    fmt::print(stderr,
               "this machine has no font: the letters are plain ones (fonts-dejavu-core has better)\n");
  if (options.json != "-") fmt::print("{}\n", options.output.string());
  return 0;
}

std::string kinds_help() {
  std::string text = "Kinds of figures:\n";
  for (const auto* kind : lab::all_figure_kinds()) {
    text += fmt::format("  {:<9} {}\n", kind->name, kind->meaning);
    text += fmt::format("  {:<9} plot {}{}{} [DATA]; --from: JSON of {}\n", "", kind->name,
                        kind->subject.empty() ? "" : " ", kind->subject, kind->reads);
    if (!kind->quantities.empty())
      text += fmt::format("  {:<9} --quantity {}\n", "", fmt::join(kind->quantities, "|"));
  }
  return text;
}

void add_form(Arguments& arguments, const std::shared_ptr<PlotOptions>& options) {
  arguments
      .text(
          "--size",
          [options](const std::string& text) {
            const auto size = parse_picture_size(text);
            options->form = {.width = size.width, .height = size.height};
          },
          "Pixels of a PNG, and the shape of both (default: what suits the figure, 1600 wide)")
      .shown_as("WxH");
}

void add_what(Arguments& arguments, PlotOptions& options) {
  auto& figure = options.figure;
  arguments.value("--quantity", figure.quantity, "What the values are (see below)")
      .shown_as("NAME")
      .not_empty();
  arguments.value("--scale", figure.scale, "Axis of the values: linear or log (default: what suits them)")
      .shown_as("linear|log")
      .not_empty();
  arguments.value("--rungs", options.rungs, "Ladders: these rungs only, comma separated, in this order")
      .shown_as("LIST")
      .not_empty();
  arguments.value("--ladder", figure.ladder, "scaling, stages: rungs of this ladder instead of kernels")
      .shown_as("LADDER")
      .not_empty();
  arguments.value("--kernels", figure.kernels, "scaling, stages: kernels, comma separated, or all")
      .shown_as("KERNELS|all")
      .not_empty();
  arguments
      .value("--vary", figure.vary,
             "energy, error, steps: one curve for each value, e.g. integrator=leapfrog:forest-ruth")
      .shown_as("A[=V:V..]")
      .not_empty();
}

Action declare_plot(Arguments& arguments) {
  const auto options = std::make_shared<PlotOptions>();
  arguments.positional("KIND", options->kind, "What is drawn (see below)").required().not_empty();
  arguments
      .positional("WORDS", options->words,
                  "What the kind takes, then a file or the name of a built-in galaxy")
      .names_file(FileRole::read);
  arguments.value("-o,--output", options->output, "Figure to write, .svg or .png; never overwrites")
      .required()
      .names_file(FileRole::written);
  arguments
      .value("--from", options->saved,
             "Draw this saved JSON instead of measuring; may be repeated (sweeps, scaling)")
      .shown_as("FILE")
      .one_each_time()
      .names_file(FileRole::read);
  add_form(arguments, options);
  add_what(arguments, *options);
  add_dataset(arguments, options->run.dataset, options->figure.sizes);
  add_computing(arguments, options->run);
  add_kernel_folder(arguments, options->run.kernel_folder);
  add_ladder_folder(arguments, options->figure.ladders);
  arguments.value("--steps", options->figure.steps, "Steps of a run, or timed steps (default: the kind's)");
  add_json(arguments, options->json);
  arguments.footer(kinds_help());
  return [options, arguments] {
    options->figure.own_galaxies = arguments.given("--galaxies");
    return plot(*options);
  };
}

}  // namespace

extern const Command plot_command{.name = "plot",
                                  .meaning = "Draw measurements and orbits as a figure for paper, SVG or PNG",
                                  .declare = declare_plot};

}  // namespace orrery::app
