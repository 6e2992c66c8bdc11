#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/cpu/tree/walk_table.h"
#include "sim/tree/octree.h"

namespace orrery::sim {

/// A part of another worker's domain: a box around bodies, and how weakly they are pulled.
struct DomainBox {
  Box box;
  float factor = 1.0F;  ///< the largest of its groups' (opening_factor)
};

/// The essential part of a tree for a distant observer: the parts of cells that are far enough from all of
/// its boxes are left out, and bodies are kept of leaves that are not (M. S. Warren, J. K. Salmon,
/// Astrophysical N-body simulations using hierarchical tree data structures, Supercomputing 1992). A cell
/// whose parts are left out is a leaf without bodies, which counts 0.
struct EssentialTree {
  std::vector<TreeNode> nodes;  ///< the root first, the parts of a cell side by side
  std::vector<SecondMoments> moments;
  std::vector<ThirdMoments> third;  ///< none where the tree has none
  std::vector<Vec3> position;
  std::vector<float> mass;

  TreeView view() const { return {nodes, moments, third, position, mass}; }
};

/// The part of the tree that bodies in the boxes need, by the rule of the groups' walk. `table` is the
/// tree's.
EssentialTree essential_tree(const TreeView& tree, const WalkTable& table, std::span<const DomainBox> boxes);

/// The top of a tree, without bodies: cells of more than `most` bodies have their parts there. `boxes` of the
/// tree's nodes; those of the leaves of the top go to `leaf_boxes`, in the order of the nodes.
struct TreeTop {
  std::vector<TreeNode> nodes;  ///< `first` and `count` are those of the tree
  std::vector<Box> leaf_boxes;
};
TreeTop top_of(const TreeView& tree, std::span<const Box> boxes, std::size_t most);

/// Several trees under one root of this size, which is always opened.
EssentialTree joined(std::span<const EssentialTree> trees, float size);

}  // namespace orrery::sim
