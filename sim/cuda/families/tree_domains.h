#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/cuda/families/force_queue.h"
#include "sim/cuda/families/tree_domain_shapes.h"
#include "sim/cuda/families/tree_layout.h"

// One galaxy on several GPUs (tree_domains.cu): each has the bodies of a stretch of Hilbert's curve, its
// domain, and the tree of these. In a force evaluation
// 1. each builds its tree, and boxes around runs of its groups (DomainQueue::build),
// 2. everybody gets the boxes of all others,
// 3. each marks what the others need of its tree, and counts it (select),
// 4. and puts that together (pack), which goes to the others,
// 5. each walks its own tree and those that came (walk).
namespace orrery::sim::cuda::tree {

/// One domain of a galaxy.
struct DomainShape {
  std::size_t bodies = 0;           ///< its own
  std::size_t leaf = 0, group = 0;  ///< as in TreeSettings
  unsigned domains = 1, own = 0;    ///< at most most_domains
  TreeCurve curve = {};
};

/// Where a domain's numbers lie in device memory that begins there, besides its tree.
struct DomainMemory {
  TreeDomains shared;
  DeviceAddress work = 0;  ///< TreeMemory::work
  std::size_t zeros = 0;   ///< bytes at the beginning that begin as zeros
};
DomainMemory domain_memory(DeviceAddress begin, const DomainShape& shape);
std::size_t domain_bytes(const DomainShape& shape);
/// Numbers of TreeMemory::work.
std::size_t work_numbers(std::size_t bodies);

/// A key of sim/tree/hilbert.h as TreeCurve has it.
inline std::uint64_t curve_key(std::uint64_t hilbert) { return hilbert >> (3 * (21 - key_bits + 1)); }
/// Where the last domain ends.
inline constexpr std::uint64_t end_of_curve = ~std::uint64_t{0};

/// Bytes of the boxes of one domain.
inline constexpr std::size_t piece_bytes = std::size_t{domain_pieces} * piece_numbers * 16;

/// How large an essential tree is: what TreeDomains::total has of each domain.
struct ParcelSize {
  std::uint32_t nodes = 0, bodies = 0;
};
std::size_t parcel_bytes(const ParcelSize& size);
/// One that lies there.
TreeParcel parcel_at(DeviceAddress begin, const ParcelSize& size);
/// A part of it, and where it belongs in the receiver's tree.
struct ParcelPart {
  DeviceAddress from, to;
  std::size_t bytes;
};
std::array<ParcelPart, 6> parts_of(const TreeParcel& parcel, const ParcelSize& size,
                                   const TreeMemory& receiver);

/// Queues the kernels of one domain. The queue's scratch memory holds a tree with this room.
class DomainQueue {
 public:
  DomainQueue(ForceQueue& queue, const DomainShape& shape, DeviceAddress memory, const Room& room);

  void build();
  /// When the boxes of all are there. Then TreeDomains::total is.
  void select();
  void pack(const TreeParcel& parcel);
  void walk(const TreeRoots& roots);

 private:
  GalaxyRange galaxy() const { return {0, shape_.bodies}; }
  Arguments of_domain() const;
  void mark(int level, int end);
  void launch(const char* kernel, unsigned grid, unsigned block, Arguments arguments);

  ForceQueue& queue_;
  DomainShape shape_;
  Room room_;
  DomainMemory memory_;
  TreeMemory tree_;
  TreeWalk how_;
};

}  // namespace orrery::sim::cuda::tree
