#include "lab/bench/kernel_benchmark.h"

#include <fmt/format.h>

#include <optional>
#include <sstream>

#include "lab/setup/progress_line.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/options/engine_option.h"
#include "sim/ranks/agreement.h"
#include "sim/ranks/world.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::lab {

namespace {

void describe_run(const sim::Scene& scene, int steps) {
  fmt::print(stderr, "{} in {} of {}, {} after one to warm up\n",
             sim::counted(scene.bodies.size(), "body", "bodies"),
             sim::counted(scene.bodies.galaxies().size(), "galaxy", "galaxies"), scene.title,
             sim::counted(steps, "step", "steps"));
}

/// Rows of one dataset, one after the other.
class Series {
 public:
  /// All must outlive it.
  Series(const BenchSetup& setup, std::size_t rows, int steps, const RowWatch& watch)
      : setup_(setup), rows_(rows), steps_(steps), watch_(watch) {}

  void leave_out(const std::string& name, const std::string& reason) {
    ++done_;
    const auto quiet = line_.pause();
    fmt::print(stderr, "{} is left out: {}\n", name, reason);
  }

  /// False: interrupted.
  bool measure(const sim::Configuration& configuration, const std::string& label) try {
    auto control = timed_steps(steps_);
    control.energy = true;
    control.progress = [&](int step) {
      if (line_.due()) show(label, step);
    };
    show(label, 0);
    auto row = time_configuration(setup_.table, configuration, setup_.scene, control);
    row.label = label;
    if (!first_)
      first_ = row;
    else
      compare(row, *first_);
    ++done_;
    const auto quiet = line_.pause();
    watch_(row);
    return true;
  } catch (const sim::Cancelled&) {
    return false;
  }

 private:
  void show(const std::string& label, int step) {
    const double of_row = static_cast<double>(step) / (steps_ + 1);
    line_.show(fmt::format("{}, {} of {}, step {} of {}", label, done_ + 1, rows_, step, steps_ + 1),
               (static_cast<double>(done_) + of_row) / static_cast<double>(rows_));
  }

  const BenchSetup& setup_;
  std::size_t rows_;
  int steps_;
  const RowWatch& watch_;
  ProgressLine line_{"bench"};
  std::size_t done_ = 0;  ///< rows, those left out too
  std::optional<BenchmarkRow> first_;
};

}  // namespace

std::vector<std::string> kernel_names(const sim::OptionTable& table, const sim::Configuration& configuration,
                                      const std::string& list) {
  const auto& option = table.at(sim::kernel_option(configuration));
  if (list == "all") return sim::own_choices(option);
  std::vector<std::string> names;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');)
    names.push_back(sim::to_string(table.parse(option, name)));
  if (names.empty()) throw sim::UsageError("--kernels needs names or 'all'");
  return names;
}

void time_kernels(const BenchSetup& setup, const std::vector<std::string>& names, bool which_can, int steps,
                  const RowWatch& watch) {
  auto configuration = setup.configuration;
  const auto& varied = setup.table.at(sim::kernel_option(configuration));
  describe_run(setup.scene, steps);
  Series series(setup, names.size(), steps, watch);
  for (const auto& name : names) {
    const auto reason = sim::first_text(
        sim::world(),
        which_can ? setup.table.refusal(varied, name, configuration, setup.context) : std::string());
    if (!reason.empty()) {
      series.leave_out(name, reason);
      continue;
    }
    configuration.set(varied.name, name);
    if (!series.measure(configuration, name)) return;
  }
}

void time_tuned(BenchSetup setup, const std::vector<std::string>& assignments, int steps,
                const RowWatch& watch) {
  const auto plain = setup.configuration;
  use_tuned(setup, assignments);
  describe_run(setup.scene, steps);
  Series series(setup, 2, steps, watch);
  if (series.measure(plain, sim::computing_name(plain))) series.measure(setup.configuration, "tuned");
}

}  // namespace orrery::lab
