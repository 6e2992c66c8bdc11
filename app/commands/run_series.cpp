#include "app/commands/run_series.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <vector>

#include "lab/setup/progress_line.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/plain_text.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/ranks/world.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::app {

RunSeries::RunSeries(const sim::SeriesRequest& request, const sim::Scene& scene,
                     const sim::Configuration& configuration)
    : physics_(sim::physics_of(configuration)) {
  compute_with(configuration);
  if (request.folder.empty()) return;
  if (sim::world().size() > 1)
    throw sim::UsageError("--series is for one process; leave it out or start orrery without mpirun");
  recorder_.emplace(request, std::make_shared<const sim::Scene>(scene));
  recorder_->try_first_file();
}

void RunSeries::compute_with(const sim::Configuration& configuration) {
  label_ = fmt::format("{}, {}", sim::engine_name(configuration), sim::computing_name(configuration));
}

bool RunSeries::before_step(sim::Engine& engine, std::uint64_t steps) {
  return recorder_ && recorder_->before_step(engine, steps, physics_);
}

void RunSeries::take(const sim::ForceSample& sample) {
  if (recorder_) recorder_->take(sample);
}

void RunSeries::after_step(sim::Engine& engine, std::uint64_t steps) {
  if (!recorder_) return;
  recorder_->after_step(engine, steps, physics_, label_);
  // More steps would be in vain.
  if (const auto problem = recorder_->progress().problem; !problem.empty()) throw sim::Error(problem);
}

void RunSeries::finish() {
  if (!recorder_) return;
  lab::ProgressLine line("render");
  line.show("writing the last files of the series", 1.0);
  recorder_->flush();
}

void RunSeries::report() const {
  if (!recorder_) return;
  const auto progress = recorder_->progress();
  fmt::print("series: {} in {}, {}{}\n", sim::counted(progress.files, "state", "states"),
             sim::one_line(recorder_->request().folder.string()), forces_text(progress),
             progress.slower ? "; steps waited for the disk" : "");
}

std::string RunSeries::forces_text(const sim::SeriesProgress& progress) const {
  std::vector<std::string> parts;
  if (progress.by_engine > 0) parts.push_back(fmt::format("{} by {}", progress.by_engine, label_));
  if (progress.by_processor > 0)
    parts.push_back(fmt::format("{} by the CPU in double precision", progress.by_processor));
  if (parts.empty()) return "without forces";
  return fmt::format("forces: {}", fmt::join(parts, ", "));
}

}  // namespace orrery::app
