#include "lab/verify/verification_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/cuda/driver/availability.h"
#include "sim/options/engine_option.h"
#include "sim/options/tree_options.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::lab {

namespace {

using Assignments = std::vector<std::string>;

/// Collects configurations that the table does not refuse; of those that amount to the same the first.
class Collector {
 public:
  Collector(const sim::OptionTable& table, sim::Configuration start)
      : table_(table), start_(std::move(start)) {}

  /// False if it is refused.
  bool add(const Assignments& assignments) {
    auto configuration = start_;
    for (const auto& each : assignments) table_.assign(configuration, each);
    for (const auto& option : table_.options())
      if (!table_.refusal(option, configuration.value(option.name), configuration).empty()) return false;
    auto effect = sim::effective(table_, configuration);
    if (std::ranges::find(effects_, effect) != effects_.end()) return true;
    effects_.push_back(std::move(effect));
    set_.emplace_back(fmt::format("{}", fmt::join(assignments, " ")), std::move(configuration));
    return true;
  }
  /// True if the option has an effect with these assignments.
  bool active(const sim::Option& option, const Assignments& assignments) const {
    auto configuration = start_;
    for (const auto& each : assignments) table_.assign(configuration, each);
    return sim::applies(option, configuration);
  }
  const sim::OptionTable& table() const { return table_; }
  std::vector<NamedConfiguration> take() { return std::move(set_); }

