#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/cuda/families/force_queue.h"
#include "sim/cuda/families/tree_domain_shapes.h"
#include "sim/cuda/families/tree_layout.h"

// One galaxy on several GPUs (tree_domains.cu): each has the bodies of a stretch of Hilbert's curve, its
// domain, and the tree of these. In a force evaluation
// 1. bodies outside of their domain's stretch are found (DomainQueue::find_emigrants), and go as imports to
//    the domain that they are in,
// 2. each builds its tree, and boxes around runs of its groups (build),
// 3. everybody gets the boxes of all others,
// 4. each marks what the others need of its tree, and counts it (select),
// 5. and puts that together (pack): in the others' trees, or for copies to there,
// 6. each walks its own tree and those that came, and sums what its pieces cost (walk),
// 7. and imports' accelerations go back (finish).
namespace orrery::sim::cuda::tree {

/// One domain of a galaxy.
struct DomainShape {
  std::size_t bodies = 0;  ///< its own
  OctreeShape tree;
  std::size_t group = 0;  ///< as in TreeSettings
  TreeCurve curve{};      ///< at most most_domains
  Capacity room;
  Imports imports;  ///< present number of imported bodies; the addresses are those of DomainQueue
  unsigned domains() const { return curve.domains; }
  unsigned own() const { return curve.own; }
  std::size_t in_tree() const { return bodies + imports.now - imports.left; }
};

/// A key of hilbert_key (sim/tree/curve_grid.h) as TreeCurve has it.
inline std::uint64_t curve_key(std::uint64_t hilbert) { return hilbert >> (3 * (21 - key_bits)); }

/// Addresses of a domain's numbers in device memory, besides its tree.
struct DomainMemory {
  TreeDomains shared;
  DeviceAddress work = 0;           ///< TreeMemory::work
  std::size_t zeros = 0;            ///< bytes at the beginning that begin as zeros
  DeviceAddress imports = 0;        ///< Imports::bodies
  DeviceAddress accelerations = 0;  ///< Imports::accelerations
  std::size_t bytes = 0;            ///< bytes of all numbers together
};
/// The addresses of a domain's numbers in memory that begins at `begin`.
DomainMemory domain_memory(DeviceAddress begin, const DomainShape& shape);
/// Memory for finding emigrants (independent of capacity) and, once their number is known (Imports::left),
/// for listing them; `lists` 0: not needed yet.
TreeLeavers emigrant_memory(DeviceAddress begin, DeviceAddress lists, const DomainShape& shape);
std::size_t emigrant_bytes(const DomainShape& shape);
std::size_t emigrant_list_bytes(std::size_t emigrants);
/// The addresses of the domain's tree in memory that begins at `begin`.
TreeMemory domain_tree(DeviceAddress begin, const DomainShape& shape);
std::size_t domain_tree_bytes(const DomainShape& shape);

/// Bytes of the boxes of one domain, of their costs, of an imported body, and of its acceleration.
inline constexpr std::size_t piece_bytes = std::size_t{domain_pieces} * piece_numbers * 16,
                             cost_bytes = domain_pieces * sizeof(PieceCost);
inline constexpr std::size_t import_bytes = 16, acceleration_bytes = 12;

/// Size of an essential tree, as TreeDomains::total has it for each domain.
struct ParcelSize {
  std::uint32_t nodes = 0, bodies = 0;
};
std::size_t parcel_bytes(const ParcelSize& size, const OctreeShape& tree);
/// An essential tree inside the tree of its receiver, the domain `to`, for a sender that can write there.
TreeParcel parcel_in(const TreeMemory& receiver, unsigned to, unsigned first_node, unsigned first_body);
/// An essential tree in local memory at `begin`, to be copied to its place `there` in the receiver's tree.
TreeParcel parcel_at(DeviceAddress begin, const ParcelSize& size, const OctreeShape& tree,
                     const TreeParcel& there);
/// A part of an essential tree, and its destination in the receiver's tree. Some may be empty.
struct ParcelPart {
  DeviceAddress from, to;
  std::size_t bytes;
};
std::array<ParcelPart, 8> parts_of(const TreeParcel& parcel, const ParcelSize& size,
                                   const TreeMemory& receiver);

/// Queues the kernels of one domain. The queue's scratch memory holds its tree.
class DomainQueue {
 public:
  /// `numbers`: where domain_memory begins.
  DomainQueue(ForceQueue& queue, const DomainShape& shape, DeviceAddress numbers,
              const TreeLeavers& emigrants);
  DomainQueue(const DomainQueue&) = delete;
  DomainQueue& operator=(const DomainQueue&) = delete;
  ~DomainQueue() = default;

  /// Queues the search for emigrants; afterwards TreeLeavers::total is known.
  void find_emigrants();
  /// Queues the listing of emigrants. Needs memory for the lists.
  void list_emigrants();
  /// Queues building the tree, once the imports are there.
  void build();
  /// Queues choosing the essential trees, once the boxes of all domains are there; then TreeDomains::total is
  /// known.
  void select();
  void pack(const TreeParcel& parcel);
  void walk(const TreeRoots& roots);
  /// Queues adding the accelerations that came back for emigrants, once the domain's own are there.
  void finish();

 private:
  GalaxyRange galaxy() const { return {0, shape_.bodies}; }
  Arguments of_domain() const;
  Arguments of_emigrants() const;
  void mark(int level, int end);
  void sum_tiles(std::size_t rows, DeviceAddress before, DeviceAddress total, unsigned tiles);
  void launch(const char* kernel, unsigned grid, unsigned block, Arguments arguments);

  ForceQueue& queue_;
  DomainShape shape_;
  DomainMemory memory_;
  TreeLeavers emigrants_;
  TreeMemory tree_;
  TreeWalk how_;
};

}  // namespace orrery::sim::cuda::tree
