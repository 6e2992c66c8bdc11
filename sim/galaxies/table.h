#pragma once

#include <cstddef>
#include <vector>

namespace orrery::sim {

/// A function given on increasing abscissae, linear between them and constant outside.
struct Table {
  std::vector<double> x;
  std::vector<double> y;
  double operator()(double at) const;
};

/// Where a rising function takes `value`, between its points; at its ends beyond them.
double inverse(const Table& rising, double value);

/// `count` abscissae from `first` to `last`, evenly spaced in the logarithm.
std::vector<double> logarithmic_grid(double first, double last, std::size_t count);

}  // namespace orrery::sim
