#include "sim/cuda/compiler/compiler.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <future>
#include <map>
#include <mutex>

#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/hash.h"
#include "sim/core/private_file.h"
#include "sim/core/time_account.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/families/family.h"

namespace orrery::sim::cuda {

namespace fs = std::filesystem;

namespace {

std::uint64_t checksum(std::string_view bytes) {
  Fnv1a<std::uint64_t> hash;
  hash.add(bytes);
  return hash.value();
}

/// Frees the program however the compilation ends.
struct Program {
  nvrtcProgram handle = nullptr;
  explicit Program(const std::string& source) {
    check(nvrtc()->nvrtcCreateProgram(&handle, source.c_str(), "orrery.cu", 0, nullptr, nullptr),
          "starting the run-time compiler");
  }
  ~Program() { nvrtc()->nvrtcDestroyProgram(&handle); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
};

std::string log_of(const Program& program) {
  std::size_t size = 0;
  nvrtc()->nvrtcGetProgramLogSize(program.handle, &size);
  std::string log(size, '\0');
  nvrtc()->nvrtcGetProgramLog(program.handle, log.data());
  while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
  return log;
}

/// The first error of a compiler's log: one line for the message.
std::string first_error(const std::string& log) {
  // "tiled.cu(12): error: ..."; the name of a folder may contain the word too.
  auto at = log.find("): error");
  if (at == std::string::npos) at = log.find("error");
  const auto begin = at == std::string::npos ? 0 : log.rfind('\n', at) + 1;
  return log.substr(begin, log.find('\n', begin) - begin);
}

/// Options that change nothing of what the code computes. NVRTC 13 keeps compiled code on disk too, but (seen
/// with 13.0) gives back code that was compiled with another --ftz: we have a cache that tells them apart. It
/// optimizes kernels on all cores if told so; machine code does not depend on how many there are.
std::vector<std::string> options_of_this_compiler() {
  if (nvrtc_version().major < 13) return {};
  return {"--no-cache", "--split-compile=0"};
}

constexpr std::string_view entry_mark = "ORRERYK1";

std::string read_entry(const fs::path& file) {
  const auto bytes = read_private(file);
  constexpr std::size_t header = entry_mark.size() + sizeof(std::uint64_t);
  if (bytes.size() <= header || !bytes.starts_with(entry_mark)) return {};
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + entry_mark.size(), sizeof sum);
  auto cubin = bytes.substr(header);
  return checksum(cubin) == sum ? cubin : std::string();
}

void write_entry(const fs::path& file, const std::string& cubin) try {
  const std::uint64_t sum = checksum(cubin);
  FileWriter writer(file);
  writer.write(entry_mark);
  writer.write(std::as_bytes(std::span(&sum, 1)));
  writer.write(cubin);
  writer.finish();
} catch (const Error&) {
  // Without a cache the kernel is compiled again next time: slower, not wrong.
}

/// Returns the result of `make`. If another thread makes the entry `file` already, this one waits for it and
/// gets its result.
CompiledKernel make_once(const fs::path& file, const std::function<CompiledKernel()>& make) {
  static std::mutex mutex;
  static std::map<fs::path, std::shared_future<CompiledKernel>> under_way;
  std::packaged_task<CompiledKernel()> task(make);
  std::unique_lock lock(mutex);
  const auto [entry, is_first] = under_way.try_emplace(file);
  if (is_first) entry->second = task.get_future().share();
  const auto result = entry->second;
  lock.unlock();
  if (is_first) {
    task();
    lock.lock();
    under_way.erase(file);
  }
  return result.get();
}

/// Appends a line to the file that ORRERY_KERNEL_LOG names, in one write: several processes share it.
void log_request(const std::string& key, const CompiledKernel& compiled,
                 const KernelConfiguration& configuration, const std::string& architecture) {
  const char* file = std::getenv("ORRERY_KERNEL_LOG");
  if (file == nullptr || *file == '\0') return;
  const auto line =
      fmt::format("{} {:.0f} {} {}\n", key, compiled.compile_ms, architecture, describe(configuration));
  std::ofstream(file, std::ios::app) << line;
}

}  // namespace

CompiledKernel compile(const KernelConfiguration& configuration, const std::string& architecture,
                       const KernelFiles& files) {
  if (nvrtc() == nullptr) throw Error("cannot compile a CUDA kernel: " + nvrtc_problem());
  const auto start = std::chrono::steady_clock::now();
  const Program program(kernel_source(configuration, files));
  auto options = compiler_options(configuration, architecture);
  for (auto& option : options_of_this_compiler()) options.push_back(std::move(option));
  std::vector<const char*> arguments;
  arguments.reserve(options.size());
  for (const auto& option : options) arguments.push_back(option.c_str());
  const auto result =
      nvrtc()->nvrtcCompileProgram(program.handle, static_cast<int>(arguments.size()), arguments.data());
  if (result != NVRTC_SUCCESS) {
    throw Error(fmt::format("the {} kernel does not compile for {}: {}", configuration.family->name,
                            architecture, first_error(log_of(program))));
  }
  CompiledKernel compiled;
  std::size_t size = 0;
  check(nvrtc()->nvrtcGetCUBINSize(program.handle, &size), "reading the compiled kernel");
  compiled.cubin.resize(size);
  check(nvrtc()->nvrtcGetCUBIN(program.handle, compiled.cubin.data()), "reading the compiled kernel");
  compiled.compile_ms = milliseconds_since(start);
  return compiled;
}

std::string cache_key(const KernelConfiguration& configuration, const std::string& architecture,
                      const KernelFiles& files) {
  const auto [major, minor] = nvrtc_version();
  Fnv1a<std::uint64_t> hash;
  hash.add(kernel_source(configuration, files));
  for (const auto& option : compiler_options(configuration, architecture)) {
    hash.add("\n");
    hash.add(option);
  }
  hash.add(fmt::format("nvrtc {}.{}", major, minor));
  return fmt::format("{:016x}", hash.value());
}

CompiledKernel compile_cached(const KernelConfiguration& configuration, const std::string& architecture,
                              const fs::path& folder, const KernelFiles& files) {
  // Machine code of others is not run: entries are this user's, in a folder where nobody else writes.
  if (folder.empty() || !make_private(folder)) return compile(configuration, architecture, files);
  const auto key = cache_key(configuration, architecture, files);
  const auto file = folder / (key + ".cubin");
  CompiledKernel compiled{.cubin = read_entry(file), .from_disk = true};
  if (compiled.cubin.empty()) {
    compiled = make_once(file, [&] {
      auto made = compile(configuration, architecture, files);
      write_entry(file, made.cubin);
      return made;
    });
  }
  log_request(key, compiled, configuration, architecture);
  return compiled;
}

CompiledKernel compile_newest(const KernelConfiguration& configuration, const std::string& architecture,
                              const fs::path& folder, const KernelFiles& files, const KernelFiles* good,
                              std::string problem) {
  if (problem.empty()) {
    try {
      return compile_cached(configuration, architecture, folder, files);
    } catch (const Error& error) {
      if (!files.watched()) throw;
      problem = error.what();
    }
  }
  const auto compile_these = [&](const KernelFiles& these) {
    auto kernel = compile_cached(configuration, architecture, folder, these);
    kernel.problem = problem;
    return kernel;
  };
  try {
    if (good != nullptr) return compile_these(*good);
  } catch (const Error&) {
    // Good for another family; this one's file was broken there.
  }
  return compile_these(embedded_kernel_files());
}

fs::path kernel_cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && fs::path(cache).is_absolute()) return fs::path(cache) / "orrery" / "kernels";
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? fs::path(home) / ".cache" / "orrery" / "kernels" : fs::path();
}

}  // namespace orrery::sim::cuda
