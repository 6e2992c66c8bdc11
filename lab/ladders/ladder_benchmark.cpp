#include "lab/ladders/ladder_benchmark.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <tuple>
#include <utility>

#include "lab/bench/rates.h"
#include "sim/activity/map_options.h"
#include "sim/core/error.h"
#include "sim/engines/pipeline.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/ranks/agreement.h"
#include "sim/ranks/world.h"

namespace orrery::lab {

namespace {

constexpr double gpu_seconds = 0.2;    ///< shortest timing of a GPU rung that gives a meaningful median
constexpr double most_seconds = 20.0;  ///< longest timing of a rung
constexpr std::size_t pilot_bodies = 1024;
constexpr int fewest_gpu_steps = 5;
constexpr int most_gpu_steps = 2000;
constexpr int most_cpu_steps = 5;
constexpr const char* not_waited_for = "interrupted before it was measured";

/// Pairs of bodies in a step, whether they are summed or not.
double pairs_of(const BenchmarkRow& row, const sim::Scene& scene) {
  const auto evaluations = sim::physics_of(row.configuration).integrator->evaluations();
  return sim::interactions_per_evaluation(scene.bodies.galaxies()) * static_cast<double>(evaluations);
}

/// The times of an offline job instead of those of single steps.
void take_times(BenchmarkRow& row, const sim::PipelineResult& result) {
  row.steps = result.steps;
  const double kernel_ms = sim::kernel_ms(result);
  row.kernel_ms = kernel_ms / result.steps;
  const auto rates = rates_of({result.interactions, kernel_ms}, {result.interactions, result.total_ms});
  row.gips_kernel = rates.kernel;
  row.gips_frame = rates.whole;
  row.step_ms = result.total_ms / result.steps;
}

/// Times the rungs of one ladder.
class RungTimer {
 public:
  RungTimer(const sim::OptionTable& table, LadderProblem& problem, std::optional<int> own_steps,
            std::function<void(int done, int steps)> stepped)
      : table_(table), problem_(problem), own_steps_(own_steps), stepped_(std::move(stepped)) {}

  void time(LadderRow& row) {
    const bool on_gpu = sim::is_on_gpu(problem_.configuration(row.rung, {}));
    if (on_gpu && problem_.ladder().pipeline)
      run_pipeline(row);
    else if (own_steps_)
      run(row, problem_.bodies(), *own_steps_);
    else if (on_gpu)
      time_on_device(row);
    else
      time_on_cpu(row);
  }

 private:
  void run(LadderRow& row, std::size_t bodies, int steps) {
    // Several processes fail together or not at all: the next rung must be the same for all.
    const sim::Scene* scene = nullptr;
    sim::together(sim::world(), [&] { return scene = &problem_.scene(bodies), sim::Answer{}; });
    row.measured =
        time_configuration(table_, problem_.configuration(row.rung, *scene), *scene, control(steps));
    row.pairs = pairs_of(*row.measured, *scene);
  }

  TimingControl control(int steps) const {
    auto control = timed_steps(steps);
    control.progress = [this, steps](int done) { stepped_(done, steps + 1); };
    return control;
  }

  /// As the report does: in, all its steps, out. Errors and what is known of the kernel are those of a step.
  void run_pipeline(LadderRow& row) {
    if (sim::world().size() > 1)
      throw sim::UsageError("the offline job runs in one process; start it without mpirun");
    const auto& scene = problem_.scene(problem_.bodies());
    const auto configuration = problem_.configuration(row.rung, scene);
    const int steps = own_steps_.value_or(problem_.ladder().steps);
    row.measured = time_configuration(table_, configuration, scene, control(1));
    take_times(*row.measured, sim::run_pipeline(table_, configuration, scene, steps));
    row.pairs = pairs_of(*row.measured, scene);
  }

  /// A few bodies first: how long will all take? One region a body or a merge of buffers weighs less with
  /// more bodies, so that this is no underestimate.
  void time_on_cpu(LadderRow& row) {
    auto bodies = problem_.bodies();
    const auto pilot = problem_.resizable() ? std::min(bodies, pilot_bodies) : bodies;
    run(row, pilot, 1);
    const auto seconds = [&](std::size_t n) {
      const double factor = static_cast<double>(n) / static_cast<double>(pilot);
      return 1e-3 * row.measured->step_ms * factor * factor;
    };
    // Besides the timed steps: one to warm up, and the forces that leapfrog starts with.
    while (3.0 * seconds(bodies) > most_seconds && bodies > pilot) bodies = std::max(bodies / 2, pilot);
    const double fitting = most_seconds / std::max(seconds(bodies), 1e-9) - 2.0;
    run(row, bodies, static_cast<int>(std::clamp(fitting, 1.0, double{most_cpu_steps})));
  }

