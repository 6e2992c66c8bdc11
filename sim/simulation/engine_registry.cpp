#include "sim/simulation/engine_registry.h"

#include <algorithm>
#include <array>

#include "sim/cpu/cpu_engine.h"
#ifdef ORRERY_CUDA
#include "sim/cuda/cuda_engine.h"
#endif
#include "sim/core/error.h"
#include "sim/simulation/accurate_engine.h"
#include "sim/simulation/framed_engine.h"

namespace orrery::sim {

std::span<const EngineKind* const> engine_kinds() {
  static constexpr auto all = std::to_array<const EngineKind*>({
      &cpu_engine_kind,
#ifdef ORRERY_CUDA
      &cuda_engine_kind,
#endif
  });
  return all;
}

std::unique_ptr<Engine> make_engine(const OptionTable& options, const Configuration& configuration) {
  auto accurate =
      std::make_unique<AccurateEngine>(make_bare_engine(options, configuration), options, configuration);
  return std::make_unique<FramedEngine>(std::move(accurate), options, configuration);
}

std::unique_ptr<Engine> make_bare_engine(const OptionTable& options, const Configuration& configuration) {
  options.check(configuration);
  const auto all = engine_kinds();
  const auto kind = std::ranges::find(all, configuration.choice("engine"), &EngineKind::name);
  if (kind == all.end()) throw UsageError("there is no engine '" + configuration.choice("engine") + "'");
  auto engine = (*kind)->make(options);
  engine->configure(configuration);
  return engine;
}

}  // namespace orrery::sim
