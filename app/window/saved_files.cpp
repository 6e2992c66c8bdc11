#include "app/window/saved_files.h"

#include <fmt/format.h>

#include <utility>

#include "app/live/switching.h"
#include "app/panels/timeline_view.h"
#include "app/session/session.h"
#include "app/window/messages.h"
#include "app/window/plot_dock.h"
#include "lab/bench/engine_facts.h"
#include "lab/bench/timeline_trace.h"
#include "lab/figures/accuracy_speed_plot.h"
#include "lab/plots/figure_file.h"
#include "lab/setup/paths.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/engines/timeline.h"

namespace orrery::app {

SavedFiles::SavedFiles(Session& session, Messages& messages, std::filesystem::path folder,
                       sim::SeriesRequest asked)
    : session_(session), messages_(messages), folder_(std::move(folder)), asked_(std::move(asked)) {}

std::filesystem::path SavedFiles::folder() const {
  return folder_.empty() ? lab::pictures_folder() : folder_;
}

void SavedFiles::attempt(const std::function<void()>& act) const try {
  act();
} catch (const sim::Error& error) {
  messages_.show_problem(error.what());
}

std::filesystem::path SavedFiles::free_name(std::string_view what, const std::string& ending) const {
  lab::make_folder(folder());
  const auto stem = fmt::format("{}-{}", lab::file_stem(session_.scene().title), what);
  return lab::next_free_name(folder(), stem, ending);
}

void SavedFiles::start_series() {
  attempt([&] {
    session_.start_series(
        {.folder = free_name("series", ""), .every = series.every, .format = series.format});
  });
}

void SavedFiles::start_asked_series() {
  attempt([&] {
    if (asked_.folder.empty()) return;
    const auto request = std::exchange(asked_, {});
    series = {request.every, request.format};
    session_.start_series(request);
  });
}

void SavedFiles::write_timeline(const sim::Timeline& timeline) {
  attempt([&] {
    const auto path = lab::free_trace_name(folder(), session_.scene().title, session_.frame().steps);
    lab::write_trace(path, timeline, device_names(timeline, lab::device_name(session_.frame().report)));
    messages_.confirm("trace", path);
  });
}

void SavedFiles::save_accuracy_speed(const Switching& switching) {
  attempt([&] {
    const auto path = free_name("accuracy-speed", ".svg");
    plots::write_figure(path, lab::accuracy_speed_figure(switching.accuracy_speed(session_)));
    messages_.confirm("plot", path);
  });
}

void SavedFiles::save_plot(const PlotSaving& saving, const lab::DiagnosticsLog& log) {
  attempt([&] {
    const auto& plot = *saving.plot;
    const auto path = free_name(plot.name, saving.as_csv ? ".csv" : ".svg");
    const auto figure = lab::figure_of(
        plot, log, fmt::format("{}, {} bodies", session_.scene().title, session_.summary().bodies));
    if (saving.as_csv)
      sim::write_file(path, lab::csv_of(figure.panels.front()));
    else
      plots::write_figure(path, figure);
    messages_.confirm("plot", path);
  });
}

}  // namespace orrery::app
