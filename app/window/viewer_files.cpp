#include "app/window/viewer.h"

#include <fmt/format.h>

#include <utility>

#include "app/log.h"
#include "app/panels/timeline_view.h"
#include "app/session/free_folder.h"
#include "lab/bench/engine_facts.h"
#include "lab/bench/timeline_trace.h"
#include "lab/figures/accuracy_speed_plot.h"
#include "lab/plots/figure_file.h"
#include "lab/setup/paths.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"

// Other files that are written: series, traces, boards, plots.
namespace orrery::app {

/// A file is written: the view says which.
void Viewer::confirm(const char* what, const std::filesystem::path& file) {
  log_info(fmt::format("{}: {}", what, file.string()));
  toasts_.add(Toasts::Kind::done, fmt::format("{} saved: {}\nin {}", what, file.filename().string(),
                                              path_with_home_short(file.parent_path())));
}

std::filesystem::path Viewer::output_folder() const {
  return options_.run.pictures.empty() ? lab::pictures_folder() : options_.run.pictures;
}

/// Into a folder of its own beside the pictures.
void Viewer::start_series() try {
  lab::make_folder(output_folder());
  const auto stem = lab::file_stem(session_.scene().title) + "-series";
  session_.start_series({.folder = lab::next_free_name(output_folder(), stem, ""),
                         .every = series_choice_.every,
                         .format = series_choice_.format});
} catch (const sim::Error& error) {
  show_problem(error.what());
}

/// The series of the command line is one of the first dataset.
void Viewer::start_asked_series() {
  if (options_.run.series.folder.empty()) return;
  const auto request = std::exchange(options_.run.series, {});
  series_choice_ = {request.every, request.format};
  try {
    session_.start_series(request);
  } catch (const sim::Error& error) {
    show_problem(error.what());
  }
}

void Viewer::write_timeline(const sim::Timeline& timeline) try {
  const auto path = lab::free_trace_name(output_folder(), session_.scene().title, session_.frame().steps);
  lab::write_trace(path, timeline, device_names(timeline, lab::device_name(session_.frame().report)));
  confirm("trace", path);
} catch (const sim::Error& error) {
  show_problem(error.what());
}

void Viewer::save_accuracy_speed() try {
  lab::make_folder(output_folder());
  const auto stem = lab::file_stem(session_.scene().title) + "-accuracy-speed";
  const auto path = lab::next_free_name(output_folder(), stem, ".svg");
  plots::write_figure(path, lab::accuracy_speed_figure(switching_.accuracy_speed(session_)));
  confirm("plot", path);
} catch (const sim::Error& error) {
  show_problem(error.what());
}

void Viewer::save_plot(const PlotDock::Saving& saving) try {
  lab::make_folder(output_folder());
  const auto& plot = *saving.plot;
  const auto stem = fmt::format("{}-{}", lab::file_stem(session_.scene().title), plot.name);
  const auto path = lab::next_free_name(output_folder(), stem, saving.as_csv ? ".csv" : ".svg");
  const auto figure = lab::figure_of(
      plot, plots_.log(), fmt::format("{}, {} bodies", session_.scene().title, session_.summary().bodies));
  if (saving.as_csv)
    sim::write_file(path, lab::csv_of(figure.panels.front()));
  else
    plots::write_figure(path, figure);
  confirm("plot", path);
} catch (const sim::Error& error) {
  show_problem(error.what());
}

}  // namespace orrery::app
