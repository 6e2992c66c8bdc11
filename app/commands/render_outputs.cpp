#include "app/commands/render_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/file_arguments.h"
#include "app/commands/process_group.h"
#include "app/commands/render_film.h"
#include "app/picture/picture_views.h"
#include "lab/setup/paths.h"
#include "render/picture/light_file.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/message.h"
#include "sim/series/series_writer.h"
#include "sim/snapshots/format.h"

namespace orrery::app {

namespace {

/// "orbit-step000100.png" of "orbit.png", with as many digits as the last one has.
std::filesystem::path numbered(const std::filesystem::path& output, std::uint64_t step, std::uint64_t last) {
  const auto digits = std::to_string(last).size();
  auto name = output.parent_path() / output.stem();
  name += fmt::format("-step{:0{}}", step, digits);
  return name += output.extension();
}

std::string kind_of(const std::filesystem::path& output) {
  auto kind = output.extension().string();
  std::ranges::transform(kind, kind.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return kind;
}

/// Another name would say what the file is not.
void check_kind(const std::filesystem::path& output) {
  const auto kind = kind_of(output);
  if (kind.empty() || kind == ".png" || kind == ".exr") return;
  throw sim::UsageError(
      fmt::format("{}: a picture is written as .png, or as .exr (linear light); ImageMagick and others make "
                  "other kinds of a .png",
                  sim::quoted(output)));
}

/// Before anything is computed: a long run must not end with a refusal.
void check_output(const std::filesystem::path& output) {
  require_new(output);
  const sim::FileWriter trial(output);
}

/// All that a run will write, with the names that its pictures get.
std::vector<FileArgument> outputs_of(const RenderOptions& options) {
  std::vector<FileArgument> files{{"--write-state", options.write_state, FileRole::written},
                                  {"--checkpoint", options.run.checkpoint.file, FileRole::checkpoint},
                                  {"--series", options.run.series.folder, FileRole::filled}};
  for (const auto step : options.frames)
    if (!options.output.empty())
      files.push_back({"--frames", numbered(options.output, step, options.frames.back()), FileRole::settled});
  return files;
}

}  // namespace

std::filesystem::path output_of(const RenderOptions& options, const RenderJob& job) {
  if (!options.frames.empty() && !options.output.empty())
    return numbered(options.output, job.state.step, options.frames.back());
  if (!options.output.empty()) return options.output;
  const auto& folder = options.run.pictures;
  return free_picture_name(folder.empty() ? lab::pictures_folder() : folder, job.scene.title, job.state.step);
}

bool is_light_file(const std::filesystem::path& output) { return kind_of(output) == ".exr"; }

bool wants_picture(const RenderOptions& options) {
  const bool other_work = !options.run.series.folder.empty() || options.film.wanted();
  return !other_work || !options.output.empty() || !options.frames.empty();
}

bool draws(const RenderOptions& options) { return wants_picture(options) || options.film.wanted(); }

void check_options(RenderOptions& options) {
  check_film(options);
  check_resume(options.run);
  check_kind(options.output);
  if (options.steps && !options.frames.empty())
    throw sim::UsageError("--frames says after which steps pictures are taken; leave --steps out");
  if (is_light_file(options.output)) {
    if (!render::has_light_files())
      throw sim::Error("this program was built without OpenEXR and writes no .exr: give a .png");
    if (options.transparent)
      throw sim::UsageError("--transparent is for PNG: .exr holds light alone, without a background");
  }
  if (options.transparent && options.film.wanted())
    throw sim::UsageError("--transparent is for pictures: films have no transparency");
  const bool first = is_first_process();
  if (first && options.frames.empty() && !options.output.empty()) check_output(options.output);
  if (first && !options.write_state.empty()) sim::check_snapshot_name(options.write_state);
  if (!options.run.series.folder.empty()) sim::check_series(options.run.series);
}

void check_outputs(const RenderOptions& options, RenderJob& job) {
  if (options.output.empty()) return check_output(output_of(options, job));
  const auto last = std::exchange(job.state.step, 0);
  auto frames = options.frames;
  if (frames.empty()) frames.push_back(last);
  for (const auto frame : frames) {
    job.state.step = frame;
    check_output(output_of(options, job));
  }
  job.state.step = last;
}

void check_files_of_run(const RenderOptions& options, const lab::DatasetRequest& dataset) {
  auto files = outputs_of(options);
  files.push_back({"the dataset", dataset.source, FileRole::read});
  for (const auto& other : dataset.with) files.push_back({"the dataset", other, FileRole::read});
  check_files(files);
}

void check_views(const RenderOptions& options, const RenderJob& job) {
  if (is_light_file(options.output) && has_several_views(job.state.configuration))
    throw sim::UsageError("a file of light holds one view: add --set views=one, or write a .png");
}

}  // namespace orrery::app
