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

/// `count` abscissae from `first` to `last`, evenly spaced in the logarithm.
std::vector<double> logarithmic_grid(double first, double last, std::size_t count);

}  // namespace orrery::sim
