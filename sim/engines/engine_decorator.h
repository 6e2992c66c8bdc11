#pragma once

#include <memory>
#include <utility>

#include "sim/engines/engine.h"

namespace orrery::sim {

/// An engine that stands before another one and hands everything on to it, except what a derived class
/// overrides. Domains are not handed on: they are for engines that nothing stands before, since their
/// exchanges carry the numbers of the engine within.
class EngineDecorator : public Engine {
 public:
  explicit EngineDecorator(std::unique_ptr<Engine> engine) : inner_(std::move(engine)) {}

  const EngineKind& kind() const override { return inner_->kind(); }
  void load(const Bodies& bodies, double time) override { inner_->load(bodies, time); }
  void set_partition(BodyRange targets, StateExchange& exchange) override {
    inner_->set_partition(targets, exchange);
  }
  void configure(const Configuration& configuration) override { inner_->configure(configuration); }
  bool advance(const WorkBudget& budget) override { return inner_->advance(budget); }
  void finish() override { inner_->finish(); }
  void set_next_target(const VertexTarget& target) override { inner_->set_next_target(target); }
  bool writes_in_passing() const override { return inner_->writes_in_passing(); }
  void write_vertices(const VertexTarget& target) override { inner_->write_vertices(target); }
  MapSpec map() const override { return inner_->map(); }
  void read_back(Bodies& bodies) override { inner_->read_back(bodies); }
  EngineState save_state() override { return inner_->save_state(); }
  bool restore_state(const EngineState& state) override { return inner_->restore_state(state); }
  EngineStatus status() const override { return inner_->status(); }
  EngineReport report() const override { return inner_->report(); }
  void observe(const SampleRequest& wanted) override { inner_->observe(wanted); }
  Samples poll() override { return inner_->poll(); }

 protected:
  Engine& inner() { return *inner_; }
  const Engine& inner() const { return *inner_; }

 private:
  std::unique_ptr<Engine> inner_;
};

}  // namespace orrery::sim
