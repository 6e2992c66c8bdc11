#include "sim/engines/engine.h"

#include <omp.h>

#include "sim/core/error.h"
#include "sim/engines/packed_bodies.h"

namespace orrery::sim {

void pack_bodies(std::span<const Vec3> position, std::span<const Vec3> velocity, std::span<const float> mass,
                 float* packed_position, float* packed_velocity, std::span<const Vec3> acceleration,
                 int threads) {
  const int team = threads > 0 ? threads : omp_get_max_threads();
#pragma omp parallel for schedule(static) num_threads(team) if (position.size() > worth_threads)
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Vec3& x = position[i];
    const Vec3& v = velocity[i];
    float* p = packed_position + 4 * i;
    float* q = packed_velocity + 4 * i;
    p[0] = x.x, p[1] = x.y, p[2] = x.z, p[3] = mass[i];
    q[0] = v.x, q[1] = v.y, q[2] = v.z,
    q[3] = acceleration.empty() ? 0.0F : dot(acceleration[i], acceleration[i]);
  }
}

void Engine::set_partition(BodyRange /*targets*/, StateExchange& /*exchange*/) {
  throw UsageError(
      "the engine '" + std::string(kind().name) +
      "' cannot share a galaxy among processes; use engine=cpu, or as many galaxies as processes");
}

EngineState Engine::save_state() {
  throw UsageError("checkpoints are for one process that computes; leave --checkpoint and --resume out");
}

bool Engine::restore_state(const EngineState& /*state*/) {
  throw UsageError("checkpoints are for one process that computes; leave --checkpoint and --resume out");
}

}  // namespace orrery::sim
