#include "app/picture/roofline_figure.h"

#include "lab/figures/roofline_figure.h"
#include "lab/plots/figure_file.h"
#include "sim/core/error.h"
#include "sim/ranks/world.h"

namespace orrery::app {

void check_figure(const std::filesystem::path& path) {
  if (path.empty()) return;
  if (sim::world().size() > 1)
    throw sim::UsageError("--figure shows the rates of one process; start it without mpirun");
  plots::check_figure_file(path);
}

void write_figure(const std::filesystem::path& path, const lab::Roofline& roofline) {
  plots::write_figure(path, lab::roofline_figure(roofline));
}

}  // namespace orrery::app
