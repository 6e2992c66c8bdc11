#include "sim/cuda/multi_gpu/body_order.h"

#include "sim/engines/packed_bodies.h"

namespace orrery::sim::cuda {

void put_back(const BodyOrder& order, const float* from, std::size_t bodies, std::size_t width, float* to) {
#pragma omp parallel for schedule(static) if (bodies > worth_threads)
  for (std::size_t k = 0; k < bodies; ++k) {
    const std::size_t body = order == nullptr ? k : (*order)[k];
    for (std::size_t j = 0; j < width; ++j) to[width * body + j] = from[width * k + j];
  }
}

}  // namespace orrery::sim::cuda
