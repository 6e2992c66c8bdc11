#include "sim/simulation/simulation.h"

#include <utility>

#include "sim/core/thread_supply.h"
#include "sim/simulation/step_loop.h"

namespace orrery::sim {

Simulation::Simulation(const OptionTable& options, std::shared_ptr<const Scene> scene, Control control,
                       const TargetRing& ring, const EngineState* start)
    : options_(options),
      sent_(control),
      exchange_(ring),
      loop_(std::make_unique<StepLoop>(options, std::move(scene), std::move(control), exchange_, start)),
      thread_(start_thread("the simulation", [this] { loop_->run(); })) {}

Simulation::~Simulation() {
  exchange_.quit = true;
  exchange_.interrupt = true;
  thread_.join();
}

void Simulation::set_control(Control control) {
  const bool urgent = !same_effect(options_, control.configuration, sent_.configuration, decides_engine) ||
                      control.resets != sent_.resets;
  sent_ = control;
  exchange_.controls.send(std::move(control));
  // After sending, so that the interrupted thread finds the news.
  if (urgent) exchange_.interrupt = true;
}

void Simulation::give_way(std::chrono::microseconds longest) {
  exchange_.gives_way_until = StepExchange::Clock::now() + longest;
}

Bodies Simulation::state(double& time) {
  exchange_.state.ask();
  auto state = exchange_.state.wait();
  time = state.time;
  return std::move(state.bodies);
}

bool Simulation::went_on_exactly() const { return loop_->went_on_exactly(); }

std::unique_ptr<KeptState> Simulation::last_state() {
  exchange_.last_state.ask();
  exchange_.interrupt = true;
  return exchange_.last_state.wait();
}

}  // namespace orrery::sim
