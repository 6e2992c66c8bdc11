#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace orrery::sim {

/// Leaves the marked values, in their order. Values that not every body has (another length) stay.
template <typename T>
void keep(std::vector<T>& values, const std::vector<bool>& kept) {
  if (values.size() != kept.size()) return;
  std::size_t next = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i]) continue;
    if (next != i) values[next] = std::move(values[i]);
    ++next;
  }
  values.resize(next);
}

/// Puts values in this order: the k-th is the one that was order[k]. Values that not every body has stay.
template <typename T>
void reorder(std::vector<T>& values, const std::vector<std::size_t>& order) {
  if (values.size() != order.size()) return;
  std::vector<T> ordered;
  ordered.reserve(values.size());
  for (const auto i : order) ordered.push_back(std::move(values[i]));
  values = std::move(ordered);
}

}  // namespace orrery::sim
