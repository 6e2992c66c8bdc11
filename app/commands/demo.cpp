#include <fmt/format.h>

#include <memory>
#include <string>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/film/film_format.h"
#include "app/film/film_sink.h"
#include "app/log.h"
#include "app/picture/display_options.h"
#include "app/run/interruption.h"
#include "app/window/display_window.h"
#include "app/window/headless_demo.h"
#include "app/window/viewer.h"
#include "sim/core/error.h"

namespace orrery::app {

namespace {

constexpr int film_rate = 30;

struct DemoOptions {
  std::string name = "limit";
  bool list = false;
  bool by_itself = false;
  ViewOptions view;
  std::optional<PictureSize> size;
  std::string table;
  std::filesystem::path record;
};

int list_demos(const sim::OptionTable& table) {
  std::vector<std::string> problems;
  for (const auto& demo : all_demos(table, problems))
    fmt::print("{:<14} {}: {}\n", demo.name, demo.title, demo.meaning);
  for (const auto& problem : problems) fmt::print(stderr, "{}\n", problem);
  return problems.empty() ? 0 : 1;
}

int play_headless(const DemoOptions& options, Demo demo) {
  end_early_on_signals();
  HeadlessDemo wanted{.demo = std::move(demo),
                      .dataset = options.view.run.dataset,
                      .assignments = options.view.run.assignments,
                      .table = options.table};
  if (options.size) wanted.size = *options.size;
  if (is_film_file(options.record)) {
    wanted.film = {
        .output = options.record, .size = {wanted.size.width, wanted.size.height}, .rate = film_rate};
    wanted.film.comment = fmt::format("orrery {}: demo {}", ORRERY_VERSION, wanted.demo.name);
    settle_film(wanted.film);
    wanted.film = possible_plan(wanted.film);
  } else {
    wanted.pictures = options.record;
  }
  // Without a display and without a wish: the table.
  if (wanted.table.empty() && options.record.empty()) wanted.table = std::string(1, '-');
  const auto title = wanted.demo.name;
  if (const int status = play_without_window(wanted)) return status;
  return interrupted_at("the demo " + title);
}

int play_in_window(const DemoOptions& options, Demo demo) {
  end_early_on_signals();
  auto view = options.view;
  view.run.data = {view.run.dataset.source};
  view.window_size = options.size;
  view.demo = std::move(demo);
  view.demo_by_itself = options.by_itself;
  Viewer(view, display_window(view)).run();
  return interrupted_at("the demo " + view.demo->name);
}

/// A film, or a folder for a picture of each step.
void check_record(const std::filesystem::path& record) {
  if (record.empty() || !record.has_extension() || is_film_file(record)) return;
  throw sim::UsageError(fmt::format(
      "--record makes a film .mp4, .mkv or .webm, or keeps a picture of each step in a folder, and "
      "'{}' looks like another file",
      record.string()));
}

int play(const DemoOptions& options) {
  const auto table = all_options();
  if (options.list) return list_demos(table);
  check_record(options.record);
  auto demo = find_demo(table, options.name);
  auto settled = options;
  auto& run = settled.view.run;
  const auto bodies = run.dataset.bodies;
  run.dataset = demo.dataset_for(gpu_computes(table));
  if (bodies) run.dataset.bodies = bodies;
  // Of the demo file's own machine nothing is remembered.
  run.untuned = true;
  lab::require_dataset(run.dataset);
  start_log();
  const bool files = !options.table.empty() || !options.record.empty();
  const bool window = run.display == Display::window ||
                      (run.display == Display::automatic && !files && DisplayWindow::available());
  return window ? play_in_window(settled, std::move(demo)) : play_headless(settled, std::move(demo));
}

Action declare_demo(Arguments& arguments) {
  const auto options = std::make_shared<DemoOptions>();
  auto& run = options->view.run;
  arguments
      .positional("NAME", options->name, "A demonstration, or a file of one (default: limit; see --list)")
      .not_empty()
      .names_file(FileRole::read);
  arguments.flag("--list", options->list, "List the demonstrations");
  arguments.flag("--auto", options->by_itself, "Go on without Space: each step as long as it says");
  arguments
      .value("--table", options->table, "Without a window: the measured medians as CSV; - is standard output")
      .shown_as("FILE|-")
      .not_empty()
      .names_file(FileRole::written);
  arguments
      .value(
          "--record", options->record,
          "Without a window: a film .mp4, .mkv or .webm of the demonstration, or a picture of each step into "
          "a folder")
      .shown_as("FILE|DIR")
      .not_empty()
      .names_file(FileRole::filled);
  arguments
      .value("--bodies", run.dataset.bodies, "Bodies of the built-in galaxy (default: what the demo says)")
      .whole_number(1);
  add_size(arguments, "--size", options->size,
           "Size of the window (default: as last time), or of the pictures (default 1920x1080)");
  arguments.flag("--fullscreen", options->view.fullscreen, "Use the whole screen");
  arguments
      .text(
          "--display",
          [options](const std::string& text) { options->view.run.display = parse_display(text); },
          "Where to draw")
      .shown_as("auto|window|headless");
  arguments.footer(
      "In the window Space goes on and Esc takes over: the demonstration ends, and all stays as it is.\n"
      "Without a display, and with --table or --record, the steps run by themselves.\n"
      "Own demonstrations: JSON files like those of share/orrery/demos; docs/demos.md says what is in them.");
  return [options] { return play(*options); };
}

}  // namespace

extern const Command demo_command{
    .name = "demo",
    .meaning = "Show a scripted demonstration: steps with captions, views and rates",
    .declare = declare_demo};

}  // namespace orrery::app
