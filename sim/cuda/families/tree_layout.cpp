#include "sim/cuda/families/tree_layout.h"

#include <algorithm>
#include <cmath>

namespace orrery::sim::cuda::tree {

namespace {

constexpr std::size_t four = 16, two = 8, word = 4;  ///< bytes of float4, float2, unsigned

std::size_t sort_tiles(std::size_t bodies) { return (bodies + sort_tile - 1) / sort_tile; }

void take_counters(ScratchArena& arena, TreeMemory& t, std::size_t bodies) {
  t.counters = arena.take(sizeof(TreeCounters));
  // The smallest group is a warp.
  t.straggler[0] = arena.take((bodies / 32 + 1) * word);
  t.straggler[1] = arena.take((bodies / few_bodies + most_group) * word);
  t.status = arena.take(sort_tiles(bodies) * digits * word * static_cast<std::size_t>(passes));
}

TreeMemory shelved(ScratchArena& arena, std::size_t bodies, const OctreeShape& shape, const Capacity& more) {
  TreeMemory t{};
  bodies += more.imports;
  const std::size_t nodes = node_capacity(bodies, shape.leaf_size);
  t.capacity = static_cast<unsigned>(nodes);
  t.bodies = static_cast<unsigned>(bodies);
  take_counters(arena, t, bodies);
  for (auto& key : t.key) key = arena.take(bodies * two);
  for (auto& order : t.order) order = arena.take(bodies * word);
  t.body = arena.take((bodies + more.bodies) * four);
  t.cells = arena.take(build_tiles(bodies) * most_levels * word);
  for (auto* array : {&t.range, &t.center, &t.opening, &t.moment, &t.low, &t.high})
    *array = arena.take((nodes + more.nodes) * four);
  t.more_moment = arena.take((nodes + more.nodes) * two);
  if (shape.third_moments)
    for (auto& third : t.third) third = arena.take((nodes + more.nodes) * four);
  return t;
}

/// Bodies and cells that a group met on average in the walk before halves, cells with second moments. By now
/// groups meet a third to a fourth of it.
double usual_interactions(const TreeSettings& s) {
  const double bodies = 700.0 * static_cast<double>(std::max<std::size_t>(s.leaf_size, 24) + 16) / 48.0;
  if (s.relative) return s.alpha > 0.0 ? (bodies + 800.0) * std::pow(0.01 / s.alpha, 0.33) : INFINITY;
  return s.theta > 0.0 ? (bodies + 800.0) * 0.8 / (s.theta * s.theta) : INFINITY;
}

/// Default work limit of a group, as a multiple of the usual work. With few groups the last ones must not
/// keep the GPU waiting after all others are done; with many, walking again costs more than it saves.
double usual_patience(std::size_t bodies) {
  return std::clamp(2.4 * std::sqrt(static_cast<double>(bodies) / 131'072.0), 2.4, 6.0);
}

/// Bodies in groups of the full size: all but what keeps all warps of the GPU busy for one more group each,
/// and none where there are few.
unsigned whole_groups(std::size_t group, std::size_t bodies, std::size_t warps) {
  const double round = static_cast<double>(warps * group), all = static_cast<double>(bodies);
  if (all < 2.0 * round) return 0;
  return static_cast<unsigned>(static_cast<std::size_t>(all - round) / group * group);
}

}  // namespace

std::size_t build_tiles(std::size_t bodies) { return (bodies + build_tile - 1) / build_tile; }

std::size_t node_capacity(std::size_t bodies, std::size_t leaf_size) {
  const std::size_t usual = 12 * bodies / std::max<std::size_t>(leaf_size, 1);
  return std::min({2 * bodies, usual + 4096, most_nodes - 16}) + 16;
}

std::size_t bytes(std::size_t bodies, const OctreeShape& shape, const Capacity& more) {
  ScratchArena arena(0);
  shelved(arena, bodies, shape, more);
  return arena.used();
}

std::size_t zero_bytes(std::size_t bodies) {
  ScratchArena arena(0);
  TreeMemory t{};
  take_counters(arena, t, bodies);
  return arena.used();
}

TreeMemory memory(DeviceAddress begin, std::size_t bodies, const OctreeShape& shape, const Capacity& more) {
  ScratchArena arena(begin);
  return shelved(arena, bodies, shape, more);
}

TreeWalk walk(const TreeSettings& s, std::size_t bodies, std::size_t all, std::size_t warps) {
  const auto rule = cell_rule(s, all);
  const double ratio = series_ratio(s), usual = usual_interactions(s);
  const double patience = s.budget > 0.0 ? s.budget : usual_patience(bodies);
  const auto limit = [&](double times) { return static_cast<unsigned>(std::min(times * usual, 4e9)); };
  return {.alpha = static_cast<float>(s.alpha),
          .inverse_theta = !s.relative && s.theta > 0.0 ? static_cast<float>(1.0 / s.theta) : 0.0F,
          .series = static_cast<float>(ratio * ratio),
          .whole = whole_groups(s.group_size, bodies, warps),
          .budget = limit(patience),
          .relative = s.relative ? 1 : 0,
          .quadrupoles = s.order != CellOrder::monopole ? 1 : 0,
          .third_moments = s.order == CellOrder::octupole ? 1 : 0,
          .rule = rule.as<float>()};
}

}  // namespace orrery::sim::cuda::tree
