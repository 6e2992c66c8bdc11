#include "sim/cuda/sources/kernel_watcher.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "sim/core/threads.h"

namespace orrery::sim::cuda {

namespace {

/// An edit is seen after one of these and taken over after two. Reading all sources takes 0.1 ms.
constexpr std::chrono::milliseconds interval{100};

}  // namespace

KernelWatcher::KernelWatcher(std::filesystem::path folder, Say say)
    : folder_(std::move(folder)), say_(std::move(say)), used_(embedded_kernel_files()) {
  adopt(read_kernel_folder(folder_, true));
  seen_ = used_;
  thread_ = start_thread("watching the sources of kernels", [this] { watch(); });
}

KernelWatcher::~KernelWatcher() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_one();
  thread_.join();
  use_kernel_files(embedded_kernel_files());
}

void KernelWatcher::watch() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, interval, [this] { return quit_; })) look();
}

void KernelWatcher::look() try {
  auto now = read_kernel_folder(folder_, true);
  const bool settled = now.all() == seen_.all();
  seen_ = std::move(now);
  if (settled && seen_.all() != used_.all()) adopt(seen_);
} catch (const std::exception& error) {
  say_once(fmt::format("{}; the sources read before are kept", error.what()));
}

/// Says what differs from the sources used before, and uses these.
void KernelWatcher::adopt(KernelFiles files) {
  for (const auto& [name, file] : files.all()) {
    const auto& before = used_.at(name);
    if (file == before && thread_.joinable()) continue;
    if (file.embedded) {
      say_(fmt::format("{} is not there: the embedded {} is used", (folder_ / name).string(), name));
    } else if (file.text != before.text) {
      say_(fmt::format("{} {}", file.shown,
                       thread_.joinable() ? "was edited: kernels made of it are compiled anew"
                                          : "differs from the embedded one"));
    }
  }
  last_said_.clear();
  used_ = files;
  use_kernel_files(std::move(files));
}

void KernelWatcher::say_once(const std::string& message) {
  if (message == last_said_) return;
  last_said_ = message;
  say_(message);
}

}  // namespace orrery::sim::cuda
