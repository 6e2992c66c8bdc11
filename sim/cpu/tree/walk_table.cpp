#include "sim/cpu/tree/walk_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::sim {

namespace {

constexpr std::size_t room = 16;

float power_of_two_for(double size) {
  if (!(size > 0.0)) return 1.0F;
  return static_cast<float>(std::ldexp(1.0, std::clamp(-std::ilogb(size) - 1, -126, 126)));
}

ThirdNumbers third_numbers(const ThirdMoments& moments, float size) {
  ThirdNumbers numbers;
  std::ranges::transform(moments, numbers.number.begin(), [size](float m) { return 7.5F * size * m; });
  return numbers;
}

}  // namespace

WalkTable::WalkTable(const Octree& tree, const TreeSettings& settings, double eps_squared, int threads) {
  assign(tree, settings, eps_squared, threads);
}

void WalkTable::assign(const Octree& tree, const TreeSettings& settings, double eps_squared, int threads) {
  const auto nodes = tree.nodes();
  const auto& root = nodes[0];
  // The size of bodies in one place is no scale.
  const double distance = norm(static_cast<DVec3>(root.center));
  length_scale = power_of_two_for(std::max({double{root.size}, 1e-8 * distance, std::sqrt(eps_squared)}));
  const double mass_scale = root.mass > 0.0F ? 1.0 / static_cast<double>(root.mass) : 0.0;
  softening_squared = static_cast<float>(eps_squared * length_scale * length_scale);
  rule = cell_rule(settings, root.count);
  const std::size_t entries = nodes.size() + room;
  for (auto* column : {&x, &y, &z, &mass, &opening, &reach, &size}) column->resize(entries);
  for (auto* column : {&child, &children, &count, &first}) column->resize(entries);
  cells.resize(nodes.size());
  third.resize(tree.third().size());
#pragma omp parallel for schedule(static) num_threads(nodes.size() > 1024 ? std::max(1, threads) : 1)
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    fill(nodes[k], settings, k, mass_scale);
    const auto& node = nodes[k];
    const auto m = settings.order != CellOrder::monopole ? tree.moments()[k] : SecondMoments{};
    cells[k].number = {node.center.x, node.center.y, node.center.z, node.mass, m[0],
                       m[1],          m[2],          m[3],          m[4],      m[5]};
    if (!third.empty()) third[k] = third_numbers(tree.third()[k], node.size * length_scale);
  }
}

void WalkTable::fill(const TreeNode& node, const TreeSettings& settings, std::size_t k, double mass_scale) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  x[k] = node.center.x * length_scale;
  y[k] = node.center.y * length_scale;
  z[k] = node.center.z * length_scale;
  mass[k] = static_cast<float>(node.mass * mass_scale);
  const float scaled_reach = node.reach * length_scale, scaled_size = node.size * length_scale;
  reach[k] = rounded_out(scaled_reach * scaled_reach);
  size[k] = scaled_size * scaled_size;
  child[k] = node.child;
  children[k] = node.children;
  count[k] = node.count;
  first[k] = node.first;
  if (node.is_leaf() && node.count <= bodies_of_a_cell) {
    opening[k] = infinite;
  } else if (settings.relative) {
    const double left_out = mass[k] * std::pow(double{scaled_reach}, first_left_out(settings.order));
    opening[k] = static_cast<float>(std::pow(rule.caution * left_out, rule.power));
  } else {
    const double opened = length_scale * (node.size / settings.theta + static_cast<double>(node.offset));
    opening[k] = settings.theta > 0.0 ? static_cast<float>(opened * opened) : infinite;
  }
}

}  // namespace orrery::sim
