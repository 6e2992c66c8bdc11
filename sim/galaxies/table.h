#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace orrery::sim {

/// A function given on increasing abscissae, linear between them and constant outside.
struct Table {
  std::vector<double> x;
  std::vector<double> y;
  double operator()(double at) const;
};

/// Looks a table up at places that only fall, the first not above `from`: with the bits of the table's own
/// look-up, without its search.
class FallingLookup {
 public:
  FallingLookup(const Table& table, double from);
  double operator()(double at);

 private:
  const Table& table_;
  std::size_t above_;  // of the first abscissa beyond the last place
};

/// The argument at which an increasing function has `value`, between its points; beyond them the nearest end.
double inverse(const Table& rising, double value);
/// The argument at which the increasing function through the points (x, rising) has `value`.
double inverse(std::span<const double> x, std::span<const double> rising, double value);

/// `count` abscissae from `first` to `last`, evenly spaced in the logarithm.
std::vector<double> logarithmic_grid(double first, double last, std::size_t count);

}  // namespace orrery::sim
