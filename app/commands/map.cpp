#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/interruption.h"
#include "app/commands/kernel_folder.h"
#include "app/picture/display_options.h"
#include "app/picture/png_file.h"
#include "lab/setup/progress_line.h"
#include "render/map_picture.h"
#include "sim/activity/map_options.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/interrupt.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/finite_watch.h"

namespace orrery::app {

namespace {

constexpr std::size_t usual_cells = 512;
/// A picture of fewer cells shows each as a square of several pixels.
constexpr std::size_t usual_pixels = 1024;

struct MapOptions {
  RunOptions run;
  std::optional<std::size_t> size;
  std::optional<std::size_t> pixels;
  std::uint64_t steps = 0;
  std::filesystem::path output;
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

/// Before anything is computed.
void check_output(const std::filesystem::path& output) {
  if (!is_csv(output) && output.extension() != ".png")
    throw sim::UsageError(fmt::format("'{}': a map is written as .png or .csv", output.string()));
  const sim::FileWriter trial(output, sim::Existing::keep);
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
  sim::FileWriter file(output, sim::Existing::keep);
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

void write(const MapOptions& options, const lab::BenchSetup& setup, const CountedMap& map) {
  if (is_csv(options.output)) return write_csv(options.output, map);
  const auto look = map_look(setup.configuration, setup.scene.bodies.size());
  const auto pixels = pixels_of(options, map.spec.size);
  write_png(options.output, render::map_picture(map.cells, map.spec.size, pixels, look));
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
  fmt::print("map: {}\n", options.output.string());
}

int map(const MapOptions& options) {
  end_early_on_signals();
  check_output(options.output);
  read_kernels_from(options.run.kernel_folder);
  auto run = options.run;
  run.assignments.insert(run.assignments.begin(),
                         fmt::format("map-size={}", options.size.value_or(usual_cells)));
  const auto setup = bench_setup(run);
  if (!sim::wants_map(setup.configuration)) throw sim::UsageError("map-size=0 is no map; choose 1 to 16384");
  setup.table.check(setup.configuration, setup.context);
  const auto counted = counted_map(setup, options.steps);
  write(options, setup, counted);
  report(options, setup.scene.bodies, counted);
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
      .value("--size", options->size, fmt::format("D: the map has D x D cells (default {})", usual_cells))
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
  add_shortcut(arguments, options->run, "--colors", "map-color", "Colour map of the picture (default red)")
      .shown_as("NAME");
  arguments.flag(
      "--log", [options] { options->run.assignments.emplace_back("map-log=on"); }, "Logarithmic colours");
  arguments
      .value("--pixels", options->pixels,
             fmt::format("Side of the picture (default: whole pixels a cell, at least {})", usual_pixels))
      .whole_number(1, sim::largest_map);
}

Action declare_map(Arguments& arguments) {
  const auto options = std::make_shared<MapOptions>();
  add_data(arguments, options->run, "File or name of a built-in galaxy (default: plummer)");
  add_dataset(arguments, options->run.dataset);
  add_what_is_counted(arguments, options);
  add_look(arguments, options);
  arguments.value("--steps", options->steps, "Steps before the map (default 0)").whole_number(0);
  add_computing(arguments, options->run);
  add_kernel_folder(arguments, options->run.kernel_folder);
  arguments
      .value("-o,--output", options->output,
             "PNG picture, or CSV of the cells, top row first; never overwrites")
      .required()
      .names_file(FileRole::written);
  arguments.footer(
      "All bodies are counted in their own coordinates, also those of several galaxies. A body on the edge "
      "of "
      "the box is inside; one between two cells belongs to the upper one.");
  return [options] { return map(*options); };
}

}  // namespace

/// How many bodies lie in each cell of a grid, as a picture or a table.
extern const Command map_command{.name = "map",
                                 .meaning = "Count bodies in the cells of a grid: a picture or a table",
                                 .declare = declare_map};

}  // namespace orrery::app
