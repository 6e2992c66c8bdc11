#include "app/commands/kernel_folder.h"

#include <fmt/format.h>

#include "app/log.h"
#include "sim/core/error.h"
#ifdef ORRERY_CUDA
#include "sim/cuda/sources/kernel_watcher.h"
#endif

namespace orrery::app {

#ifdef ORRERY_CUDA

void read_kernels_from(const std::filesystem::path& folder) {
  if (folder.empty()) return;
  auto files = sim::cuda::read_kernel_folder(folder, false);
  for (const auto& [name, file] : files.all()) {
    if (file.embedded)
      fmt::print(stderr, "{} is not there: the embedded {} is used\n", (folder / name).string(), name);
  }
  sim::cuda::use_kernel_files(std::move(files));
}

std::shared_ptr<void> watch_kernels_in(const std::filesystem::path& folder) {
  if (folder.empty()) return nullptr;
  auto watcher = std::make_shared<sim::cuda::KernelWatcher>(folder, log_info);
  log_info("watching the kernel sources in " + folder.string());
  return watcher;
}

#else

void read_kernels_from(const std::filesystem::path& folder) {
  if (!folder.empty()) {
    throw sim::Error(
        "--watch-kernels: this program was built without CUDA's headers; install the CUDA toolkit and build "
        "again");
  }
}

std::shared_ptr<void> watch_kernels_in(const std::filesystem::path& folder) {
  read_kernels_from(folder);
  return nullptr;
}

#endif

}  // namespace orrery::app
