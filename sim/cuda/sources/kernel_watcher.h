#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "sim/cuda/sources/kernel_files.h"

namespace orrery::sim::cuda {

/// Reads the device code from a folder, and again when it is edited, on a thread of its own. Contents are
/// compared, not dates: editors that write a new file and rename it are followed too, and half-written files
/// are waited for. When it ends the embedded sources are in use again.
class KernelWatcher {
 public:
  /// One line for the person at the screen: what was edited, what is missing. Called on the watching thread,
  /// and for the first reading in the constructor.
  using Say = std::function<void(const std::string& message)>;

  /// Throws what read_kernel_folder throws.
  KernelWatcher(std::filesystem::path folder, Say say);
  KernelWatcher(const KernelWatcher&) = delete;
  KernelWatcher& operator=(const KernelWatcher&) = delete;
  ~KernelWatcher();

 private:
  void watch();
  void look();
  void adopt(KernelFiles files);
  void say_once(const std::string& message);

  std::filesystem::path folder_;
  Say say_;
  KernelFiles used_;
  KernelFiles seen_;  ///< the last reading: taken over when the next one agrees
  std::string last_said_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace orrery::sim::cuda
