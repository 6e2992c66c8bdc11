#include "sim/galaxies/table.h"

#include <algorithm>
#include <cmath>

namespace orrery::sim {

double Table::operator()(double at) const {
  const auto above = std::ranges::upper_bound(x, at);
  if (above == x.begin()) return y.front();
  if (above == x.end()) return y.back();
  const auto k = static_cast<std::size_t>(above - x.begin());
  const double t = (at - x[k - 1]) / (x[k] - x[k - 1]);
  return y[k - 1] + t * (y[k] - y[k - 1]);
}

double inverse(const Table& rising, double value) {
  const auto above = std::ranges::upper_bound(rising.y, value);
  if (above == rising.y.begin()) return rising.x.front();
  if (above == rising.y.end()) return rising.x.back();
  const auto k = static_cast<std::size_t>(above - rising.y.begin());
  const double t = (value - rising.y[k - 1]) / (rising.y[k] - rising.y[k - 1]);
  return rising.x[k - 1] + t * (rising.x[k] - rising.x[k - 1]);
}

std::vector<double> logarithmic_grid(double first, double last, std::size_t count) {
  std::vector<double> grid(count);
  for (std::size_t k = 0; k < count; ++k) {
    grid[k] = first * std::pow(last / first, static_cast<double>(k) / static_cast<double>(count - 1));
  }
  grid.back() = last;
  return grid;
}

}  // namespace orrery::sim
