#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/ranks/communicator.h"

namespace orrery::sim {

/// The bodies of a dataset that a worker has: those of its domain.
struct DomainBodies {
  std::vector<std::uint32_t> index;     ///< index in the dataset of each body, ascending
  std::vector<std::uint32_t> galaxies;  ///< the number of each of its galaxies among all
  std::size_t all_galaxies = 0;
};

/// Communication between workers that share galaxies by domains. Every worker makes the same calls in the
/// same order.
class DomainExchange {
 public:
  virtual ~DomainExchange() = default;
  virtual std::size_t worker() const = 0;   ///< index of this worker: 0 to workers() - 1
  virtual std::size_t workers() const = 0;  ///< number of workers
  /// True if it is true for all workers.
  virtual bool all(bool mine) = 0;
  /// Replaces each number by the largest that any worker has there.
  virtual void find_largest(std::span<double> numbers) = 0;
  /// A message to each of the others. They travel while this worker goes on.
  virtual std::unique_ptr<Delivery> send(std::vector<Bytes> messages) = 0;
  /// After a force evaluation: places of bodies that each of the others should get, for equal work. They may
  /// go to them between two steps.
  virtual void propose(std::vector<std::vector<std::uint32_t>> leaving) = 0;
};

}  // namespace orrery::sim
