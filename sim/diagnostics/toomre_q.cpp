#include "sim/diagnostics/toomre_q.h"

namespace orrery::sim {

double toomre_q(double sigma_r, double kappa, double gravitational_constant, double surface_density) {
  return sigma_r * kappa / (3.36 * gravitational_constant * surface_density);
}

}  // namespace orrery::sim
