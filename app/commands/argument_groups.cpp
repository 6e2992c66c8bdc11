#include "app/commands/argument_groups.h"

#include "app/picture/look_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/activity/activity_map.h"
#include "sim/core/error.h"
#include "sim/core/spelling.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

namespace {

constexpr const char* bodies_meaning = "Number of bodies in a built-in galaxy (in each, with --galaxies)";

void add_other_than_bodies(Arguments& arguments, lab::DatasetRequest& dataset) {
  arguments
      .value("--galaxies", dataset.galaxies,
             "Number of independent galaxies; built-in ones get different seeds")
      .whole_number(1, lab::most_galaxies);
  arguments.value("--seed", dataset.seed, fmt::format("Seed of a built-in galaxy (default {})", dataset.seed))
      .whole_number(0);
  add_file_shortcuts(arguments, dataset);
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// --kernel NAME and the like: shorter ways to write --set kernel=NAME.
void add_shortcut(Arguments& arguments, RunOptions& run, const std::string& flag, const std::string& option,
                  const std::string& meaning) {
  const auto assign = [&run, option](const std::string& value) {
    run.assignments.push_back(option + "=" + value);
  };
  arguments.text(flag, assign, fmt::format("{} (--set {}=...)", meaning, option)).shown_as("VALUE");
}

/// The same of a setting.
void add_shortcut(Arguments& arguments, const SettingList& settings, const std::string& name,
                  const std::string& meaning) {
  const auto& setting = *find_setting(settings, name);
  arguments.text("--" + name, setting.take, fmt::format("{} (--set {}=...)", meaning, name))
      .shown_as(setting.values);
}

[[noreturn]] void refuse_assignment(const std::string& assignment, const SettingList& settings) {
  std::vector<std::string> names;
  for (const auto& setting : settings) names.push_back(setting.name);
  const auto name = assignment.substr(0, assignment.find('='));
  throw sim::UsageError(fmt::format("--set {}: nothing is computed here, and --set takes {}{}", assignment,
                                    fmt::join(names, ", "), sim::did_you_mean(name, names)));
}

/// Settings take theirs; the other assignments are of options. Null: there are none.
void take_assignments(const std::vector<std::string>& values, const SettingList& settings,
                      std::vector<std::string>* options) {
  for (const auto& each : values) {
    const auto equals = each.find('=');
    const auto* setting =
        equals == std::string::npos ? nullptr : find_setting(settings, each.substr(0, equals));
    if (setting != nullptr)
      setting->take(each.substr(equals + 1));
    else if (options == nullptr)
      refuse_assignment(each, settings);
    else
      append(*options, with_looks({each}));
  }
}

void add_set(Arguments& arguments, const SettingList& settings, std::vector<std::string>* options,
             const std::string& meaning) {
  const auto take = [settings, options](const std::vector<std::string>& values) {
    take_assignments(values, settings, options);
  };
  arguments.texts("--set", take, meaning + "; may be repeated (`orrery --help-options` lists all)")
      .shown_as("NAME=VALUE")
      .one_each_time();
}

}  // namespace

void add_data(Arguments& arguments, RunOptions& run, const std::string& meaning, DataCount count) {
  const auto take = [&run](const std::vector<std::string>& values) {
    run.data = values;
    run.dataset.source = values.front();
  };
  auto data = arguments.texts("DATA", take, meaning).not_empty().shown_as("").names_file(FileRole::read);
  if (count == DataCount::one) data.just_one();
}

void add_dataset(Arguments& arguments, lab::DatasetRequest& dataset) {
  arguments.group("Input");
  arguments.value("--bodies", dataset.bodies, bodies_meaning).whole_number(1);
  add_other_than_bodies(arguments, dataset);
}

void add_dataset(Arguments& arguments, lab::DatasetRequest& dataset, std::vector<std::size_t>& sizes) {
  arguments.group("Input");
  const auto meaning = fmt::format("{}; a comma-separated list is measured in turn", bodies_meaning);
  arguments.value("--bodies", sizes, meaning).comma_separated().whole_number(1);
  add_other_than_bodies(arguments, dataset);
}

void add_file_shortcuts(Arguments& arguments, lab::DatasetRequest& dataset) {
  const auto settings = reading_settings(dataset);
  add_shortcut(arguments, settings, "columns", "Columns of a text table in order");
  add_shortcut(arguments, settings, "units", "Units of a file that states none, such as gadget or kpc");
}

void add_reading(Arguments& arguments, lab::DatasetRequest& dataset) {
  add_set(arguments, reading_settings(dataset), nullptr,
          "Choose how files are read and which bodies are kept");
}

void add_series(Arguments& arguments, RunOptions& run) {
  arguments.value("--series", run.series.folder, "Write a series of states into this new or empty folder")
      .shown_as("DIR")
      .not_empty()
      .names_file(FileRole::filled);
  arguments
      .value("--every", run.every,
             "Interval between states of a series, in steps (default 1), or between checkpoints, in steps or "
             "time: 30s, 10min, 2h (default 10min)")
      .shown_as("N|TIME")
      .not_empty();
  arguments.value("--format", run.format, "Format of the series: vtk (default), tipsy, bin, csv")
      .shown_as("FORMAT");
}

void add_checkpoints(Arguments& arguments, CheckpointRequest& checkpoint, const std::string& resume_meaning,
                     bool last_session) {
  arguments
      .value("--checkpoint", checkpoint.file,
             "Save checkpoints to FILE at intervals (--every) and at the end; the one before stays as "
             "FILE.previous")
      .shown_as("FILE")
      .not_empty()
      .names_file(FileRole::checkpoint);
  const auto take = [&checkpoint](const std::string& file) { checkpoint.resume = file; };
  auto resume = arguments.text("--resume", take, resume_meaning).shown_as(last_session ? "[FILE]" : "FILE");
  resume.names_file(FileRole::read);
  if (last_session)
    resume.may_lack_value();
  else
    resume.not_empty();
}

void add_computing(Arguments& arguments, RunOptions& run, const SettingList& more) {
  arguments.group("Computing");
  add_shortcut(arguments, run, "--engine", "engine", "Engine that computes the forces");
  add_shortcut(arguments, run, "--kernel", "kernel", "CPU kernel");
  add_shortcut(arguments, run, "--devices", "devices",
               "GPUs that share the work, e.g. 0,2 (the first one draws)");
  add_options(arguments, run, more);
}

void add_options(Arguments& arguments, RunOptions& run, const SettingList& more) {
  auto settings = reading_settings(run.dataset);
  settings.insert(settings.end(), more.begin(), more.end());
  add_set(arguments, settings, &run.assignments, "Set any option");
}

void add_state(Arguments& arguments, RunOptions& run) {
  arguments
      .value("--state", run.state,
             "Start from a picture (PNG) or state (JSON) of orrery; DATA replaces its dataset")
      .shown_as("FILE")
      .names_file(FileRole::read);
}

void add_untuned(Arguments& arguments, RunOptions& run) {
  arguments.flag("--untuned", run.untuned, "Ignore the results that `orrery tune` saved");
}

void add_camera(Arguments& arguments, CameraChoice& camera) {
  arguments
      .text(
          "--view", [&camera](const std::string& text) { take_view(camera, text); },
          "View: fit (tilted, the default), face-on, edge-on, three-quarter, or the camera of a JSON file, "
          "state or picture")
      .shown_as("NAME|FILE")
      .names_file(FileRole::read);
  arguments
      .text(
          "--zoom", [&camera](const std::string& text) { camera.zoom = parse_zoom(text); },
          "Magnify the view by this factor")
      .shown_as("FACTOR");
}

void add_maps(Arguments& arguments, std::vector<std::size_t>& maps) {
  arguments
      .value("--map", maps,
             "Count an activity map of D x D cells in every step (--set map-size=...); a comma-separated "
             "list is measured in turn")
      .shown_as("D")
      .comma_separated()
      .whole_number(0, sim::largest_map);
}

void add_kernel_folder(Arguments& arguments, std::filesystem::path& folder, const std::string& meaning) {
  arguments.value("--watch-kernels", folder, meaning).shown_as("DIR").not_empty().names_file(FileRole::read);
}

void add_ladder_folder(Arguments& arguments, std::filesystem::path& folder) {
  arguments
      .value("--ladders", folder,
             "Folder with more ladders (besides ladders/ in your settings folder and those of orrery)")
      .shown_as("DIR")
      .not_empty()
      .names_file(FileRole::read);
}

void add_json(Arguments& arguments, std::string& json) {
  arguments.value("--json", json, "Write JSON to a file, or - for standard output")
      .shown_as("FILE|-")
      .names_file(FileRole::written);
}

void add_csv(Arguments& arguments, std::string& csv) {
  arguments.value("--csv", csv, "Write CSV to a file, or - for standard output")
      .shown_as("FILE|-")
      .names_file(FileRole::written);
}

void check_one_output(const std::string& json, const std::string& csv) {
  if (json == "-" && csv == "-") throw sim::UsageError("--json - and --csv - both want standard output");
}

void add_times(Arguments& arguments, bool& times) {
  arguments.flag("--times", times, "Print at the end how long each part of the run took (to standard error)");
}

void add_timed_steps(Arguments& arguments, int& steps) {
  arguments.value("--steps", steps, fmt::format("Steps to time, after one to warm up (default {})", steps))
      .whole_number(1, most_timed_steps);
}

std::string galaxies_help() {
  return fmt::format("Built-in galaxies (`orrery make --list` explains them):\n  {}",
                     fmt::join(sim::listed_names(sim::galaxy_models()), ", "));
}

const char* const processes_help =
    "Several processes share the work: mpirun -n N orrery ... (whole galaxies, or the bodies of one: --set "
    "ranks-split=auto|galaxies|bodies).";

}  // namespace orrery::app
