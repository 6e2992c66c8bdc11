#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/picture/picture_style.h"
#include "app/picture/png_file.h"
#include "app/run/interruption.h"
#include "app/run/kernel_folder.h"
#include "app/session/idle_assignments.h"
#include "lab/figures/map_figure.h"
#include "lab/plots/figure_file.h"
#include "lab/setup/progress_line.h"
#include "render/map/map_picture.h"
#include "sim/activity/map_options.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/interrupt.h"
#include "sim/core/json_text.h"
#include "sim/core/message.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/lost_run.h"

namespace orrery::app {

namespace {

constexpr std::size_t usual_cells = 512;
constexpr std::size_t usual_figure_cells = 100;
/// A picture of fewer cells shows each as a square of several pixels.
constexpr std::size_t usual_pixels = 1024;

struct MapOptions {
  RunOptions run;
  std::optional<std::size_t> size;
  std::optional<std::size_t> pixels;
  std::uint64_t steps = 0;
  std::filesystem::path output;
  std::string colors;  ///< empty: not given
  bool logarithmic = false;
  bool axes = false;
  std::string json;  ///< a file, "-" for standard output; empty: none
};

/// The activity map of a step, as the engine counted it.
struct CountedMap {
  sim::MapSpec spec;
  std::vector<float> cells;
  std::uint64_t steps = 0;
};

/// "fit", or "0,1,0,1": left, right, bottom, top.
std::string box_assignment(std::string text) {
  std::ranges::replace(text, ',', ':');
  return "map-box=" + text;
}

bool is_csv(const std::filesystem::path& output) { return output.extension() == ".csv"; }

bool is_figure(const MapOptions& options) { return options.axes || options.output.extension() == ".svg"; }

void check_figure(const MapOptions& options) {
  if (!options.colors.empty() && options.colors != "red")
    throw sim::UsageError("a map with axes is dark on white, or red (--colors red)");
}

/// Before anything is computed.
void check_map(const MapOptions& options) {
  const auto& output = options.output;
  const bool picture = output.extension() == ".png" || output.extension() == ".svg";
  if (!picture && !is_csv(output))
    throw sim::UsageError(fmt::format("'{}': a map is written as .png, .svg or .csv", output.string()));
  if (options.axes && !picture) throw sim::UsageError("--axes is for a .png or .svg file, not for a table");
  if (is_figure(options)) check_figure(options);
  lab::check_report(options.json);
  const sim::FileWriter trial(output, sim::for_named_outputs());
}

/// Ends early, after a complete step, when a person interrupts.
void make_steps(sim::Engine& engine, const sim::Bodies& bodies, std::uint64_t steps) {
  sim::FiniteWatch watch(bodies);
  lab::ProgressLine line("map");
  for (std::uint64_t step = 0; step < steps; ++step) {
    if (!engine.advance({.interrupt = sim::interrupt_flag()}) && sim::interrupted()) break;
    watch.after_step(engine);
    if (line.due())
      line.show(fmt::format("step {} of {}", step + 1, steps),
                static_cast<double>(step + 1) / static_cast<double>(steps));
  }
  engine.finish();
  watch.check(engine);
}

CountedMap counted_map(const lab::BenchSetup& setup, std::uint64_t steps) {
  const auto engine = sim::make_engine(setup.table, setup.configuration);
  const auto& bodies = setup.scene.bodies;
  engine->load(bodies, setup.scene.time);
  if (steps > 0) make_steps(*engine, bodies, steps);
  CountedMap map{.spec = engine->map(), .cells = {}, .steps = engine->status().steps};
  std::vector<float> position(4 * bodies.size());
  std::vector<float> velocity(4 * bodies.size());
  std::vector<float> published(sim::map_header + map.spec.size * map.spec.size);
  engine->write_vertices({.position = position.data(),
                          .velocity = velocity.data(),
                          .bodies = bodies.size(),
                          .map = published.data(),
                          .map_size = map.spec.size});
  published.erase(published.begin(), published.begin() + sim::map_header);
  map.cells = std::move(published);
  return map;
}

/// Rows from the top, as in the picture; counts as whole numbers.
void write_csv(const std::filesystem::path& output, const CountedMap& map) {
  sim::FileWriter file(output, sim::for_named_outputs());
  const std::size_t size = map.spec.size;
  for (std::size_t row = size; row-- > 0;) {
    std::string line;
    for (std::size_t column = 0; column < size; ++column)
      fmt::format_to(std::back_inserter(line), "{}{}", column > 0 ? "," : "", map.cells[row * size + column]);
    file.write(line + '\n');
  }
  file.finish();
}

/// Each cell a square where they are few.
std::size_t pixels_of(const MapOptions& options, std::size_t size) {
  if (options.pixels) return *options.pixels;
  return size >= usual_pixels ? size : size * ((usual_pixels + size - 1) / size);
}

void write_figure(const MapOptions& options, const nlohmann::json& document, bool logarithmic) {
  lab::FigureRequest request;
  request.quantity = options.colors == "red" ? "red" : "dark";
  request.scale = logarithmic ? "log" : "linear";
  const auto figure = lab::draw_documents(lab::map_figure, {document}, request);
  plots::PictureForm form;
  if (options.pixels) {
    const auto side = static_cast<double>(*options.pixels);
    form.width = static_cast<int>(*options.pixels);
    form.height = std::max(static_cast<int>(side * figure.height / figure.width), 1);
  }
  plots::write_figure(options.output, figure, form);
}

void write(const MapOptions& options, const lab::BenchSetup& setup, const CountedMap& map) {
  const auto document = [&] { return lab::map_document(setup, map.spec, map.steps, map.cells); };
  if (!options.json.empty()) lab::write_report(options.json, sim::dump_json(document(), 1) + "\n");
  if (is_figure(options))
    return write_figure(options, document(),
                        map_look(Look(setup.configuration), setup.scene.bodies.size()).logarithmic);
  if (is_csv(options.output)) return write_csv(options.output, map);
  const auto look = map_look(Look(setup.configuration), setup.scene.bodies.size());
  const auto pixels = pixels_of(options, map.spec.size);
  write_png(options.output, render::map_picture(map.cells, map.spec.size, pixels, look), {},
            sim::for_named_outputs());
}

/// Prints a summary of the map, for people.
void report(const MapOptions& options, const sim::Bodies& bodies, const CountedMap& map) {
  const auto& [size, plane, box, values] = map.spec;
  double sum = 0.0;
  for (const float cell : map.cells) sum += cell;
  const auto largest = *std::ranges::max_element(map.cells);
  fmt::print("{}, step {}: {} x {} cells of the {} plane, {:g} to {:g} and {:g} to {:g}\n",
             sim::counted(bodies.size(), "body", "bodies"), map.steps, size, size,
             sim::map_plane_names.at(static_cast<std::size_t>(plane)), box.left, box.right, box.bottom,
             box.top);
  const char* nobody = sum > 0.0 ? "" : "; --box all has all bodies inside";
  if (values == sim::MapValues::count)
    fmt::print("inside: {}; fullest cell: {:.0f}; mean: {:.4g}{}\n",
               sim::counted(static_cast<std::size_t>(sum), "body", "bodies"), largest,
               sum / static_cast<double>(map.cells.size()), nobody);
  else
    fmt::print("largest value: {:.4g}; mean: {:.4g}{}\n", largest,
               sum / static_cast<double>(map.cells.size()), nobody);
  fmt::print("map: {}\n", sim::one_line(options.output.string()));
}

/// The run with the options of the map.
RunOptions with_map(const MapOptions& options) {
  auto run = options.run;
  const auto usual = is_figure(options) ? usual_figure_cells : usual_cells;
  run.assignments.insert(run.assignments.begin(), fmt::format("map-size={}", options.size.value_or(usual)));
  if (!options.colors.empty()) run.assignments.push_back("map-color=" + options.colors);
  if (options.logarithmic) run.assignments.emplace_back("map-log=on");
  return run;
}

void check_cells(const MapOptions& options, const sim::Configuration& configuration) {
  if (!sim::wants_map(configuration)) throw sim::UsageError("map-size=0 is no map; choose 1 to 16384");
  const auto cells = sim::map_options(configuration).size;
  if (is_figure(options) && cells > lab::most_figure_cells)
    throw sim::UsageError(fmt::format(
        "a map with axes has at most {} cells along a side; a .png without --axes or a .csv may have more",
        lab::most_figure_cells));
}

int map(const MapOptions& options) {
  end_early_on_signals();
  check_map(options);
  read_kernels_from(options.run.kernel_folder);
  const auto run = with_map(options);
  const auto setup = bench_setup(run);
  check_cells(options, setup.configuration);
  setup.table.check(setup.configuration, setup.context);
  report_idle_assignments(setup.table, run.assignments, {&setup.configuration, 1}, Draws::yes);
  const auto counted = counted_map(setup, options.steps);
  write(options, setup, counted);
  if (options.json != "-") report(options, setup.scene.bodies, counted);
  return interrupted_at(fmt::format("step {} of {}", counted.steps, options.steps));
}

/// A shorter way to write --set option=VALUE.
Argument add_shortcut(Arguments& arguments, RunOptions& run, const std::string& name,
                      const std::string& option, const std::string& meaning) {
  const auto assign = [&run, option](const std::string& value) {
    run.assignments.push_back(option + '=' + value);
  };
  return arguments.text(name, assign, meaning);
}

void add_what_is_counted(Arguments& arguments, const std::shared_ptr<MapOptions>& options) {
  auto& run = options->run;
  arguments
      .value("--size", options->size,
             fmt::format("D: the map has D x D cells (default {}; with axes {})", usual_cells,
                         usual_figure_cells))
      .whole_number(1, sim::largest_map);
  add_shortcut(arguments, run, "--plane", "map-plane", "Plane: xy, xz or yz").shown_as("PLANE");
  arguments
      .text(
          "--box", [&run](const std::string& text) { run.assignments.push_back(box_assignment(text)); },
          "Part of the plane: fit (most bodies, the default), all, unit-square, centered-square, or "
          "left,right,bottom,top")
      .shown_as("BOX");
  add_shortcut(arguments, run, "--values", "map-values",
               "What a cell says: count, or normalised (count / bodies x D, at most 1)")
      .shown_as("VALUES");
}

void add_look(Arguments& arguments, const std::shared_ptr<MapOptions>& options) {
  arguments
      .value("--colors", options->colors,
             "Colour map of the picture (default red; with axes dark on white, or red)")
      .shown_as("NAME")
      .not_empty();
  arguments.flag("--log", options->logarithmic, "Logarithmic colours");
  arguments.flag("--axes", options->axes, "A figure for paper, with axes; an .svg file always is");
  arguments
      .value("--pixels", options->pixels,
             fmt::format("Width of the picture (default: whole pixels a cell, at least {}; with axes 1280)",
                         usual_pixels))
      .whole_number(1, sim::largest_map);
}

Action declare_map(Arguments& arguments) {
  const auto options = std::make_shared<MapOptions>();
  add_data(arguments, options->run, "File or name of a built-in galaxy (default: plummer)");
  add_dataset(arguments, options->run.dataset);
  add_computing(arguments, options->run);
  add_kernel_folder(arguments, options->run.kernel_folder);
  arguments.group("Map");
  arguments.value("--steps", options->steps, "Steps before the map (default 0)").whole_number(0);
  add_what_is_counted(arguments, options);
  add_look(arguments, options);
  arguments.group("Output");
  add_json(arguments, options->json);
  arguments
      .value("-o,--output", options->output,
             "PNG picture, SVG figure with axes, or CSV of the cells, top row first")
      .required()
      .names_file(FileRole::written);
  arguments.footer(
      "All bodies are counted in their own coordinates, also those of several galaxies. A body on the edge "
      "of "
      "the box is inside; one between two cells belongs to the upper one.");
  return [options] { return map(*options); };
}

}  // namespace

/// `orrery map`: the number of bodies in each cell of a grid, as a picture or a table.
extern const Command map_command{.name = "map",
                                 .meaning = "Count bodies in the cells of a grid: a picture or a table",
                                 .declare = declare_map};

}  // namespace orrery::app
