#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "app/picture/display_options.h"
#include "app/run/process_group.h"
#include "sim/core/error.h"
#include "sim/galaxies/model.h"
#include "sim/ranks/agreement.h"
#include "sim/ranks/world.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/ranked_engine.h"

// What ranks_test.cpp starts with mpirun: compares ranks with one process, measures how they share a tree, or
// has one of them fail.
namespace orrery {
namespace {

constexpr int steps = 5;

sim::Bodies moved(sim::Engine& engine, sim::Bodies state) {
  engine.load(state, 0.0);
  for (int k = 0; k < steps; ++k) engine.advance({});
  engine.read_back(state);
  return state;
}

bool last() { return sim::world().rank() + 1 == sim::world().size(); }

/// "same" if rank 0 has every bit of what one process computes.
void compare(const sim::OptionTable& table, sim::Configuration configuration, const std::string& kernel,
             const std::string& split) {
  configuration.set("kernel", kernel);
  configuration.set("ranks-split", split);
  const std::size_t bodies = kernel == "tree" ? 3000 : 300;
  for (const std::uint32_t galaxies : {1U, 4U}) {
    const auto state = sim::make_galaxies("plummer", {.bodies = bodies, .seed = 3}, galaxies).bodies;
    const auto mine = moved(*sim::make_ranked_engine(table, configuration, sim::world()), state);
    if (sim::world().rank() != 0) continue;
    const auto expected = moved(*sim::make_engine(table, configuration), state);
    const bool same = mine.position == expected.position && mine.velocity == expected.velocity;
    fmt::print("{} by {}, {} galaxies in {} ranks: {}\n", split, kernel, galaxies, sim::world().size(),
               same ? "same" : "different");
  }
}

double processor_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The most memory that this process has had, in MiB.
double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// Prints the sum over all ranks, the largest share, and that times the number of ranks over the sum.
void print_shares(const char* what, double mine) {
  double sum = 0.0, largest = 0.0;
  for (int rank = 0; rank < sim::world().size(); ++rank) {
    const bool me = rank == sim::world().rank();
    double number = me ? mine : 0.0;
    sim::find_largest(sim::world(), {&number, 1});
    sum += number;
    largest = std::max(largest, number);
  }
  fmt::print("{}: all {:.0f} most {:.0f} imbalance {:.3f}\n", what, sum, largest,
             largest * sim::world().size() / sum);
}

/// How the ranks share the trees of some galaxies: sums of a force evaluation, and CPU time of a step.
/// Only the last steps count, after two that the cut is learned from.
void measure(const sim::OptionTable& table, sim::Configuration configuration, std::size_t bodies,
             std::uint32_t galaxies, int counted) {
  configuration.set("kernel", std::string("tree"));
  configuration.set("ranks-split", std::string("bodies"));
  const auto state = sim::make_galaxies("plummer", {.bodies = bodies, .seed = 3}, galaxies).bodies;
  const auto engine = sim::make_ranked_engine(table, configuration, sim::world());
  engine->load(state, 0.0);
  for (int k = 0; k < 2; ++k) engine->advance({});
  const double begin = processor_ms();
  for (int k = 0; k < counted; ++k) engine->advance({});
  const double each = (processor_ms() - begin) / counted;
  print_shares("sums", engine->report().number("sources_per_body") * static_cast<double>(state.size()));
  print_shares("CPU ms", each);
  print_shares("peak MiB", peak_mib());
  engine->observe({.forces = 1000, .seed = 7});
  engine->advance({});
  engine->finish();
  const auto sample = engine->poll().forces;
  if (sample) fmt::print("error: median {:.3g}\n", sim::force_error(*sample).median);
}

/// The last rank fails in `way` while the others work on.
void fail(const std::string& way) {
  if (last() && way == "throw") throw sim::Error("the last rank has had enough; give it a rest");
  if (last() && way == "die") std::raise(SIGKILL);
  if (last() && way == "hurry") throw sim::Error("nobody comes");
  if (way == "hurry") std::this_thread::sleep_for(std::chrono::minutes(5));
  sim::call_roll(sim::world());
}

void run(const std::string& what, const std::vector<std::string>& numbers) {
  const auto table = app::all_options();
  auto configuration = table.defaults();
  table.assign(configuration, "engine=cpu");
  table.assign(configuration, "threads=1");
  if (what == "alone") sim::join_world(std::chrono::seconds(1));
  app::join_processes({});
  app::require_processes();
  if (what == "compare") {
    for (const char* kernel : {"simd", "tree"}) {
      for (const char* split : {"galaxies", "bodies"}) compare(table, configuration, kernel, split);
    }
  } else if (what == "measure") {
    measure(table, configuration, std::stoul(numbers.at(0)),
            static_cast<std::uint32_t>(std::stoul(numbers.at(1))), std::stoi(numbers.at(2)));
  } else {
    fail(what);
  }
  app::leave_processes();
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  orrery::app::quiet_all_but_first();
  const std::string what = argc >= 2 ? argv[1] : "";
  try {
    orrery::run(what, {argv + std::min(argc, 2), argv + argc});
    return 0;
  } catch (const std::exception& failure) {
    return orrery::app::report_failure(failure, std::chrono::milliseconds(what == "hurry" ? 300 : 10'000));
  }
}
