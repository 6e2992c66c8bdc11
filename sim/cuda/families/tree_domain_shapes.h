// What host and device both know of domains (tree_domains.cu), behind tree_shapes.h.
#ifndef __CUDACC_RTC__
#pragma once

#include <cstdint>

#include "sim/cuda/families/tree_shapes.h"

namespace orrery::sim::cuda::tree {
#define ORRERY_DEVICE_ARRAY(type) std::uint64_t
#else
#define ORRERY_DEVICE_ARRAY(type) type*
#endif

/// Sizes.
enum : int {
  most_domains = most_roots + 1,
  domain_pieces = 256,               // of a domain at most
  piece_numbers = 3,                 // of a piece: float4
  domain_threads = 256,              // sum_before wants as many
  domain_tile = 4 * domain_threads,  // nodes that a block counts
  mark_threads = 128,
  points_of_piece = 9,  // where the pull is estimated: corners and centre of mass
};

/// A run of a domain's groups.
struct PieceCost {
  unsigned long long key;   // that of its first body on the curve
  unsigned long long work;  // TreeMemory::work of its bodies, 32 interactions each
  unsigned int bodies;
};

/// One domain's knowledge of all domains, and which nodes of its tree others need.
struct TreeDomains {
  ORRERY_DEVICE_ARRAY(float4)
  piece;                                     // for each domain: low corner, distance_allowed there; high
                                             // corner, bodies; centre of mass, mass
  ORRERY_DEVICE_ARRAY(unsigned int) needs;   // for each node: domains that get it, a bit each
  ORRERY_DEVICE_ARRAY(unsigned int) opens;   // among these, domains that get its parts, or its bodies
  ORRERY_DEVICE_ARRAY(uint2) rank;           // for each domain and node: nodes and bodies that go in front
  ORRERY_DEVICE_ARRAY(unsigned int) before;  // for each domain, nodes and bodies: those in earlier tiles
  ORRERY_DEVICE_ARRAY(unsigned int) total;   // for each domain: nodes, bodies
  ORRERY_DEVICE_ARRAY(PieceCost) cost;       // for each of this domain's pieces
  unsigned int domains, own;
  unsigned int tiles;
  unsigned int piece_bodies;  // whole groups
};

/// The curve through all domains: the grid of the keys, and where each domain begins.
struct TreeCurve {
  float center[3];
  float spread;
  unsigned int domains, own;
  unsigned long long begin[most_domains];
};

/// Bodies that have left their domain's stretch of the curve since it was cut: others compute the forces on
/// them, as on imports.
struct TreeLeavers {
  ORRERY_DEVICE_ARRAY(unsigned char) owner;  // for each body: the domain that computes it
  ORRERY_DEVICE_ARRAY(unsigned int) body;    // the emigrants, those to the first domain first
  ORRERY_DEVICE_ARRAY(float4) leaving;       // the same: place and mass
  ORRERY_DEVICE_ARRAY(float) returned;       // the same: accelerations, three each
  ORRERY_DEVICE_ARRAY(unsigned int) before;  // for each domain: emigrants in earlier tiles
  ORRERY_DEVICE_ARRAY(unsigned int) total;   // for each domain
  unsigned int bodies, tiles;
};

/// An essential tree on its way to another domain. Numbers in it are those that it has there.
struct TreeParcel {
  ORRERY_DEVICE_ARRAY(float4) center;
  ORRERY_DEVICE_ARRAY(float4) opening;
  ORRERY_DEVICE_ARRAY(float4) moment;
  ORRERY_DEVICE_ARRAY(uint4) range;
  ORRERY_DEVICE_ARRAY(float4) body;
  ORRERY_DEVICE_ARRAY(float2) more_moment;
  ORRERY_DEVICE_ARRAY(float4) third[2];  // or 0
  unsigned int to;
  unsigned int first_node, first_body;
  unsigned int nothing;  // a node without mass
};

/// The trees that came from other domains.
struct TreeRoots {
  unsigned int count;
  unsigned int root[most_roots];
};

#undef ORRERY_DEVICE_ARRAY
#ifndef __CUDACC_RTC__
}  // namespace orrery::sim::cuda::tree
#endif
