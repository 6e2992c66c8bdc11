#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/cuda/families/tree_domains.h"
#include "sim/cuda/multi_gpu/tree_exchange.h"

// The insides of TreeExchange.
namespace orrery::sim::cuda {

/// Events that say how far a GPU is with its domain.
struct TreeExchange::Marks {
  Event found{Event::Use::order}, listed{Event::Use::order}, built{Event::Use::order},
      counted{Event::Use::order}, packed{Event::Use::order};
  Event walk_begins, walked;
};

/// The domain of one GPU. Where that belongs to another process, only the numbers are there, and no memory.
struct TreeExchange::Domain {
  GpuWorker* part = nullptr;
  tree::DomainShape shape;
  DeviceMemory tree, numbers, emigrants;
  DeviceMemory lists;          ///< lists of emigrants, with reserve beyond the present number
  DeviceMemory sent;           ///< parcels to the others, one after the other
  HostMemory totals;           ///< ParcelSize to each domain
  HostMemory emigrant_counts;  ///< numbers to each domain
  HostMemory costs;            ///< PieceCost of each piece
  std::vector<tree::TreeParcel> parcels;
  std::unique_ptr<Marks> marks;
  bool is_empty = false;  ///< no body is in the domain
  bool is_here() const { return part != nullptr; }
  /// The index in the list at which the emigrants to `other` begin.
  std::size_t first_emigrant_to(const Domain& other,
                                const std::vector<std::unique_ptr<Domain>>& domains) const {
    std::size_t first = 0;
    for (const auto& each : domains) {
      if (each.get() == &other) break;
      if (each.get() != this) first += emigrants_to(*each);
    }
    return first;
  }

  CUstream stream() const { return part->streams().main(); }
  tree::DomainMemory memory() const { return tree::domain_memory(numbers.pointer(), shape); }
  tree::TreeLeavers leaving() const {
    return tree::emigrant_memory(emigrants.pointer(), lists.pointer(), shape);
  }
  tree::TreeMemory cells() const { return tree::domain_tree(tree.pointer(), shape); }
  tree::ParcelSize size_to(const Domain& other) const {
    return static_cast<const tree::ParcelSize*>(totals.data())[other.shape.own()];
  }
  std::size_t emigrants_to(const Domain& other) const {
    return static_cast<const std::uint32_t*>(emigrant_counts.data())[other.shape.own()];
  }
};

/// Bytes on their way from one GPU to another. An address means nothing in another process.
struct TreeExchange::Move {
  const Domain& from;
  CUdeviceptr here;
  const Domain& to;
  CUdeviceptr there;
  std::size_t bytes;
};

/// Room for that many and some more: memory that is allocated between steps makes all GPUs wait.
inline std::size_t with_reserve(std::size_t number) { return number + number / 4 + 1024; }

}  // namespace orrery::sim::cuda
