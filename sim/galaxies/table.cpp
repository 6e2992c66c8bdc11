#include "sim/galaxies/table.h"

#include <algorithm>
#include <cmath>

namespace orrery::sim {

namespace {

// `above`: the first abscissa beyond `at`, or the end.
double between(std::span<const double> x, std::span<const double> y, std::size_t above, double at) {
  if (above == 0) return y.front();
  if (above == x.size()) return y.back();
  const double t = (at - x[above - 1]) / (x[above] - x[above - 1]);
  return y[above - 1] + t * (y[above] - y[above - 1]);
}

std::size_t first_above(std::span<const double> x, double at) {
  return static_cast<std::size_t>(std::ranges::upper_bound(x, at) - x.begin());
}

}  // namespace

double Table::operator()(double at) const { return between(x, y, first_above(x, at), at); }

FallingLookup::FallingLookup(const Table& table, double from)
    : table_(table), above_(first_above(table.x, from)) {}

double FallingLookup::operator()(double at) {
  while (above_ > 0 && table_.x[above_ - 1] > at) --above_;
  return between(table_.x, table_.y, above_, at);
}

double inverse(std::span<const double> x, std::span<const double> rising, double value) {
  return between(rising, x, first_above(rising, value), value);
}

double inverse(const Table& rising, double value) { return inverse(rising.x, rising.y, value); }

std::vector<double> logarithmic_grid(double first, double last, std::size_t count) {
  std::vector<double> grid(count);
  for (std::size_t k = 0; k < count; ++k) {
    grid[k] = first * std::pow(last / first, static_cast<double>(k) / static_cast<double>(count - 1));
  }
  grid.back() = last;
  return grid;
}

}  // namespace orrery::sim
