#include "app/commands/argument_groups.h"

#include "app/commands/scene_arguments.h"
#include "app/picture/light_options.h"

#include <fmt/format.h>

#include "sim/activity/activity_map.h"
#include "sim/core/error.h"
#include "sim/galaxies/model.h"
#include "sim/scene/unit_systems.h"

namespace orrery::app {

namespace {

constexpr const char* bodies_meaning = "Bodies of a built-in galaxy (of each, with --galaxies)";

}  // namespace

void add_components(Arguments& arguments, lab::DatasetRequest& dataset) {
  arguments
      .value("--only", dataset.only,
             "Keep these components only: gas, halo (dark), disk, bulge, star(s), other")
      .shown_as("LIST")
      .not_empty();
  arguments.value("--without", dataset.without, "Leave these components out, e.g. gas,dark")
      .shown_as("LIST")
      .not_empty();
  add_filter(arguments, dataset);
}

void add_skip(Arguments& arguments, lab::DatasetRequest& dataset) {
  arguments.value("--skip", dataset.skip, "Text tables: the number of lines to skip at the beginning")
      .shown_as("N")
      .whole_number(0);
  arguments
      .value("--group", dataset.group,
             "HDF5 and FITS with several groups of bodies, sets of AMUSE or tables: the one to read")
      .shown_as("NAME");
}

void add_recentre(Arguments& arguments, lab::DatasetRequest& dataset) {
  arguments.flag("--recentre", dataset.recentre,
                 "Files with a periodic box: move the bodies so that no edge cuts the densest place, which "
                 "becomes the origin");
}

void add_units_name(Arguments& arguments, lab::DatasetRequest& dataset) {
  std::string names;
  for (const auto& system : sim::unit_systems())
    names += fmt::format("{}{} ({})", names.empty() ? "" : "; ", system.name, system.meaning);
  arguments
      .value("--units", dataset.units,
             fmt::format("Files that do not state their units: what the numbers are. {}", names))
      .shown_as("NAME");
}

namespace {

void add_other_than_bodies(Arguments& arguments, lab::DatasetRequest& dataset,
                           const std::string& format = "--format,--input-format") {
  arguments.value("--galaxies", dataset.galaxies, "Independent galaxies, with different seeds where built in")
      .whole_number(1, lab::most_galaxies);
  arguments.value("--seed", dataset.seed, fmt::format("Seed of a built-in galaxy (default {})", dataset.seed))
      .whole_number(0);
  arguments
      .value("--columns", dataset.columns, "Text files: column order, e.g. mass,x,y,z,vx,vy,vz; - skips one")
      .shown_as("LIST");
  add_skip(arguments, dataset);
  add_recentre(arguments, dataset);
  add_units_name(arguments, dataset);
  arguments.value(format, dataset.format, "Files: read as this format instead of recognizing the content")
      .shown_as("FORMAT");
  add_components(arguments, dataset);
}

/// --kernel NAME and the like: shorter ways to write --set kernel=NAME.
void add_shortcut(Arguments& arguments, RunOptions& run, const std::string& flag, const std::string& option,
                  const std::string& meaning) {
  const auto assign = [&run, option](const std::string& value) {
    run.assignments.push_back(option + "=" + value);
  };
  arguments.text(flag, assign, fmt::format("{} (--set {}=...)", meaning, option)).shown_as("VALUE");
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void add_camera(Arguments& arguments, CameraChoice& camera) {
  arguments
      .text(
          "--view", [&camera](const std::string& name) { camera.view = view_from_name(name); },
          "From where the bodies are seen: tilted (fit, the default), along their spin, across it, or low")
      .shown_as("fit|face-on|edge-on|three-quarter");
  arguments
      .text(
          "--zoom", [&camera](const std::string& text) { camera.zoom = parse_zoom(text); },
          "Show the bodies this many times as large")
      .shown_as("FACTOR");
  arguments
      .text(
          "--camera", [&camera](const std::string& file) { camera.camera = read_camera(file); },
          "Take the camera of a JSON file, of a state or of a picture made by orrery")
      .shown_as("FILE")
      .names_file(FileRole::read);
}

}  // namespace

void add_data(Arguments& arguments, RunOptions& run, const std::string& meaning) {
  const auto take = [&run](const std::vector<std::string>& values) {
    run.data = values;
    run.dataset.source = values.front();
  };
  arguments.texts("DATA", take, meaning).just_one().not_empty().shown_as("").names_file(FileRole::read);
}

void add_dataset(Arguments& arguments, lab::DatasetRequest& dataset) {
  arguments.value("--bodies", dataset.bodies, bodies_meaning).whole_number(1);
  add_other_than_bodies(arguments, dataset);
}

void add_dataset(Arguments& arguments, lab::DatasetRequest& dataset, std::vector<std::size_t>& sizes) {
  const auto meaning = fmt::format("{}; several, comma separated, are measured in turn", bodies_meaning);
  arguments.value("--bodies", sizes, meaning).comma_separated().whole_number(1);
  add_other_than_bodies(arguments, dataset);
}

void add_dataset_and_series(Arguments& arguments, RunOptions& run) {
  arguments.value("--bodies", run.dataset.bodies, bodies_meaning).whole_number(1);
  add_other_than_bodies(arguments, run.dataset, "--input-format");
  arguments
      .value("--series", run.series.folder,
             "Write a series of states into this folder, which must be new or empty")
      .shown_as("DIR")
      .not_empty()
      .names_file(FileRole::filled);
  arguments
      .value(
          "--every", run.every,
          "Steps from one state of the series to the next (default 1), and from one checkpoint to the next; "
          "of checkpoints also a time: 30s, 10min, 2h (default 10min)")
      .shown_as("N|TIME")
      .not_empty();
  arguments
      .value("--format", run.format,
             "Format of the series: vtk (default), vtk-legacy, tipsy, bin, csv; without --series as "
             "--input-format")
      .shown_as("FORMAT");
}

void add_checkpoints(Arguments& arguments, CheckpointRequest& checkpoint, const std::string& resume_meaning,
                     bool last_session) {
  arguments
      .value(
          "--checkpoint", checkpoint.file,
          "Write the run into this file now and then (--every) and when it ends or is interrupted; the one "
          "before stays as FILE.previous")
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

void add_computing(Arguments& arguments, RunOptions& run) {
  add_shortcut(arguments, run, "--engine", "engine", "What computes the forces");
  add_shortcut(arguments, run, "--kernel", "kernel", "CPU kernel");
  add_shortcut(arguments, run, "--devices", "devices",
               "GPUs that share the work, e.g. 0,2 (the first one draws)");
  add_physics(arguments, run);
}

void add_physics(Arguments& arguments, RunOptions& run) {
  add_shortcut(arguments, run, "--threads", "threads", "CPU threads");
  add_shortcut(arguments, run, "--integrator", "integrator", "Integrator");
  add_shortcut(arguments, run, "--dt", "time-step", "Time step");
  add_shortcut(arguments, run, "--softening", "softening", "Softening length");
  add_shortcut(arguments, run, "--G", "gravity", "Gravitational constant");
  const auto assign = [&run](const std::vector<std::string>& values) {
    append(run.assignments, with_looks(values));
  };
  arguments.texts("--set", assign, "Set any option, NAME=VALUE; may be repeated (see --help-options)")
      .shown_as("NAME=VALUE")
      .one_each_time();
}

void add_picture(Arguments& arguments, RunOptions& run) {
  arguments.flag("--untuned", run.untuned, "Leave out what `orrery tune` remembered for this dataset's size");
  arguments.flag(
      "--no-interop", [&run] { run.assignments.emplace_back("interop=off"); },
      "CUDA engine: copy positions through the host instead of drawing from the GPU's own buffer");
  arguments
      .value("--state", run.state,
             "Start from a picture (PNG) or state file (JSON) made by orrery; DATA replaces its dataset")
      .shown_as("FILE")
      .names_file(FileRole::read);
  arguments.value("--pictures", run.pictures, "Folder for pictures (default: your pictures folder)")
      .shown_as("DIR");
  arguments
      .text(
          "--screenshot-size",
          [&run](const std::string& text) { run.screenshot_size = parse_picture_size(text); },
          "Size of screenshots, independent of the window")
      .shown_as("WxH");
  add_camera(arguments, run.camera);
  arguments
      .text(
          "--views", [&run](const std::string& count) { run.assignments.push_back("views=" + count); },
          "Show the bodies from four sides at once: tilted, and along the z, y and x axis (--set views=...)")
      .shown_as("one|four");
}

void add_maps(Arguments& arguments, std::vector<std::size_t>& maps) {
  arguments
      .value(
          "--map", maps,
          "D: an activity map of D x D cells is counted in every step (--set map-size=...); several, comma "
          "separated, are measured in turn")
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
      .names_file(FileRole::replaced);
}

void add_csv(Arguments& arguments, std::string& csv) {
  arguments.value("--csv", csv, "Write CSV to a file, or - for standard output")
      .shown_as("FILE|-")
      .names_file(FileRole::replaced);
}

void check_one_output(const std::string& json, const std::string& csv) {
  if (json == "-" && csv == "-") throw sim::UsageError("--json - and --csv - both want standard output");
}

void add_times(Arguments& arguments, bool& times) {
  arguments.flag("--times", times, "Say at the end how long each part of the run took (standard error)");
}

void add_figure(Arguments& arguments, std::filesystem::path& figure, const std::string& what) {
  arguments
      .value("--figure", figure,
             what +
                 ": draw their rates beneath the limits that follow from the instructions of the compiled "
                 "code (.svg or .png; never overwrites)")
      .shown_as("FILE")
      .not_empty()
      .names_file(FileRole::written);
}

void add_timed_steps(Arguments& arguments, int& steps) {
  arguments.value("--steps", steps, fmt::format("Timed steps after one to warm up (default {})", steps));
}

void check_timed_steps(int steps) {
  if (steps < 1) throw sim::UsageError("--steps takes 1 or more");
}

std::string galaxies_help() {
  std::string text = "Built-in galaxies:\n";
  for (const auto* model : sim::galaxy_models())
    text += fmt::format("  {:<16} {}\n", model->name, model->meaning);
  return text;
}

const char* const processes_help =
    "Several processes share the work: mpirun -n N orrery ... (whole galaxies, or the bodies of one: --set "
    "ranks-split=auto|galaxies|bodies).";

}  // namespace orrery::app
