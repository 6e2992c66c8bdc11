#include "app/session/run_options.h"

#include <fmt/format.h>

#include <charconv>

#include "app/ending/answer_in_time.h"
#include "app/picture/display_options.h"
#include "sim/core/error.h"

namespace orrery::app {

PictureSize parse_picture_size(const std::string& text) {
  PictureSize size;
  const char* end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  const bool has_x = width.ec == std::errc() && width.ptr != end && *width.ptr == 'x';
  const auto height = has_x ? std::from_chars(width.ptr + 1, end, size.height) : width;
  if (!has_x || height.ec != std::errc() || height.ptr != end || size.width < 1 || size.height < 1) {
    throw sim::UsageError(fmt::format("'{}' is no picture size; write WIDTHxHEIGHT, e.g. 1920x1080", text));
  }
  return size;
}

Display parse_display(const std::string& text) {
  if (text == "auto") return Display::automatic;
  if (text == "window") return Display::window;
  if (text == "headless") return Display::headless;
  throw sim::UsageError(fmt::format("--display takes auto, window or headless, not '{}'", text));
}

lab::BenchSetup bench_setup(const RunOptions& run) {
  const NothingToKeep nothing;
  return bench_setup(all_options(), run.dataset, run.assignments);
}

void settle_every(RunOptions& run) {
  if (run.every.empty()) return;
  const bool has_series = !run.series.folder.empty();
  if (!has_series && run.checkpoint.file.empty())
    throw sim::UsageError("--every is for --series DIR or --checkpoint FILE, which are missing");
  const auto pace = parse_pace(run.every);
  run.checkpoint.pace = pace;
  if (pace.steps > 0) {
    run.series.every = pace.steps;
  } else if (run.checkpoint.file.empty()) {
    throw sim::UsageError("--every takes a time for --checkpoint FILE only; a series counts steps");
  }
}

void check_resume(const RunOptions& run) {
  if (!run.checkpoint.resume) return;
  // Its file may be named: it is needed where the checkpoint does not lead to it.
  const bool no_more = run.dataset == lab::DatasetRequest{.source = run.dataset.source};
  const bool just_file = no_more && (run.dataset.source.empty() || lab::is_file(run.dataset));
  if (just_file && run.state.empty()) return;
  throw sim::UsageError(
      "--resume goes on with the dataset of the checkpoint; leave DATA, --state and what is said of the "
      "dataset out (DATA may be the dataset's file)");
}

void settle_format(RunOptions& run) {
  if (run.format.empty()) return;
  if (run.series.folder.empty())
    throw sim::UsageError(
        "--format is that of --series DIR, which is missing; --set format=NAME says how a file is read");
  run.series.format = std::exchange(run.format, {});
}

}  // namespace orrery::app
