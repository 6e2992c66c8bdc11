#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace orrery::sim::cuda {

/// The order of the bodies on the GPUs: the dataset's body at each position; nullptr: the dataset's order.
using BodyOrder = std::shared_ptr<const std::vector<std::uint32_t>>;

/// The order as a span; empty for the dataset's order.
inline std::span<const std::uint32_t> places(const BodyOrder& order) {
  return order == nullptr ? std::span<const std::uint32_t>() : *order;
}

}  // namespace orrery::sim::cuda
