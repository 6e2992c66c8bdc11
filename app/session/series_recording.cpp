#include "app/session/series_recording.h"

#include <fmt/format.h>

#include <utility>

#include "app/log.h"
#include "sim/core/counted.h"

namespace orrery::app {

void SeriesRecording::start(const sim::SeriesRequest& request, std::shared_ptr<const sim::Scene> scene) {
  auto recorder = std::make_shared<sim::SeriesRecorder>(request, std::move(scene));
  stop();
  if (shown_) retired_.push_back(std::move(shown_));
  series_ = shown_ = std::move(recorder);
  problem_shown_ = false;
  log_info(fmt::format("series: every {} into {}", sim::counted(request.every, "step", "steps"),
                       request.folder.string()));
}

void SeriesRecording::stop() {
  if (!series_) return;
  log_info(fmt::format("the series in {} ends", series_->request().folder.string()));
  series_.reset();
}

void SeriesRecording::update() {
  std::erase_if(retired_, [](const auto& series) { return series->progress().waiting == 0; });
  if (!shown_ || problem_shown_) return;
  const auto problem = shown_->progress().problem;
  if (problem.empty()) return;
  problem_shown_ = true;
  log_error(problem);
  stop();
}

}  // namespace orrery::app
