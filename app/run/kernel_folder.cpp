#include "app/run/kernel_folder.h"

#include <fmt/format.h>

#include "app/log.h"
#include "sim/cuda/sources/kernel_watcher.h"

namespace orrery::app {

void read_kernels_from(const std::filesystem::path& folder) {
  if (folder.empty()) return;
  auto files = sim::cuda::read_kernel_folder(folder, false);
  for (const auto& [name, file] : files.all())
    if (file.embedded)
      fmt::print(stderr, "{} is not there: the embedded {} is used\n", (folder / name).string(), name);
  sim::cuda::use_kernel_files(std::move(files));
}

std::shared_ptr<void> watch_kernels_in(const std::filesystem::path& folder) {
  if (folder.empty()) return nullptr;
  auto watcher = std::make_shared<sim::cuda::KernelWatcher>(folder, log_info);
  log_info("watching the kernel sources in " + folder.string());
  return watcher;
}

}  // namespace orrery::app