 private:
  const sim::OptionTable& table_;
  sim::Configuration start_;
  std::vector<NamedConfiguration> set_;
  std::vector<sim::Configuration> effects_;  ///< effective configuration of each entry of set_
};

sim::Configuration with_engine(sim::Configuration start, const char* engine) {
  start.set("engine", std::string(engine));
  return start;
}

Assignments values_of(const sim::Option& option) {
  switch (option.kind) {
    case sim::OptionKind::boolean:
      return {"off", "on"};
    case sim::OptionKind::choice:
      return option.choices;
    case sim::OptionKind::integer:
      return {fmt::format("{:.0f}", option.minimum), fmt::format("{:.0f}", option.maximum)};
    case sim::OptionKind::form: {
      Assignments usual;
      for (const auto& value : option.trial_values.empty() ? sim::usual_values(option) : option.trial_values)
        usual.push_back(sim::to_string(value));
      return usual;
    }
    case sim::OptionKind::real:
    case sim::OptionKind::list:
      break;
  }
  return {};
}

/// With the first family that uses the option and does not refuse the value; leapfrog is what some refuse.
void add_value(Collector& collector, const sim::Option& option, const std::string& value) {
  for (const auto& family : collector.table().at("family").choices) {
    Assignments assignments{"family=" + family, option.name + "=" + value};
    if (!collector.active(option, assignments)) continue;
    if (collector.add(assignments)) return;
    assignments.emplace_back("integrator=symplectic-euler");
    if (collector.add(assignments)) return;
  }
}

void add_families(Collector& collector) {
  const auto& table = collector.table();
  for (const auto& family : table.at("family").choices) {
    const auto named = "family=" + family;
    for (const auto& layout : table.at("layout").choices) collector.add({named, "layout=" + layout});
    collector.add({named, "precision=double"});
    collector.add({named, "dimensions=2"});
  }
}

void add_passings(Collector& collector) {
  const auto& table = collector.table();
  for (const auto& layout : table.at("layout").choices)
    for (const auto& passing : table.at("passing").choices)
      collector.add({"family=tiled", "layout=" + layout, "passing=" + passing});
}

void add_integrators(Collector& collector) {
  for (const auto& integrator : collector.table().at("integrator").choices) {
    collector.add({"family=tiled", "integrator=" + integrator});
    collector.add({"family=tiled", "integrator=" + integrator, "transfers=round-trip"});
    collector.add({"family=tiled", "integrator=" + integrator, "update=fused"});
  }
  for (const char* way : {"transfers=round-trip-bodies", "transfers=round-trip-positions"})
    collector.add({"family=tiled", "integrator=symplectic-euler", way});
}

/// So that most bodies need parts of a step.
const Assignments block_steps{"step=block:0.02"};

Assignments with(Assignments some, const Assignments& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

/// Families compute only bodies whose steps end; the state is moved by kernels of their own.
void add_block_steps(Collector& collector) {
  const auto& table = collector.table();
  for (const auto& family : table.at("family").choices)
    for (const char* more : {"schedule=serial", "precision=double", "dimensions=2"})
      collector.add(with(block_steps, {"family=" + family, more}));
  for (const auto& layout : table.at("layout").choices)
    for (const auto& passing : table.at("passing").choices)
      collector.add(with(block_steps, {"family=tiled", "layout=" + layout, "passing=" + passing}));
  for (const char* more : {"schedule=streams", "state-precision=compensated"})
    collector.add(with(block_steps, {"family=tiled", more}));
}

/// Adds the options of building and walking a tree on the CPU.
void add_tree_options(Collector& collector) {
  for (const auto& option : collector.table().options()) {
    if (option.group != sim::tree_options_group || !collector.active(option, {"kernel=tree"})) continue;
    for (const auto& value : values_of(option)) collector.add({"kernel=tree", option.name + "=" + value});
  }
}

/// A configuration for GPUs: for emulated ones only where they are asked for.
sim::Configuration on_gpu(const sim::Configuration& start) {
  return sim::is_emulated(start) ? start : with_engine(start, "cuda");
}

bool has_gpu(const sim::OptionTable& table, const sim::Configuration& start) {
  const auto gpu = on_gpu(start);
  return table.refusal(table.at("engine"), gpu.value("engine"), gpu).empty();
}

void add_tree_rules(Collector& collector, std::string_view option) {
  const auto& described = collector.table().at(option);
  for (const auto& choice : sim::own_choices(described)) {
    if (!sim::is_approximate(option, choice)) continue;
    const auto named = fmt::format("{}={}", option, choice);
    collector.add({named});
    for (const char* rule : {"order=octupole", "order=monopole", "far-cells=one-by-one", "opening=geometric",
                             "opening=relative:0.001", "accuracy=0.001"})
      collector.add({named, rule});
  }
}

}  // namespace

std::string cuda_unavailable() { return sim::cuda::cuda_problem(); }

std::vector<NamedConfiguration> cpu_verification_set(const sim::OptionTable& table,
                                                     const sim::Configuration& start) {
  Collector collector(table, with_engine(start, "cpu"));
  for (const auto& kernel : table.at("kernel").choices) {
    collector.add({"kernel=" + kernel, "threads=1"});
    collector.add(with(block_steps, {"kernel=" + kernel}));
    if (collector.active(table.at("threads"), {"kernel=" + kernel}))
      collector.add({"kernel=" + kernel, "threads=3"});
    if (!collector.active(table.at("instructions"), {"kernel=" + kernel})) continue;
    for (const auto& set : table.at("instructions").choices)
      collector.add({"kernel=" + kernel, "instructions=" + set});
  }
  add_tree_options(collector);
  return collector.take();
}

std::vector<NamedConfiguration> cuda_verification_set(const sim::OptionTable& table,
                                                      const sim::Configuration& start) {
  if (!has_gpu(table, start)) return {};
  const auto gpu = on_gpu(start);
  Collector collector(table, gpu);
  add_families(collector);
  add_passings(collector);
  add_integrators(collector);
  add_block_steps(collector);
  for (const char* tiling : {"tiling=2:32:256", "tiling=2:128:32"})
    collector.add({"family=tiled-2d", tiling});
  for (const auto& option : table.options()) {
    // Every family is there already.
    const bool varied = sim::is_of_engine(option, gpu) && !sim::belongs_to_machine(option);
    if (!varied || option.name == "family") continue;
    for (const auto& value : values_of(option)) add_value(collector, option, value);
  }
  return collector.take();
}

std::vector<NamedConfiguration> short_verification_set(const sim::OptionTable& table,
                                                       const sim::Configuration& start) {
  Collector cpu(table, with_engine(start, "cpu"));
  for (const auto& kernel : table.at("kernel").choices) cpu.add({"kernel=" + kernel});
  auto set = cpu.take();
  if (!has_gpu(table, start)) return set;
  Collector cuda(table, on_gpu(start));
  for (const auto& family : table.at("family").choices) cuda.add({"family=" + family});
  for (auto& each : cuda.take()) set.push_back(std::move(each));
  return set;
}

std::vector<NamedConfiguration> approximate_verification_set(const sim::OptionTable& table,
                                                             const sim::Configuration& start) {
  Collector cpu(table, with_engine(start, "cpu"));
  add_tree_rules(cpu, "kernel");
  auto set = cpu.take();
  if (!has_gpu(table, start)) return set;
  Collector cuda(table, on_gpu(start));
  add_tree_rules(cuda, "family");
  for (auto& each : cuda.take()) set.push_back(std::move(each));
  return set;
}

}  // namespace orrery::lab
