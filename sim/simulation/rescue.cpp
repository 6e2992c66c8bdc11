#include "sim/simulation/rescue.h"

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/snapshots/format.h"

namespace orrery::sim {

namespace {

/// A name that no file has yet.
std::filesystem::path free_name(const std::filesystem::path& folder, std::uint64_t step) {
  std::error_code failure;
  for (int k = 1;; ++k) {
    const auto number = k > 1 ? fmt::format("-{}", k) : std::string();
    auto path = folder / fmt::format("orrery-rescued-step{}{}.bin", step, number);
    if (!std::filesystem::exists(path, failure)) return path;
  }
}

}  // namespace

Scene present_state(Engine& engine, const Scene& scene, const Physics& physics) {
  Scene present = scene;
  engine.read_back(present.bodies);
  const auto status = engine.status();
  present.time = status.time;
  present.has_velocities = scene.has_velocities || status.steps > 0;
  present.physics = physics;
  return present;
}

std::string rescue_state(Engine& engine, const Scene& scene, const Physics& physics,
                         const std::filesystem::path& folder, const std::string& problem) {
  try {
    const Scene kept = present_state(engine, scene, physics);
    const auto path = free_name(folder, engine.status().steps);
    write_snapshot(kept, path, "bin");
    return fmt::format("{}; saved as '{}'", problem, path.string());
  } catch (const Error& error) {
    return fmt::format("{}; it could not be saved: {}", problem, error.what());
  }
}

}  // namespace orrery::sim
