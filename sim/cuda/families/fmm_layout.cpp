#include "sim/cuda/families/fmm_layout.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/cuda/families/shelf.h"
#include "sim/cuda/families/tree_layout.h"
#include "sim/options/tree_options.h"

namespace orrery::sim::cuda::fmm {

namespace {

constexpr std::size_t word = 4;

std::size_t terms_below(std::size_t order) { return order * (order + 1) * (order + 2) / 6; }
std::size_t whole_fours(std::size_t numbers) { return (numbers + 3) / 4 * 4; }

/// Nodes that have moments. Trees have a fifth of them; cells behind these are opened.
std::size_t weighed_nodes(std::size_t bodies, std::size_t leaf_size) {
  const std::size_t usual = 5 * bodies / std::max<std::size_t>(leaf_size, 1) + 4096;
  return std::min(tree::node_capacity(bodies, leaf_size), usual);
}

/// Words for the slots of divided cells: some hundred cells for each of those that trees usually have.
std::size_t pool_words(std::size_t bodies, std::size_t target, int order) {
  const std::size_t cells = 3 * bodies / (2 * std::max<std::size_t>(target, 1)) + 64;
  return cells * (local_numbers(order) + 448);
}

FmmMemory shelved(Shelf& shelf, std::size_t bodies, std::size_t leaf_size, int order, std::size_t group) {
  FmmMemory f{};
  f.group = static_cast<unsigned>(group);
  const std::size_t nodes = tree::node_capacity(bodies, leaf_size);
  f.weighed = static_cast<unsigned>(weighed_nodes(bodies, leaf_size));
  f.pool_words = static_cast<unsigned>(
      std::min<std::size_t>(pool_words(bodies, std::max(leaf_size, group), order), 0xfffffff0U));
  f.counters = shelf.take(sizeof(FmmCounters));
  for (auto* array : {&f.parent, &f.slot, &f.target, &f.arrived, &f.ready}) *array = shelf.take(nodes * word);
  f.single = shelf.take((nodes + bodies / group_most + 1) * 2 * word);
  f.moment = shelf.take(f.weighed * moment_numbers(order) * word);
  f.pool = shelf.take(f.pool_words * word);
  return f;
}

/// The median error is at most `scale` ratio^order, as was measured on spheres and disks (docs/trees.md):
/// about 0.6 of that for a million bodies.
struct ErrorLaw {
  double scale;
};
ErrorLaw law_of(int order) {
  constexpr std::array<ErrorLaw, most_order - least_order + 1> laws{{{3.4e-3}, {1e-3}, {5e-4}, {2e-4}}};
  return laws.at(static_cast<std::size_t>(order - least_order));
}

/// Bodies near a group, several times the usual number: those of all leaves within the ratio.
unsigned most_near(const TreeSettings& s, double ratio) {
  if (ratio <= 0.0) return 0xffffffffU;
  const double usual = 9.2 / std::pow(ratio, 3.0) * static_cast<double>(std::max(s.leaf_size, s.group_size));
  return static_cast<unsigned>(std::min(4e9, (s.budget > 0.0 ? s.budget : 6.0) * std::max(usual, 2048.0)));
}

}  // namespace

std::size_t local_numbers(int order) {
  return whole_fours(terms_below(static_cast<std::size_t>(order) + 1) - 1);
}
std::size_t moment_numbers(int order) {
  return whole_fours(terms_below(static_cast<std::size_t>(order)) - 3);
}

std::size_t bytes(std::size_t bodies, std::size_t leaf_size, int order, std::size_t group) {
  Shelf shelf(0);
  shelved(shelf, bodies, leaf_size, order, group);
  return shelf.used();
}

FmmMemory memory(DeviceAddress begin, std::size_t bodies, std::size_t leaf_size, int order,
                 std::size_t group) {
  Shelf shelf(begin);
  return shelved(shelf, bodies, leaf_size, order, group);
}

FmmRule rule(const TreeSettings& s, int order) {
  // The target's size counts more: what its series leaves out points the same way for all cells on one side.
  constexpr double stretch = 1.5, largest = 0.85;
  const auto law = law_of(order);
  const double ratio = std::min(largest, std::pow(median_error(s) / law.scale, 1.0 / order));
  return {.ratio = static_cast<float>(ratio),
          .stretch = static_cast<float>(stretch),
          .budget = most_near(s, ratio)};
}

}  // namespace orrery::sim::cuda::fmm
