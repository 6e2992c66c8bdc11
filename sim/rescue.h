#pragma once

#include <filesystem>
#include <string>

#include "sim/engine.h"
#include "sim/scene.h"

namespace orrery::sim {

/// After a DeviceLost: writes the state that the engine kept to a new file (BIN) in `folder`, or in the
/// working folder if that is empty. Returns `problem` with where the state is, or with why it could not be
/// saved.
std::string rescue_state(Engine& engine, const Scene& scene, const std::filesystem::path& folder,
                         const std::string& problem);

}  // namespace orrery::sim
