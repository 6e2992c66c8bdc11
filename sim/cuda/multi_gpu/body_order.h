#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace orrery::sim::cuda {

/// The order of the bodies on the GPUs: the dataset's body at each position; nullptr: the dataset's order.
using BodyOrder = std::shared_ptr<const std::vector<std::uint32_t>>;

/// Numbers of bodies, `width` each, from that order into the dataset's.
void put_back(const BodyOrder& order, const float* from, std::size_t bodies, std::size_t width, float* to);

}  // namespace orrery::sim::cuda
