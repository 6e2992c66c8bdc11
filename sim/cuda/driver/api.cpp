#include "sim/cuda/driver/api.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "sim/core/error.h"

namespace orrery::sim::cuda {

void* open_first(const std::vector<std::string>& names) {
  for (const auto& name : names) {
    if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

std::vector<std::string> toolkit_library_names(const std::string& stem,
                                               const std::vector<std::string>& versions) {
  std::vector<std::string> names;
  names.reserve(versions.size() + 7);
  for (const auto& version : versions) names.push_back(fmt::format("{}.so.{}", stem, version));
  names.push_back(stem + ".so");
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const char* folder = std::getenv(variable)) folders.emplace_back(folder);
  }
  folders.emplace_back("/usr/local/cuda");
  for (const auto& folder : folders) {
    names.push_back(fmt::format("{}/lib64/{}.so", folder, stem));
    names.push_back(fmt::format("{}/targets/x86_64-linux/lib/{}.so", folder, stem));
  }
  return names;
}

namespace {

#define ORRERY_STRING_OF(name) #name
#define ORRERY_STRING(name) ORRERY_STRING_OF(name)

template <typename Api>
struct Loaded {
  Api api;
  bool usable = false;
  std::string problem;
};

void* driver_library = nullptr;

Loaded<Driver> load_driver() {
  Loaded<Driver> loaded;
  driver_library = open_first({"libcuda.so.1", "libcuda.so"});
  if (driver_library == nullptr) {
    loaded.problem = "no NVIDIA driver (libcuda.so.1); install the driver of your GPU";
    return loaded;
  }
  bool complete = true;
#define ORRERY_LOAD(name)                                                                                    \
  loaded.api.name = reinterpret_cast<decltype(loaded.api.name)>(dlsym(driver_library, ORRERY_STRING(name))); \
  complete = complete && loaded.api.name != nullptr;
  ORRERY_DRIVER_FUNCTIONS(ORRERY_LOAD)
#undef ORRERY_LOAD
  loaded.api.symbol = [](const char* name) { return dlsym(driver_library, name); };
  if (!complete) {
    loaded.problem = "the NVIDIA driver is too old for this program; update it";
    return loaded;
  }
  const CUresult result = loaded.api.cuInit(0);
  const char* text = nullptr;
  if (result != CUDA_SUCCESS) {
    loaded.api.cuGetErrorString(result, &text);
    loaded.problem =
        fmt::format("the NVIDIA driver does not start: {}", text != nullptr ? text : "no reason given");
    return loaded;
  }
  loaded.usable = true;
  return loaded;
}

Loaded<Nvrtc> load_nvrtc() {
  Loaded<Nvrtc> loaded;
  void* library = open_first(toolkit_library_names("libnvrtc", {"13", "12"}));
  if (library == nullptr) {
    loaded.problem =
        "no run-time compiler (libnvrtc); install the CUDA toolkit or set CUDA_PATH to where it is";
    return loaded;
  }
  bool complete = true;
#define ORRERY_LOAD(name)                                                                             \
  loaded.api.name = reinterpret_cast<decltype(loaded.api.name)>(dlsym(library, ORRERY_STRING(name))); \
  complete = complete && loaded.api.name != nullptr;
  ORRERY_NVRTC_FUNCTIONS(ORRERY_LOAD)
#undef ORRERY_LOAD
  if (!complete) loaded.problem = "the run-time compiler (libnvrtc) is too old; install CUDA 12 or newer";
  loaded.usable = complete;
  return loaded;
}

const Loaded<Driver>& the_driver() {
  static const Loaded<Driver> loaded = load_driver();
  return loaded;
}

const Loaded<Nvrtc>& the_nvrtc() {
  static const Loaded<Nvrtc> loaded = load_nvrtc();
  return loaded;
}

}  // namespace

const Driver* driver() { return the_driver().usable ? &the_driver().api : nullptr; }
const std::string& driver_problem() { return the_driver().problem; }
const Nvrtc* nvrtc() { return the_nvrtc().usable ? &the_nvrtc().api : nullptr; }
const std::string& nvrtc_problem() { return the_nvrtc().problem; }

void check(CUresult result, std::string_view what) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  const char* text = nullptr;
  driver()->cuGetErrorName(result, &name);
  driver()->cuGetErrorString(result, &text);
  throw Error(fmt::format("{} failed: {}: {}", what, name != nullptr ? name : "unknown",
                          text != nullptr ? text : ""));
}

void check(nvrtcResult result, std::string_view what) {
  if (result == NVRTC_SUCCESS) return;
  throw Error(fmt::format("{} failed: {}", what, nvrtc()->nvrtcGetErrorString(result)));
}

}  // namespace orrery::sim::cuda
