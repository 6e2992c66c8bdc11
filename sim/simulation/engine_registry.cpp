#include "sim/simulation/engine_registry.h"

#include <algorithm>
#include <array>
#include <exception>

#include "sim/core/error.h"
#include "sim/core/threads.h"
#include "sim/options/engine_option.h"
#include "sim/ranks/world.h"
#include "sim/simulation/accurate_engine.h"
#include "sim/simulation/framed_engine.h"

namespace orrery::sim {

std::span<const EngineKind* const> engine_kinds() {
  static constexpr auto all = std::to_array<const EngineKind*>({
      &cpu_engine_kind,
      &cuda_engine_kind,
      &emulated_engine_kind,
  });
  return all;
}

namespace {

/// nullptr: there is none of that name.
const EngineKind* kind_of(const Configuration& configuration) {
  const auto all = engine_kinds();
  const auto kind = std::ranges::find(all, engine_name(configuration), &EngineKind::name);
  return kind == all.end() ? nullptr : *kind;
}

}  // namespace

std::future<void> prepare_engine(const Configuration& configuration) {
  const auto* kind = kind_of(configuration);
  if (kind == nullptr || kind->prepare == nullptr || world().size() > 1) return {};
  return try_async([prepare = kind->prepare, configuration] {
    try {
      prepare(configuration);
    } catch (const std::exception&) {
      // The engine that is made meets the same problem, and says so.
    }
  });
}

std::unique_ptr<Engine> make_engine(const OptionTable& options, const Configuration& configuration) {
  auto accurate =
      std::make_unique<AccurateEngine>(make_bare_engine(options, configuration), options, configuration);
  return std::make_unique<FramedEngine>(std::move(accurate), options, configuration);
}

std::unique_ptr<Engine> make_bare_engine(const OptionTable& options, const Configuration& configuration) {
  options.check(configuration);
  const auto* kind = kind_of(configuration);
  if (kind == nullptr) throw UsageError("there is no engine '" + engine_name(configuration) + "'");
  auto engine = kind->make(options);
  engine->configure(configuration);
  return engine;
}

}  // namespace orrery::sim
