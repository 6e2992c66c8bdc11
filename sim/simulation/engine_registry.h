#pragma once

#include <future>
#include <memory>
#include <span>

#include "sim/engines/engine.h"

namespace orrery::sim {

/// All engines of this program.
std::span<const EngineKind* const> engine_kinds();
/// Makes the engine that `configuration` asks for, configured but empty, behind the border of its units
/// (FramedEngine). Throws UsageError.
std::unique_ptr<Engine> make_engine(const OptionTable& options, const Configuration& configuration);
/// Prepares the start of that engine on another thread, for what the caller does meanwhile: device and
/// kernels then are ready, and nothing else changes. Whatever fails is found again, and reported, by
/// make_engine. The destructor of the result waits. For one process: several choose their devices later.
[[nodiscard]] std::future<void> prepare_engine(const Configuration& configuration);
/// Makes the engine of a configuration without FramedEngine: it computes with the numbers that it is given.
std::unique_ptr<Engine> make_bare_engine(const OptionTable& options, const Configuration& configuration);

}  // namespace orrery::sim