  void time_on_device(LadderRow& row) {
    run(row, problem_.bodies(), 2);
    const double step_ms = row.measured->step_ms;
    if (step_ms * fewest_gpu_steps > 1e3 * most_seconds) return;
    const double wanted = std::ceil(1e3 * gpu_seconds / std::max(step_ms, 1e-6));
    run(row, problem_.bodies(),
        static_cast<int>(std::clamp(wanted, double{fewest_gpu_steps}, double{most_gpu_steps})));
  }

  const sim::OptionTable& table_;
  LadderProblem& problem_;
  std::optional<int> own_steps_;
  std::function<void(int done, int steps)> stepped_;
};

/// Measures or says why not.
void try_rung(RungTimer& timer, LadderRow& row) {
  try {
    timer.time(row);
  } catch (const sim::Cancelled&) {
    row.measured.reset();
    row.reason = not_waited_for;
  } catch (const sim::Error& error) {
    row.measured.reset();
    row.reason = error.what();
  } catch (const std::bad_alloc&) {
    row.measured.reset();
    row.reason = "not enough memory; use fewer bodies";
  }
}

void add_speedups(std::vector<LadderRow>& rows) {
  const LadderRow* first = nullptr;
  const LadderRow* previous = nullptr;
  const auto ratio = [](const LadderRow& row, const LadderRow* base) {
    if (base == nullptr || base->pairs <= 0.0 || row.measured->step_ms <= 0.0) return 0.0;
    return (row.pairs * base->measured->step_ms) / (base->pairs * row.measured->step_ms);
  };
  for (auto& row : rows) {
    if (!row.measured) continue;
    if (first == nullptr) first = &row;
    row.speedup_first = ratio(row, first);
    row.speedup_previous = ratio(row, previous);
    previous = &row;
  }
}

bool same_problem(const PublishedFigure& a, const PublishedFigure& b) {
  return a.bodies == b.bodies && a.galaxies == b.galaxies && a.map == b.map;
}

/// A rung with what is known before it is measured.
LadderRow row_of(LadderProblem& problem, const Rung& rung) {
  LadderRow row{.rung = rung, .reason = sim::first_text(sim::world(), problem.refusal(rung))};
  const auto map = sim::map_options(problem.configuration(rung, {})).size;
  row.published = figure_near(rung, problem.bodies(), static_cast<std::size_t>(map));
  if (row.published) row.published_speedup = published_speedup(problem.ladder(), *row.published);
  if (row.reason.empty() && sim::interrupted()) row.reason = not_waited_for;
  return row;
}

}  // namespace

std::optional<PublishedFigure> figure_near(const Rung& rung, std::size_t bodies, std::size_t map) {
  const auto apart = [](std::size_t a, std::size_t b) {
    return std::abs(std::log(static_cast<double>(a)) - std::log(static_cast<double>(b)));
  };
  const auto distance = [&](const PublishedFigure& figure) {
    return std::tuple(apart(figure.map + 1, map + 1), !figure.remark.empty(),
                      apart(figure.bodies, std::max<std::size_t>(bodies, 1)));
  };
  const auto nearest = std::ranges::min_element(rung.published, {}, distance);
  return nearest == rung.published.end() ? std::nullopt : std::optional(*nearest);
}

const PublishedFigure* published_memory(const Rung& rung, std::size_t bodies) {
  const auto distance = [&](const PublishedFigure& figure) {
    const bool says = figure.memory_mb != 0.0 && figure.remark.empty();
    return std::pair(!says, std::abs(std::log(static_cast<double>(figure.bodies)) -
                                     std::log(static_cast<double>(std::max<std::size_t>(bodies, 1)))));
  };
  const auto nearest = std::ranges::min_element(rung.published, {}, distance);
  return nearest == rung.published.end() || distance(*nearest).first ? nullptr : &*nearest;
}

double published_speedup(const Ladder& ladder, const PublishedFigure& figure) {
  if (!figure.remark.empty()) return 0.0;
  if (figure.speedup > 0.0) return figure.speedup;
  for (const auto& first : ladder.rungs.front().published) {
    if (!first.remark.empty() || !same_problem(first, figure)) continue;
    if (first.seconds > 0.0 && figure.seconds > 0.0) return first.seconds / figure.seconds;
    if (first.gips > 0.0 && figure.gips > 0.0) return figure.gips / first.gips;
  }
  return 0.0;
}

LadderResult measure_ladder(const sim::OptionTable& table, LadderProblem& problem,
                            std::optional<int> own_steps, const RungWatch& watch) {
  LadderResult result{.ladder = problem.ladder(), .bodies = problem.bodies(), .galaxies = problem.galaxies()};
  for (const auto& rung : result.ladder.rungs) {
    auto row = row_of(problem, rung);
    if (row.reason.empty()) {
      const auto index = result.rows.size();
      watch.begins(rung, index);
      RungTimer timer(table, problem, own_steps,
                      [&](int done, int steps) { watch.stepped(rung, index, done, steps); });
      try_rung(timer, row);
    }
    result.rows.push_back(std::move(row));
  }
  add_speedups(result.rows);
  return result;
}

}  // namespace orrery::lab
