#include "sim/cuda/driver/api.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <vector>

#include "sim/core/error.h"
#include "sim/cuda/driver/library_search.h"

namespace orrery::sim::cuda {

namespace {

template <typename Api>
struct Loaded {
  Api api;
  bool installed = false;  ///< the library is there
  int start_error = CUDA_SUCCESS;
  std::string problem;
};

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// False if one is missing that must be there.
bool find_functions(void* library, Driver& api) {
  bool complete = true;
#define ORRERY_LOAD(name, suffix, parameters) complete &= find(library, #name #suffix, api.name);
  ORRERY_DRIVER_FUNCTIONS(ORRERY_LOAD)
#undef ORRERY_LOAD
#define ORRERY_LOAD(name, suffix, parameters) find(library, #name #suffix, api.name);
  ORRERY_OPTIONAL_DRIVER_FUNCTIONS(ORRERY_LOAD)
#undef ORRERY_LOAD
  return complete;
}

bool find_functions(void* library, Nvrtc& api) {
  bool complete = true;
#define ORRERY_LOAD(name, result, parameters) complete &= find(library, #name, api.name);
  ORRERY_NVRTC_FUNCTIONS(ORRERY_LOAD)
#undef ORRERY_LOAD
  return complete;
}

std::string text_of(const Driver& api, CUresult result) {
  const char* text = nullptr;
  api.cuGetErrorString(result, &text);
  return text != nullptr ? text : fmt::format("error {}", static_cast<int>(result));
}

std::string start_problem(const Driver& api, CUresult result) {
  if (result == CUDA_SUCCESS) return {};
  if (result == CUDA_ERROR_NO_DEVICE) return no_gpu;
  return fmt::format("the NVIDIA driver does not start: {} (error {}); `orrery doctor` says what helps",
                     text_of(api, result), static_cast<int>(result));
}

Loaded<Driver> load_driver() {
  Loaded<Driver> loaded;
  void* library = open_first({"libcuda.so.1", "libcuda.so"});
  loaded.installed = library != nullptr;
  if (library == nullptr) {
    loaded.problem = "no NVIDIA driver (libcuda.so.1); install the driver of your GPU";
  } else if (!find_functions(library, loaded.api)) {
    loaded.problem = "the NVIDIA driver is too old for this program; update it";
  } else {
    const CUresult result = loaded.api.cuInit(0);
    loaded.start_error = result;
    loaded.problem = start_problem(loaded.api, result);
  }
  return loaded;
}

/// Newest first; but what a driver of CUDA 12 or older cannot run comes last.
std::vector<std::string> compiler_versions() {
  const int version = driver_cuda_version();
  if (version >= 13000 || version == 0) return {"13", "12", "11.2"};
  return version >= 12000 ? std::vector<std::string>{"12", "11.2", "13"}
                          : std::vector<std::string>{"11.2", "12", "13"};
}

Loaded<Nvrtc> load_nvrtc() {
  Loaded<Nvrtc> loaded;
  void* library = open_first(toolkit_library_names("libnvrtc", compiler_versions()));
  loaded.installed = library != nullptr;
  if (library == nullptr) {
    loaded.problem =
        "no run-time compiler (libnvrtc); `orrery doctor --fix nvrtc` fetches it; or install the CUDA "
        "toolkit, or "
        "set CUDA_PATH to where it is";
  } else if (!find_functions(library, loaded.api)) {
    loaded.problem = "the run-time compiler (libnvrtc) is too old; install that of CUDA 11.2 or newer";
  }
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

/// Which driver a process uses is decided once: objects of one are nothing to the other.
enum class Use { open, driver, substitute };
std::atomic<Use> use{Use::open};
const Driver* substitute_driver = nullptr;
const Nvrtc* substitute_nvrtc = nullptr;
const std::string no_problem;

}  // namespace

const Driver* driver() {
  if (gpu_is_substituted()) return substitute_driver;
  return the_driver().problem.empty() ? &the_driver().api : nullptr;
}
const std::string& driver_problem() { return gpu_is_substituted() ? no_problem : the_driver().problem; }
bool driver_is_installed() { return the_driver().installed; }
int driver_start_error() { return the_driver().start_error; }
int driver_cuda_version() {
  const auto& api = the_driver().api;
  int version = 0;
  if (api.cuDriverGetVersion != nullptr) api.cuDriverGetVersion(&version);
  return version;
}
std::string error_text(CUresult result) {
  return text_of(gpu_is_substituted() ? *substitute_driver : the_driver().api, result);
}
const Nvrtc* nvrtc() {
  if (gpu_is_substituted()) return substitute_nvrtc;
  return the_nvrtc().problem.empty() ? &the_nvrtc().api : nullptr;
}
NvrtcVersion nvrtc_version() {
  NvrtcVersion version;
  if (nvrtc() != nullptr) nvrtc()->nvrtcVersion(&version.major, &version.minor);
  return version;
}
const std::string& nvrtc_problem() { return gpu_is_substituted() ? no_problem : the_nvrtc().problem; }

bool gpu_is_substituted() { return use.load() == Use::substitute; }

void keep_driver() {
  auto open = Use::open;
  use.compare_exchange_strong(open, Use::driver);
}

std::string substitution_problem() {
  return use.load() == Use::driver
             ? "this process computes on a GPU already; start the program anew with --engine emulated"
             : "";
}

void substitute_gpu(const Driver& driver, const Nvrtc& nvrtc) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (gpu_is_substituted()) return;
  substitute_driver = &driver;
  substitute_nvrtc = &nvrtc;
  auto open = Use::open;
  if (!use.compare_exchange_strong(open, Use::substitute)) throw Error(substitution_problem());
}

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
