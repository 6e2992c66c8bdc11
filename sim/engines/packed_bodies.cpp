#include "sim/engines/packed_bodies.h"

#include "sim/engines/engine.h"

namespace orrery::sim {

void pack_bodies(const Bodies& bodies, bool charges, float* position, float* velocity) {
  pack_bodies(bodies.position, bodies.velocity, bodies.mass, position, velocity);
  if (!charges) return;
#pragma omp parallel for schedule(static) if (bodies.size() > worth_threads)
  for (std::size_t i = 0; i < bodies.size(); ++i) velocity[4 * i + 3] = bodies.charge[i];
}

void unpack_bodies(const float* position, const float* velocity, Bodies& bodies) {
#pragma omp parallel for schedule(static) if (bodies.size() > worth_threads)
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const float* x = position + 4 * i;
    const float* v = velocity + 4 * i;
    bodies.position[i] = {x[0], x[1], x[2]};
    bodies.velocity[i] = {v[0], v[1], v[2]};
  }
}

}  // namespace orrery::sim
