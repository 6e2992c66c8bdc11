#include <fmt/format.h>

#include <csignal>
#include <string>
#include <thread>

#include "app/commands/process_group.h"
#include "app/picture/display_options.h"
#include "sim/core/error.h"
#include "sim/galaxies/model.h"
#include "sim/ranks/agreement.h"
#include "sim/ranks/world.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/ranked_engine.h"

// What ranks_test.cpp starts with mpirun: compares ranks with one process, or has one of them fail.
namespace orrery {
namespace {

constexpr std::size_t bodies = 300;
constexpr int steps = 5;

sim::Bodies moved(sim::Engine& engine, sim::Bodies state) {
  engine.load(state, 0.0);
  for (int k = 0; k < steps; ++k) engine.advance({});
  engine.read_back(state);
  return state;
}

bool last() { return sim::world().rank() + 1 == sim::world().size(); }

/// "same" if rank 0 has every bit of what one process computes.
void compare(const sim::OptionTable& table, sim::Configuration configuration, const std::string& split) {
  configuration.set("ranks-split", split);
  for (const std::uint32_t galaxies : {1U, 4U}) {
    const auto state = sim::make_galaxies("plummer", {.bodies = bodies, .seed = 3}, galaxies).bodies;
    const auto mine = moved(*sim::make_ranked_engine(table, configuration, sim::world()), state);
    if (sim::world().rank() != 0) continue;
    const auto expected = moved(*sim::make_engine(table, configuration), state);
    const bool same = mine.position == expected.position && mine.velocity == expected.velocity;
    fmt::print("{}, {} galaxies in {} ranks: {}\n", split, galaxies, sim::world().size(),
               same ? "same" : "different");
  }
}

/// The last rank fails in `way` while the others work on.
void fail(const std::string& way) {
  if (last() && way == "throw") throw sim::Error("the last rank has had enough; give it a rest");
  if (last() && way == "die") std::raise(SIGKILL);
  if (last() && way == "hurry") throw sim::Error("nobody comes");
  if (way == "hurry") std::this_thread::sleep_for(std::chrono::minutes(5));
  sim::call_roll(sim::world());
}

void run(const std::string& what) {
  const auto table = app::all_options();
  auto configuration = table.defaults();
  table.assign(configuration, "engine=cpu");
  table.assign(configuration, "threads=1");
  app::join_processes();
  if (what == "compare") {
    for (const char* split : {"galaxies", "bodies"}) compare(table, configuration, split);
  } else {
    fail(what);
  }
  app::leave_processes();
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  orrery::app::quiet_all_but_first();
  const std::string what = argc == 2 ? argv[1] : "";
  try {
    orrery::run(what);
    return 0;
  } catch (const std::exception& failure) {
    return orrery::app::report_failure(failure, std::chrono::milliseconds(what == "hurry" ? 300 : 10'000));
  }
}
