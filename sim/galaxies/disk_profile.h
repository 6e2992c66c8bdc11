#pragma once

#include "sim/galaxies/table.h"

namespace orrery::sim {

/// The surface density of an exponential disk with scale length 1 that fades out: Sigma ~ exp(-R) T(R), where
/// T falls from 1 at `taper` to 0 at `edge` as half a cosine. Value and slope are continuous, so that no
/// radius shows as a rim and the velocities have no jump. With a hole it is multiplied by 1 - exp(-(R /
/// hole)^4): a ring.
class DiskProfile {
 public:
  /// 0 < taper < edge; hole 0: there is none.
  DiskProfile(double taper, double edge, double hole = 0.0);

  /// Sigma(R) of a disk of mass 1.
  double surface_density(double r) const;
  /// dSigma/dR of a disk of mass 1.
  double slope(double r) const;
  /// The share of the mass within R.
  double fraction_within(double r) const { return fraction_(r); }
  /// The radius within which that share of the mass lies.
  double radius(double fraction) const { return inverse(fraction_, fraction); }

 private:
  double taper_at(double r) const;
  double share_outside_hole(double r) const;
  double taper_, edge_, hole_;
  double total_ = 1.0;  // the integral of 2 pi R exp(-R) T
  Table fraction_;
};

}  // namespace orrery::sim
