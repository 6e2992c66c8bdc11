#include <fmt/format.h>

#include <memory>
#include <set>
#include <vector>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/scene_arguments.h"
#include "app/run/options.h"
#include "sim/core/error.h"
#include "sim/core/letters.h"

namespace orrery::app {

namespace {

constexpr PictureSize film_size{1920, 1080};

using Options = std::shared_ptr<RenderOptions>;

/// "0,100,200", in any order.
std::vector<std::uint64_t> parse_frames(const std::string& text) {
  std::set<std::uint64_t> steps;
  for (const auto part : sim::split_text(text, ',')) {
    const auto step = number_in<std::uint64_t>(part);
    if (!step)
      throw sim::UsageError(
          fmt::format("--frames needs numbers of steps with commas between, like 0,100,200, not '{}'", text));
    steps.insert(*step);
  }
  return {steps.begin(), steps.end()};
}

void add_input(Arguments& arguments, const Options& options) {
  auto& run = options->run;
  add_data(arguments, run,
           "File, picture or state made by orrery, or built-in galaxy (default: disk); several with --offset",
           DataCount::several);
  add_dataset(arguments, run.dataset);
  add_offsets(arguments, run.dataset);
  add_state(arguments, run);
}

void add_run(Arguments& arguments, const Options& options) {
  arguments.group("Run");
  arguments
      .value(
          "--steps", options->steps,
          "Steps before the picture (default 200, of bodies without velocities 0, or those of the state), or "
          "before the film (default 0)")
      .whole_number(0);
  add_series(arguments, options->run);
  add_checkpoints(arguments, options->run.checkpoint,
                  "Go on from a checkpoint, with its dataset and options, to its last step or --steps");
  arguments
      .value("--write-state", options->write_state,
             "Also write the bodies after the last step; the extension chooses the format")
      .shown_as("FILE")
      .not_empty()
      .names_file(FileRole::written);
}

void add_drawing(Arguments& arguments, const Options& options) {
  arguments.group("Picture");
  arguments
      .value("-o,--output", options->output,
             "PNG to write, or .exr for linear light (default: a free name among your pictures)")
      .names_file(FileRole::settled);
  add_size(arguments, "--size", options->size,
           "Size of the picture (default 1280x720), or of the film (default 1920x1080)");
  add_camera(arguments, options->run.camera);
  arguments
      .text(
          "--frames", [options](const std::string& text) { options->frames = parse_frames(text); },
          "A picture after each of these numbers of steps, e.g. 0,100,200, with the number in its name; with "
          "--record how many frames the film has")
      .shown_as("LIST");
  arguments.flag("--transparent", options->transparent,
                 "Light alone, without background and texts, to be laid over something else");
}

void add_film(Arguments& arguments, FilmOptions& film) {
  arguments.group("Film (--set takes fps, codec, encoder-threads, steps-per-frame, snapshot-rate)");
  arguments
      .value("--record", film.plan.output,
             "Make a film: a file .mp4, .mkv or .webm by the program ffmpeg, any other name a new folder "
             "of PNG frames")
      .shown_as("FILE|DIR")
      .not_empty()
      .names_file(FileRole::filled);
  arguments
      .value("--path", film.path,
             "How the camera moves: orbit, fly-through, follow (keeps the bodies in the picture), or a file "
             "with key frames, a state or a picture")
      .shown_as("PATH")
      .not_empty()
      .names_file(FileRole::read);
}

Action declare_render(Arguments& arguments) {
  const auto options = std::make_shared<RenderOptions>();
  add_input(arguments, options);
  add_computing(arguments, options->run, film_settings(options->film));
  add_untuned(arguments, options->run);
  add_kernel_folder(arguments, options->run.kernel_folder);
  add_run(arguments, options);
  add_times(arguments, options->times);
  add_drawing(arguments, options);
  add_film(arguments, options->film);
  arguments.footer(processes_help);
  return [options, arguments] {
    settle_format(options->run);
    settle_every(options->run);
    settle_offsets(options->run.dataset, options->run.data);
    require_one(options->run.dataset, options->run.data);
    if (options->film.wanted() && !arguments.given("--size")) options->size = film_size;
    return render_picture(*options);
  };
}

}  // namespace

extern const Command render_command{.name = "render",
                                    .meaning = "Step without a window and write a picture",
                                    .declare = declare_render,
                                    .shares_work = true};

}  // namespace orrery::app
