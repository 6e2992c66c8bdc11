#include "sim/galaxies/disk_profile.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery::sim {

namespace {
constexpr double pi = std::numbers::pi;
constexpr int points = 4096;
}  // namespace

DiskProfile::DiskProfile(double taper, double edge, double hole) : taper_(taper), edge_(edge), hole_(hole) {
  fraction_ = {{0.0}, {0.0}};
  const double width = edge / points;
  for (int k = 0; k < points; ++k) {
    const double middle = (k + 0.5) * width;
    fraction_.x.push_back((k + 1) * width);
    fraction_.y.push_back(fraction_.y.back() + 2.0 * pi * middle * surface_density(middle) * width);
  }
  total_ = fraction_.y.back();
  for (double& each : fraction_.y) each /= total_;
}

double DiskProfile::taper_at(double r) const {
  const double place = std::clamp((r - taper_) / (edge_ - taper_), 0.0, 1.0);
  return 0.5 * (1.0 + std::cos(pi * place));
}

double DiskProfile::share_outside_hole(double r) const {
  return hole_ > 0.0 ? -std::expm1(-std::pow(r / hole_, 4)) : 1.0;
}

double DiskProfile::surface_density(double r) const {
  return std::exp(-r) * taper_at(r) * share_outside_hole(r) / total_;
}

double DiskProfile::slope(double r) const {
  const double place = std::clamp((r - taper_) / (edge_ - taper_), 0.0, 1.0);
  const double falling = 0.5 * pi / (edge_ - taper_) * std::sin(pi * place);
  const double outer = -std::exp(-r) * (taper_at(r) + falling) / total_;
  if (!(hole_ > 0.0)) return outer;
  const double fourth = std::pow(r / hole_, 4);
  const double rising = 4.0 * std::pow(r, 3) / std::pow(hole_, 4) * std::exp(-fourth);
  return outer * share_outside_hole(r) + std::exp(-r) * taper_at(r) * rising / total_;
}

}  // namespace orrery::sim
