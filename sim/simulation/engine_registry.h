#pragma once

#include <memory>
#include <span>

#include "sim/engines/engine.h"

namespace orrery::sim {

/// All engines of this program.
std::span<const EngineKind* const> engine_kinds();
/// Makes the engine that `configuration` asks for, configured but empty. Throws UsageError.
std::unique_ptr<Engine> make_engine(const OptionTable& options, const Configuration& configuration);

}  // namespace orrery::sim
