#include "sim/cuda/compiler/known_kernels.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/cuda/compiler/compiler.h"

namespace orrery::sim::cuda {

namespace fs = std::filesystem;

namespace {

/// Several versions of all kernels; a key is 16 bytes and the end of its line.
constexpr std::size_t most_keys = 10'000;
constexpr std::size_t key_length = 16;

std::vector<std::string> keys_in(const fs::path& file) {
  std::vector<std::string> keys;
  std::ifstream stream(file);
  std::string line;
  while (keys.size() < most_keys && std::getline(stream, line)) {
    if (line.size() == key_length) keys.push_back(line);
  }
  return keys;
}

}  // namespace

KnownKernels::KnownKernels(fs::path file) : file_(std::move(file)) {
  if (file_.empty()) return;
  from_before_ = keys_in(file_);
  known_.insert(from_before_.begin(), from_before_.end());
}

bool KnownKernels::compile(const KernelConfiguration& configuration, const std::string& architecture,
                           const KernelFiles& files) {
  const auto key = file_.empty() ? std::string() : cache_key(configuration, architecture, files);
  std::unique_lock lock(mutex_);
  const bool is_known = known_.contains(key);
  lock.unlock();
  if (!is_known) cuda::compile(configuration, architecture, files);
  if (file_.empty()) return true;
  lock.lock();
  known_.insert(key);
  asked_.push_back(key);
  return !is_known;
}

void KnownKernels::save() const {
  if (file_.empty()) return;
  const std::lock_guard lock(mutex_);
  std::set<std::string> written;
  std::string text;
  const auto add = [&](const std::string& key) {
    if (written.size() < most_keys && written.insert(key).second) text += key + '\n';
  };
  std::ranges::for_each(asked_, add);
  std::ranges::for_each(from_before_, add);
  try {
    std::error_code failure;
    fs::create_directories(file_.parent_path(), failure);
    write_file(file_, text);
  } catch (const Error&) {
    // Slower next time, not wrong.
  }
}

fs::path known_kernels_file() {
  const auto cache = kernel_cache_folder();
  return cache.empty() ? fs::path() : cache.parent_path() / "known_kernels.txt";
}

}  // namespace orrery::sim::cuda
