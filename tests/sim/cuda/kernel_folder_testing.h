#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sim/cuda/sources/kernel_watcher.h"
#include "tests/eventually.h"
#include "tests/temporary_folder.h"

namespace orrery::sim::cuda {

/// A folder with the kernel sources, removed with the object.
class SourceFolder {
 public:
  SourceFolder() { write_kernel_folder(path()); }

  const std::filesystem::path& path() const { return folder_.path(); }
  std::string text(const std::string& name) const {
    std::ifstream stream(path() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path() / name, std::ios::binary) << text;
  }
  /// Replaces the first occurrence; false if there is none.
  bool edit(const std::string& name, const std::string& old_text, const std::string& new_text) const {
    auto all = text(name);
    const auto at = all.find(old_text);
    if (at == std::string::npos) return false;
    write(name, all.replace(at, old_text.size(), new_text));
    return true;
  }

 private:
  const test::TemporaryFolder folder_;
};

/// Collects what a watcher says, from its thread.
class Messages {
 public:
  KernelWatcher::Say say() {
    return [this](const std::string& message) {
      const std::lock_guard lock(mutex_);
      all_ += message + "\n";
    };
  }
  bool contain(const std::string& text) const {
    const std::lock_guard lock(mutex_);
    return all_.find(text) != std::string::npos;
  }

 private:
  mutable std::mutex mutex_;
  std::string all_;
};

using test::eventually;

}  // namespace orrery::sim::cuda
