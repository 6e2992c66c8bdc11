#include "sim/cpu/tree/essential_tree.h"

#include <algorithm>
#include <limits>

#include "sim/tree/shared/tree_rule.h"

namespace orrery::sim {

namespace {

/// A cell on the way down, and the boxes that its parent is not far from.
struct Visit {
  std::uint32_t node = 0;           ///< index of the node in the tree
  std::size_t first = 0, last = 0;  ///< range of those boxes
};

/// Cuts one tree for the boxes of one worker.
class EssentialCut {
 public:
  EssentialCut(const TreeView& tree, const WalkTable& table, std::span<const DomainBox> boxes)
      : tree_(tree), table_(table) {
    const float scale = table.length_scale;
    for (const auto& box : boxes)
      boxes_.push_back({{box.box.least * scale, box.box.most * scale}, box.factor});
    for (std::uint32_t k = 0; k < boxes_.size(); ++k) near_.push_back(k);
  }

  EssentialTree cut() {
    add(0, {0, 0, near_.size()});
    for (std::size_t at = 0; at < visits_.size(); ++at) fill(at);
    return std::move(result_);
  }

 private:
  void add(std::uint32_t node, Visit visit) {
    visit.node = node;
    visits_.push_back(visit);
    result_.nodes.push_back(tree_.nodes[node]);
    result_.moments.push_back(tree_.moments[node]);
    if (!tree_.third.empty()) result_.third.push_back(tree_.third[node]);
  }

  /// As BlockWalk decides it for a group in this box.
  bool is_far(std::uint32_t node, const DomainBox& box) const {
    const auto& [least, most] = box.box;
    const float dx = tree_rule::outside(table_.x[node], least.x, most.x);
    const float dy = tree_rule::outside(table_.y[node], least.y, most.y);
    const float dz = tree_rule::outside(table_.z[node], least.z, most.z);
    const float squared = dx * dx + (dy * dy + dz * dz);
    return tree_rule::is_far_enough(table_.rule, squared, squared, table_.reach[node],
                                    table_.opening[node] * box.factor);
  }

  void fill(std::size_t at) {
    const Visit visit = visits_[at];
    const std::size_t first = near_.size();
    for (std::size_t k = visit.first; k < visit.last; ++k) {
      if (!is_far(visit.node, boxes_[near_[k]])) near_.push_back(near_[k]);
    }
    const auto& source = tree_.nodes[visit.node];
    auto& node = result_.nodes[at];
    node.first = node.child = node.children = node.count = 0;
    if (near_.size() == first || !(source.mass > 0.0F)) return;
    node.count = source.count;
    if (source.is_leaf()) return add_bodies(source, node);
    node.child = static_cast<std::uint32_t>(visits_.size());
    node.children = source.children;
    // `node` may move now.
    for (std::uint32_t k = 0; k < source.children; ++k) add(source.child + k, {0, first, near_.size()});
  }

  void add_bodies(const TreeNode& source, TreeNode& leaf) {
    leaf.first = static_cast<std::uint32_t>(result_.position.size());
    const auto x = tree_.position.subspan(source.first, source.count);
    const auto m = tree_.mass.subspan(source.first, source.count);
    result_.position.insert(result_.position.end(), x.begin(), x.end());
    result_.mass.insert(result_.mass.end(), m.begin(), m.end());
  }

  TreeView tree_;
  const WalkTable& table_;
  std::vector<DomainBox> boxes_;  ///< domain boxes in the table's units
  std::vector<std::uint32_t> near_;
  std::vector<Visit> visits_;  ///< visits, one per node of the result
  EssentialTree result_;
};

/// The root's go to its position, all others to the end.
template <typename Moments>
void append_numbers(const std::vector<Moments>& tree, std::size_t root, std::vector<Moments>& all) {
  all[root] = tree[0];
  all.insert(all.end(), tree.begin() + 1, tree.end());
}

/// Room for a tree's nodes but the root among those of all, and for its bodies.
void append(const EssentialTree& tree, std::size_t root, EssentialTree& all) {
  const auto nodes = static_cast<std::uint32_t>(all.nodes.size());
  const auto bodies = static_cast<std::uint32_t>(all.position.size());
  const auto moved = [&](TreeNode node) {
    if (node.is_leaf())
      node.first += bodies;
    else
      node.child += nodes - 1;
    return node;
  };
  all.nodes[root] = moved(tree.nodes[0]);
  append_numbers(tree.moments, root, all.moments);
  if (!all.third.empty()) append_numbers(tree.third, root, all.third);
  for (std::size_t k = 1; k < tree.nodes.size(); ++k) all.nodes.push_back(moved(tree.nodes[k]));
  all.position.insert(all.position.end(), tree.position.begin(), tree.position.end());
  all.mass.insert(all.mass.end(), tree.mass.begin(), tree.mass.end());
}

}  // namespace

EssentialTree essential_tree(const TreeView& tree, const WalkTable& table, std::span<const DomainBox> boxes) {
  return EssentialCut(tree, table, boxes).cut();
}

TreeTop top_of(const TreeView& tree, std::span<const Box> boxes, std::size_t most) {
  TreeTop top;
  std::vector<std::uint32_t> sources{0};
  for (std::size_t at = 0; at < sources.size(); ++at) {
    auto node = tree.nodes[sources[at]];
    const std::uint32_t first = node.child, parts = node.count > most ? node.children : 0;
    node.child = parts > 0 ? static_cast<std::uint32_t>(sources.size()) : 0;
    node.children = parts;
    for (std::uint32_t k = 0; k < parts; ++k) sources.push_back(first + k);
    top.nodes.push_back(node);
    if (parts == 0) top.leaf_boxes.push_back(boxes[sources[at]]);
  }
  return top;
}

EssentialTree joined(std::span<const EssentialTree> trees, float size) {
  EssentialTree all;
  all.nodes.resize(1 + trees.size());
  all.moments.resize(1 + trees.size());
  const bool has_third = std::ranges::any_of(trees, [](const auto& tree) { return !tree.third.empty(); });
  if (has_third) all.third.resize(1 + trees.size());
  std::size_t nodes = 1, bodies = 0;
  for (const auto& tree : trees) nodes += tree.nodes.size(), bodies += tree.position.size();
  all.nodes.reserve(nodes);
  all.moments.reserve(nodes);
  if (has_third) all.third.reserve(nodes);
  all.position.reserve(bodies);
  all.mass.reserve(bodies);
  TreeNode root{.size = size, .reach = std::numeric_limits<float>::infinity()};
  for (std::size_t k = 0; k < trees.size(); ++k) {
    append(trees[k], 1 + k, all);
    root.mass += trees[k].nodes[0].mass;
  }
  root.count = static_cast<std::uint32_t>(bodies);
  root.child = 1;
  root.children = static_cast<std::uint32_t>(trees.size());
  all.nodes[0] = root;
  return all;
}

}  // namespace orrery::sim
