#include "app/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <limits>
#include <string_view>

#include "app/commands/commands.h"
#include "app/display_options.h"
#include "app/process_group.h"
#include "sim/cpu/kernel.h"
#include "sim/error.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

namespace {

constexpr std::array<std::string_view, 10> subcommands{"view", "render",  "bench", "tune",    "verify",
                                                       "make", "convert", "info",  "devices", "kernels"};

/// `orrery [view] [DATA...]`: what does not begin with a subcommand is for the viewer.
std::vector<std::string> arguments_with_subcommand(int argc, char** argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  constexpr std::array<std::string_view, 4> of_the_program{"-h", "--help", "--version", "--help-options"};
  const auto first = arguments.empty() ? std::string_view() : std::string_view(arguments.front());
  const bool has_subcommand = std::ranges::find(subcommands, first) != subcommands.end() ||
                              std::ranges::find(of_the_program, first) != of_the_program.end();
  if (!has_subcommand) arguments.insert(arguments.begin(), "view");
  return arguments;
}

std::string allowed_values(const sim::Option& option) {
  switch (option.kind) {
    case sim::OptionKind::boolean:
      return "on, off";
    case sim::OptionKind::choice:
      return fmt::format("{}", fmt::join(option.choices, ", "));
    default:
      return fmt::format("{:g} to {:g}{}{}", option.minimum, option.maximum, option.unit.empty() ? "" : " ",
                         option.unit);
  }
}

/// The table of options, as `--help-options` prints it.
std::string options_help() {
  std::string text = "Options that --set NAME=VALUE takes (and the panel shows):\n";
  const auto table = all_options();
  for (const auto& option : table.options()) {
    text += fmt::format("\n  {} = {}\n      {}\n      values: {}\n", option.name,
                        sim::to_string(option.default_value), option.meaning, allowed_values(option));
    for (std::size_t i = 0; i < option.choice_meanings.size(); ++i) {
      text += fmt::format("        {:<18} {}\n", option.choices[i], option.choice_meanings[i]);
    }
  }
  return text;
}

/// CLI11's own checks print the largest double with all its digits, and take -1 for a very large number.
CLI::Validator whole_number(std::uint64_t low,
                            std::uint64_t high = std::numeric_limits<std::uint64_t>::max()) {
  const auto check = [low, high](const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool good =
        failure == std::errc() && end == text.data() + text.size() && value >= low && value <= high;
    return good ? std::string()
                : fmt::format("takes a whole number from {} to {}, not '{}'", low, high, text);
  };
  return {check, ""};
}

CLI::Validator real_number(double low) {
  const auto check = [low](const std::string& text) {
    double value = 0.0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool good =
        failure == std::errc() && end == text.data() + text.size() && std::isfinite(value) && value >= low;
    return good ? std::string() : fmt::format("takes a finite number from {} up, not '{}'", low, text);
  };
  return {check, ""};
}

CLI::Validator a_name() {
  return {[](const std::string& text) { return text.empty() ? std::string("the name is empty") : ""; }, ""};
}

std::string galaxies_help() {
  std::string text = "Built-in galaxies:\n";
  for (const auto* model : sim::galaxy_models())
    text += fmt::format("  {:<14} {}\n", model->name, model->meaning);
  return text;
}

/// --kernel NAME and the like: shorter ways to write --set kernel=NAME.
void add_shortcut(CLI::App& app, RunOptions& run, const std::string& flag, const std::string& option,
                  const std::string& meaning) {
  app.add_option_function<std::string>(
         flag, [&run, option](const std::string& value) { run.assignments.push_back(option + "=" + value); },
         fmt::format("{} (--set {}=...)", meaning, option))
      ->type_name("VALUE");
}

/// `sizes`: where several numbers of bodies are taken.
void add_dataset_options(CLI::App& app, DatasetRequest& dataset, std::vector<std::size_t>* sizes = nullptr) {
  const char* bodies = "Bodies of a built-in galaxy (of each, with --galaxies)";
  if (sizes != nullptr) {
    app.add_option("--bodies", *sizes,
                   fmt::format("{}; several, comma separated, are measured in turn", bodies))
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(whole_number(1));
  } else {
    app.add_option("--bodies", dataset.bodies, bodies)->check(whole_number(1));
  }
  app.add_option("--galaxies", dataset.galaxies, "Independent galaxies, with different seeds where built in")
      ->check(whole_number(1, most_galaxies));
  app.add_option("--seed", dataset.seed, fmt::format("Seed of a built-in galaxy (default {})", dataset.seed))
      ->check(whole_number(0));
  app.add_option("--columns", dataset.columns,
                 "Text files: column order, e.g. mass,x,y,z,vx,vy,vz; - skips one");
  app.add_option("--format", dataset.format, "Files: read as this format instead of recognizing the content");
}

void add_computing_options(CLI::App& app, RunOptions& run) {
  add_shortcut(app, run, "--engine", "engine", "What computes the forces");
  add_shortcut(app, run, "--kernel", "kernel", "CPU kernel");
  app.add_option_function<std::string>(
         "--devices",
         [&run](const std::string& list) {
           for (auto& each : device_assignments(list)) run.assignments.push_back(std::move(each));
         },
         "CUDA devices that share the work, e.g. 0,2 (the first one draws), or all")
      ->type_name("LIST|all");
  add_shortcut(app, run, "--threads", "threads", "CPU threads");
  add_shortcut(app, run, "--integrator", "integrator", "Integrator");
  add_shortcut(app, run, "--dt", "time-step", "Time step");
  add_shortcut(app, run, "--softening", "softening", "Softening length");
  add_shortcut(app, run, "--G", "gravity", "Gravitational constant");
  app.add_option_function<std::vector<std::string>>(
         "--set",
         [&run](const std::vector<std::string>& values) {
           run.assignments.insert(run.assignments.end(), values.begin(), values.end());
         },
         "Set any option, NAME=VALUE; may be repeated (see --help-options)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

void add_kernel_folder(CLI::App& app, std::filesystem::path& folder, const std::string& meaning) {
  app.add_option("--watch-kernels", folder, meaning)->type_name("DIR")->check(a_name());
}

void add_picture_options(CLI::App& app, RunOptions& run) {
  app.add_flag("--untuned", run.untuned, "Leave out what `orrery tune` remembered for this dataset's size");
  app.add_flag_callback(
      "--no-interop", [&run] { run.assignments.emplace_back("interop=off"); },
      "CUDA engine: copy positions through the host instead of drawing from the GPU's own buffer");
  app.add_option("--state", run.state, "Start from a picture (PNG) or state file (JSON) made by orrery");
  app.add_option("--pictures", run.pictures, "Folder for pictures (default: your pictures folder)");
  app.add_option_function<std::string>(
         "--screenshot-size",
         [&run](const std::string& text) { run.screenshot_size = parse_picture_size(text); },
         "Size of screenshots, independent of the window")
      ->type_name("WxH");
}

template <typename Size>
void add_size_option(CLI::App& app, Size& size, const std::string& meaning) {
  app.add_option_function<std::string>(
         "--size", [&size](const std::string& text) { size = parse_picture_size(text); }, meaning)
      ->type_name("WxH");
}

constexpr const char* processes_help =
    "Several processes share the work: mpirun -n N orrery ... (whole galaxies, or the bodies of one: --set "
    "ranks-split=auto|galaxies|bodies).";

/// All that the subcommands parse into.
struct Commands {
  ViewOptions view;
  RenderOptions render;
  BenchOptions bench;
  TuneOptions tune;
  VerifyOptions verify;
  MakeOptions make;
  ConvertOptions convert;
  InfoOptions info;
  bool devices_json = false;
  KernelsOptions kernels;
};

void take_data(RunOptions& run) {
  if (!run.data.empty()) run.dataset.source = run.data.front();
}

void add_view(CLI::App& program, Commands& commands) {
  auto& options = commands.view;
  auto* app = program.add_subcommand(
      "view", "Open the window on datasets or a built-in galaxy (the default command)");
  app->add_option("DATA", options.run.data, "Files or names of built-in galaxies (default: disk)")
      ->check(a_name());
  add_dataset_options(*app, options.run.dataset);
  add_computing_options(*app, options.run);
  add_picture_options(*app, options.run);
  add_size_option(*app, options.window_size, "Size of the window (default: as last time), or of the picture");
  add_kernel_folder(*app, options.run.kernel_folder,
                    "CUDA sources from this folder, compiled again whenever they are edited");
  app->add_flag("--fullscreen", options.fullscreen, "Use the whole screen");
  app->add_option("--steps", options.steps,
                  "Steps before the picture, without a display only (default 200, or those of the state)")
      ->check(whole_number(0));
  app->add_option_function<std::string>(
         "--display", [&options](const std::string& text) { options.run.display = parse_display(text); },
         "auto, window or headless (one picture)")
      ->type_name("WHERE");
  app->footer(galaxies_help());
  app->final_callback([&options] { take_data(options.run); });
}

void add_render(CLI::App& program, Commands& commands) {
  auto& options = commands.render;
  auto* app = program.add_subcommand("render", "Step without a window and write a picture");
  app->footer(processes_help);
  app->add_option("DATA", options.run.data, "File or name of a built-in galaxy (default: disk)")
      ->expected(1)
      ->check(a_name());
  add_dataset_options(*app, options.run.dataset);
  add_computing_options(*app, options.run);
  add_picture_options(*app, options.run);
  add_size_option(*app, options.size, "Size of the picture (default 1280x720)");
  app->add_option("--steps", options.steps, "Steps before the picture (default 200, or those of the state)")
      ->check(whole_number(0));
  add_kernel_folder(*app, options.run.kernel_folder, "CUDA sources from this folder");
  app->add_option("-o,--output", options.output,
                  "PNG to write; never overwrites (default: a free name among your pictures)");
  app->add_option(
         "--write-state", options.write_state,
         "Also write the bodies after the last step; the extension chooses the format (as for convert)")
      ->type_name("FILE")
      ->check(a_name());
  app->final_callback([&options] { take_data(options.run); });
}

void add_ladder_options(CLI::App& app, LadderRequest& ladder, const std::string& meaning) {
  app.add_option("--ladder", ladder.name, meaning)->type_name("NAME|all")->check(a_name());
  app.add_option("--ladders", ladder.folder,
                 "Folder with more ladders (besides ladders/ in your settings folder and those of orrery)")
      ->check(a_name());
}

/// What was given, as opposed to what is the default.
void take_ladder(const CLI::App& app, LadderRequest& ladder, const std::optional<int>& steps) {
  ladder.own_galaxies = app.count("--galaxies") > 0;
  ladder.own_steps = steps;
}

void add_bench(CLI::App& program, Commands& commands) {
  auto& options = commands.bench;
  auto* app = program.add_subcommand("bench", "Time kernels: GInteractions/s, speed-up, force error");
  app->footer(processes_help);
  app->add_option("DATA", options.run.data, "File or name of a built-in galaxy (default: plummer)")
      ->expected(1)
      ->check(a_name());
  add_dataset_options(*app, options.run.dataset, &options.sizes);
  add_computing_options(*app, options.run);
  add_kernel_folder(*app, options.run.kernel_folder, "CUDA sources from this folder");
  app->add_option("--kernels", options.kernels,
                  "Kernels, comma separated, or all (default: that of --kernel, else all)");
  app->add_option("--sweep", options.sweep,
                  "Measure every combination of one or two options as a heat map: tile,unroll or "
                  "tile=64:128:256,unroll=1:4:16")
      ->type_name("A[=V:V..][,B[=V:V..]]")
      ->check(a_name());
  add_ladder_options(*app, options.ladder,
                     "Measure the rungs of a ladder, or of all, next to the published figures");
  app->add_option(
         "--pipeline", options.pipeline,
         "The offline job instead: host -> GPU -> steps -> host, with one or more schedules (serial, "
         "streams, phased, batched, graph, comma separated, or all)")
      ->type_name("SCHEDULES|all")
      ->check(a_name());
  app->add_option(
         "--timeline", options.timeline,
         "With --pipeline: write what every stream did (of the last schedule) in Chrome's trace format")
      ->type_name("FILE")
      ->check(a_name());
  app->add_flag("--tuned", options.tuned, "Start from what `orrery tune` remembered, and compare with it");
  app->add_option("--steps", options.steps, "Timed steps after one to warm up (default 5)");
  app->add_option("--json", options.json, "Write JSON to a file, or - for standard output")
      ->type_name("FILE|-");
  app->add_option("--csv", options.csv, "Write CSV to a file, or - for standard output")->type_name("FILE|-");
  app->add_option("--figure", options.figure,
                  "GPU kernels, ladders too: draw their rates beneath the limits that follow from the "
                  "instructions of the compiled code (PNG; never overwrites)")
      ->type_name("FILE")
      ->check(a_name());
  app->final_callback([app, &options] {
    take_data(options.run);
    const bool own_steps = app->count("--steps") > 0;
    options.own_steps = own_steps;
    if (!options.sizes.empty()) options.run.dataset.bodies = options.sizes.front();
    take_ladder(*app, options.ladder, own_steps ? std::optional(options.steps) : std::nullopt);
  });
}

void add_tune(CLI::App& program, Commands& commands) {
  auto& options = commands.tune;
  auto* app = program.add_subcommand(
      "tune", "Find the fastest configuration for this machine and dataset, and remember it");
  app->add_option("DATA", options.run.data, "File or name of a built-in galaxy (default: plummer)")
      ->expected(1)
      ->check(a_name());
  add_dataset_options(*app, options.run.dataset);
  add_computing_options(*app, options.run);
  app->add_option("--seconds", options.seconds, "Time for the search (default 60)")->check(real_number(0.0));
  app->add_option(
         "--tolerance", options.tolerance,
         "Largest median force error (default 1e-5, or twice that of the start); the 99th percentile "
         "may be 100 times as large")
      ->check(real_number(0.0));
  app->add_option("--json", options.json, "Write JSON to a file, or - for standard output")
      ->type_name("FILE|-");
  app->footer(
      "Options that are set (--set tile=512) stay as they are; the others that decide speed but not the "
      "answer are searched.");
  app->final_callback([&options] { take_data(options.run); });
}

void add_verify(CLI::App& program, Commands& commands) {
  auto& options = commands.verify;
  auto* app = program.add_subcommand(
      "verify", "Check every kernel and switch: force error, positions against the CPU, energy");
  app->add_option("DATA", options.run.data,
                  "File or name of a built-in galaxy (default: plummer, or the ladder's)")
      ->expected(1)
      ->check(a_name());
  add_dataset_options(*app, options.run.dataset);
  add_computing_options(*app, options.run);
  add_ladder_options(*app, options.ladder,
                     "Check the rungs of a ladder, or of all, by its report's criterion");
  app->add_option_function<int>(
         "--steps", [&options](int steps) { options.ladder.own_steps = steps; },
         "Steps (default: those of the ladder, else 100)")
      ->check(whole_number(1, 1'000'000));
  add_kernel_folder(*app, options.run.kernel_folder, "CUDA sources from this folder");
  app->add_option("--json", options.json, "Write JSON to a file, or - for standard output")
      ->type_name("FILE|-");
  app->final_callback([app, &options] {
    take_data(options.run);
    take_ladder(*app, options.ladder, options.ladder.own_steps);
  });
}

void add_make(CLI::App& program, Commands& commands) {
  auto& options = commands.make;
  auto* app = program.add_subcommand("make", "Write a built-in galaxy to a file");
  app->add_option("MODEL", options.dataset.source, "Name of a built-in galaxy")->required()->check(a_name());
  app->add_option("--bodies", options.dataset.bodies, "Number of bodies")->check(whole_number(1));
  app->add_option("--galaxies", options.dataset.galaxies, "Independent galaxies with different seeds")
      ->check(whole_number(1, most_galaxies));
  app->add_option("--seed", options.dataset.seed, "Seed (default 1)")->check(whole_number(0));
  app->add_option("-o,--output", options.output, "File to write; its extension chooses the format")
      ->required();
  app->add_option("--format", options.format, "Format instead of the extension's: tipsy, csv or bin");
  app->add_flag("--big-endian", options.big_endian, "Tipsy: the standard (XDR) byte order");
  app->footer(galaxies_help());
}

void add_convert(CLI::App& program, Commands& commands) {
  auto& options = commands.convert;
  auto* app = program.add_subcommand("convert", "Read a file and write it in another format");
  app->add_option("IN", options.input.source, "File to read")->required()->check(a_name());
  app->add_option("OUT", options.output, "File to write; its extension chooses the format")->required();
  app->add_option("--columns", options.input.columns,
                  "Text files: column order, e.g. mass,x,y,z,vx,vy,vz; - skips one");
  app->add_option("--input-format", options.input.format,
                  "Read as this format instead of recognizing the content");
  app->add_option("--format", options.format,
                  "Write this format instead of the extension's: tipsy, csv or bin");
  app->add_flag("--big-endian", options.big_endian, "Tipsy: the standard (XDR) byte order");
}

void add_info(CLI::App& program, Commands& commands) {
  auto& options = commands.info;
  auto* app = program.add_subcommand("info", "Say what a dataset holds: bodies, mass, energy, radii");
  app->add_option("DATA", options.dataset.source, "File or name of a built-in galaxy")
      ->required()
      ->check(a_name());
  add_dataset_options(*app, options.dataset);
  app->add_flag("--json", options.json, "As JSON");
  app->add_option("--G", options.gravitational_constant,
                  "Gravitational constant (default: the dataset's, else 1)")
      ->check(real_number(0.0));
  app->add_option("--softening", options.softening,
                  "Softening length of the potential (default: the suggested one)")
      ->check(real_number(0.0));
}

void add_devices(CLI::App& program, Commands& commands) {
  auto* app = program.add_subcommand("devices", "List what can compute and draw on this machine");
  app->add_flag("--json", commands.devices_json, "As JSON");
}

void add_kernels(CLI::App& program, Commands& commands) {
  auto& options = commands.kernels;
  auto* app =
      program.add_subcommand("kernels", "List the CUDA kernels that cover all device code, or compile them");
  app->add_flag("--compile-all", options.compile_all,
                "Compile every one for every architecture; needs no GPU");
  app->add_option("--architecture", options.architectures, "Only these, e.g. sm_90")->type_name("SM");
  add_kernel_folder(*app, options.kernel_folder, "Compile the sources of this folder");
  app->add_option("--write-sources", options.write_sources,
                  "Write the CUDA sources to a folder, to edit them (see --watch-kernels); never overwrites")
      ->type_name("DIR")
      ->check(a_name());
}

void describe_program(CLI::App& program, Commands& commands) {
  program.name("orrery");
  program.set_version_flag("--version", "orrery " ORRERY_VERSION);
  program.add_flag_callback(
      "--help-options", [] { throw CLI::CallForHelp(); }, "List every option that --set takes");
  program.require_subcommand(1);
  program.footer(
      "`orrery COMMAND --help` explains a command; `orrery DATA...` is short for `orrery view DATA...`.");
  add_view(program, commands);
  add_render(program, commands);
  add_bench(program, commands);
  add_tune(program, commands);
  add_verify(program, commands);
  add_make(program, commands);
  add_convert(program, commands);
  add_info(program, commands);
  add_devices(program, commands);
  add_kernels(program, commands);
}

int run_parsed(const CLI::App& program, const Commands& commands) {
  const auto name = program.get_subcommands().front()->get_name();
  join_processes(name.c_str(), name == "bench" || name == "render");
  if (program.got_subcommand("view")) return view_command(commands.view);
  if (program.got_subcommand("render")) return render_command(commands.render);
  if (program.got_subcommand("bench")) return bench_command(commands.bench);
  if (program.got_subcommand("tune")) return tune_command(commands.tune);
  if (program.got_subcommand("verify")) return verify_command(commands.verify);
  if (program.got_subcommand("make")) return make_command(commands.make);
  if (program.got_subcommand("convert")) return convert_command(commands.convert);
  if (program.got_subcommand("info")) return info_command(commands.info);
  if (program.got_subcommand("kernels")) return kernels_command(commands.kernels);
  return devices_command(commands.devices_json);
}

int parse_and_run(std::vector<std::string> arguments) {
  CLI::App program("Orrery: a live laboratory for galaxy N-body");
  Commands commands;
  describe_program(program, commands);
  try {
    std::ranges::reverse(arguments);  // CLI11 takes them from the back
    program.parse(arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);
    throw sim::UsageError(fmt::format("{}; `orrery --help` explains", error.what()));
  }
  return run_parsed(program, commands);
}

/// Also after a subcommand and its arguments.
bool asks_for_options(const std::vector<std::string>& arguments) {
  const auto end = std::ranges::find(arguments, "--");
  return std::find(arguments.begin(), end, "--help-options") != end;
}

int run(const std::vector<std::string>& arguments) {
  if (!asks_for_options(arguments)) return parse_and_run(arguments);
  fmt::print("{}", options_help());
  return 0;
}

/// A full disk shows only when the last of the output leaves the buffers.
void check_standard_output() {
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout)
    throw sim::Error("cannot write to standard output; is the disk full?");
}

int run_to_the_end(int argc, char** argv) {
  const int status = run(arguments_with_subcommand(argc, argv));
  check_standard_output();
  leave_processes();
  return status;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  quiet_all_but_first();
  try {
    return run_to_the_end(argc, argv);
  } catch (const std::exception& failure) {
    return report_failure(failure);
  }
}

}  // namespace orrery::app
