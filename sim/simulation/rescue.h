#pragma once

#include <filesystem>
#include <string>

#include "sim/engines/engine.h"
#include "sim/scene/scene.h"

namespace orrery::sim {

/// The present state of the engine: `scene`, which it was loaded with, at its last complete step and with the
/// physics in force, so that another run can go on from it. Bodies that started at rest have velocities after
/// the first step. Throws what Engine::read_back throws.
Scene present_state(Engine& engine, const Scene& scene, const Physics& physics);

/// Saves the present state after a DeviceLost, to a new file (BIN) in `folder`, or in the working folder if
/// that is empty. Returns `problem` with where the state is, or with why it could not be saved.
std::string rescue_state(Engine& engine, const Scene& scene, const Physics& physics,
                         const std::filesystem::path& folder, const std::string& problem);

}  // namespace orrery::sim
