#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace orrery::sim::cuda {

/// In which order the GPUs have the bodies: the body of the dataset at each place; nullptr: in the dataset's.
using BodyOrder = std::shared_ptr<const std::vector<std::uint32_t>>;

/// Numbers of bodies, `width` each, from that order into the dataset's.
template <typename Number>
void put_back(const BodyOrder& order, const Number* from, std::size_t bodies, std::size_t width, Number* to) {
#pragma omp parallel for schedule(static) if (bodies > 100'000)
  for (std::size_t k = 0; k < bodies; ++k) {
    const std::size_t body = order == nullptr ? k : (*order)[k];
    for (std::size_t j = 0; j < width; ++j) to[width * body + j] = from[width * k + j];
  }
}

}  // namespace orrery::sim::cuda
