#pragma once

#include <memory>
#include <span>

#include "sim/engines/engine.h"

namespace orrery::sim {

/// All engines of this program.
std::span<const EngineKind* const> engine_kinds();
/// Makes the engine that `configuration` asks for, configured but empty, behind the border of its units
/// (FramedEngine). Throws UsageError.
std::unique_ptr<Engine> make_engine(const OptionTable& options, const Configuration& configuration);
/// The same without that border: its numbers are those that it is given.
std::unique_ptr<Engine> make_bare_engine(const OptionTable& options, const Configuration& configuration);

}  // namespace orrery::sim
