#include "sim/engines/vertex_frame.h"

#include "sim/engines/packed_bodies.h"

namespace orrery::sim {

namespace {

void reframe_body(float* x, double factor, const DVec3& from, double last_factor) {
  x[0] = static_cast<float>(x[0] * factor + from.x);
  x[1] = static_cast<float>(x[1] * factor + from.y);
  x[2] = static_cast<float>(x[2] * factor + from.z);
  x[3] = static_cast<float>(x[3] * last_factor);
}

}  // namespace

void reframe(const VertexFrame& frame, float* position, float* velocity, std::size_t bodies) {
#pragma omp parallel for schedule(static) if (bodies > worth_threads)
  for (std::size_t i = 0; i < bodies; ++i) {
    reframe_body(position + 4 * i, frame.length, frame.place, frame.mass);
    reframe_body(velocity + 4 * i, frame.velocity, frame.motion, frame.square);
  }
}

}  // namespace orrery::sim
