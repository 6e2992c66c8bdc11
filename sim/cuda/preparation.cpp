#include "sim/cuda/preparation.h"

#include <string>
#include <vector>

#include "sim/core/error.h"
#include "sim/cuda/compiler/compiler.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/multi_gpu/engine_settings.h"

namespace orrery::sim::cuda {

void prepare(const Configuration& configuration) {
  if (driver() == nullptr) throw Error(driver_problem());
  std::vector<std::string> architectures;
  for (const int ordinal : devices_of(configuration))
    architectures.push_back(Context(ordinal).info().architecture());
  const EngineSettings settings(configuration, 1);
  for (const auto& architecture : architectures)
    compile_cached(settings.kernel, architecture, kernel_cache_folder(), *kernel_files());
}

}  // namespace orrery::sim::cuda
