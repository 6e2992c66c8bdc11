#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace orrery::sim::cuda {

/// In which order the GPUs have the bodies: the body of the dataset at each place; nullptr: in the dataset's.
using BodyOrder = std::shared_ptr<const std::vector<std::uint32_t>>;

/// Numbers of bodies, `width` each, from that order into the dataset's.
void put_back(const BodyOrder& order, const float* from, std::size_t bodies, std::size_t width, float* to);

}  // namespace orrery::sim::cuda
