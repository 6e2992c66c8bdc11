#include "render/context/headless_context.h"

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/error.h"

namespace orrery::render {
namespace {

/// The functions of libEGL that are used here, found at run time.
struct Egl {
  decltype(&eglGetProcAddress) get_proc_address = nullptr;
  decltype(&eglQueryString) query_string = nullptr;
  decltype(&eglInitialize) initialize = nullptr;
  decltype(&eglBindAPI) bind_api = nullptr;
  decltype(&eglChooseConfig) choose_config = nullptr;
  decltype(&eglCreateContext) create_context = nullptr;
  decltype(&eglDestroyContext) destroy_context = nullptr;
  decltype(&eglMakeCurrent) make_current = nullptr;
  decltype(&eglGetError) get_error = nullptr;
  PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display = nullptr;
  PFNEGLQUERYDEVICESEXTPROC query_devices = nullptr;
  PFNEGLQUERYDEVICESTRINGEXTPROC query_device_string = nullptr;
  PFNEGLQUERYDEVICEATTRIBEXTPROC query_device_attribute = nullptr;
};

template <typename Function>
void find_in_library(void* library, Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr)
    throw Error(fmt::format("libEGL.so.1 lacks {}: install the libegl1 package of this system", name));
}

template <typename Function>
void find_extension(const Egl& egl, Function& function, const char* name) {
  function = reinterpret_cast<Function>(egl.get_proc_address(name));
}

Egl open_egl() {
  void* library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const std::string problem = dlerror();
    throw Error("pictures without a window need EGL, and libEGL.so.1 " +
                (problem.find("No such file") != problem.npos ? "was not found: install libegl1"
                                                              : "does not open: " + problem));
  }
  Egl egl;
  find_in_library(library, egl.get_proc_address, "eglGetProcAddress");
  find_in_library(library, egl.query_string, "eglQueryString");
  find_in_library(library, egl.initialize, "eglInitialize");
  find_in_library(library, egl.bind_api, "eglBindAPI");
  find_in_library(library, egl.choose_config, "eglChooseConfig");
  find_in_library(library, egl.create_context, "eglCreateContext");
  find_in_library(library, egl.destroy_context, "eglDestroyContext");
  find_in_library(library, egl.make_current, "eglMakeCurrent");
  find_in_library(library, egl.get_error, "eglGetError");
  find_extension(egl, egl.get_platform_display, "eglGetPlatformDisplayEXT");
  find_extension(egl, egl.query_devices, "eglQueryDevicesEXT");
  find_extension(egl, egl.query_device_string, "eglQueryDeviceStringEXT");
  find_extension(egl, egl.query_device_attribute, "eglQueryDeviceAttribEXT");
  if (egl.get_platform_display == nullptr)
    throw Error("libEGL.so.1 knows no platforms (EGL_EXT_platform_base): update libegl1 or the driver");
  return egl;
}

/// Never closed: contexts of drivers keep code of the library alive.
const Egl& egl() {
  static const Egl functions = open_egl();
  return functions;
}

bool has_extension(const char* list, std::string_view name) {
  const std::string_view all = list == nullptr ? "" : list;
  for (std::size_t at = all.find(name); at != std::string_view::npos; at = all.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || all[at - 1] == ' ') && (end == all.size() || all[end] == ' ')) return true;
  }
  return false;
}

/// One way to get a display without a window.
struct Candidate {
  EGLenum platform = 0;
  void* native = nullptr;
  std::string description;
  int cuda_ordinal = -1;
};

int cuda_ordinal_of(EGLDeviceEXT device) {
  if (egl().query_device_attribute == nullptr || egl().query_device_string == nullptr) return -1;
  if (!has_extension(egl().query_device_string(device, EGL_EXTENSIONS), "EGL_NV_device_cuda")) return -1;
  EGLAttrib ordinal = -1;
  if (egl().query_device_attribute(device, EGL_CUDA_DEVICE_NV, &ordinal) != EGL_TRUE) return -1;
  return static_cast<int>(ordinal);
}

std::vector<Candidate> device_candidates() {
  std::vector<Candidate> candidates;
  std::array<EGLDeviceEXT, 32> devices{};
  EGLint count = 0;
  if (egl().query_devices == nullptr ||
      egl().query_devices(static_cast<EGLint>(devices.size()), devices.data(), &count) != EGL_TRUE)
    return candidates;
  for (EGLint i = 0; i < count; ++i) {
    const int ordinal = cuda_ordinal_of(devices[i]);
    std::string description = ordinal < 0 ? fmt::format("EGL device {}", i)
                                          : fmt::format("EGL device {} (CUDA device {})", i, ordinal);
    candidates.push_back({EGL_PLATFORM_DEVICE_EXT, devices[i], std::move(description), ordinal});
  }
  return candidates;
}

std::vector<Candidate> all_candidates() {
  auto ordered = device_candidates();
  const auto others = std::ranges::stable_partition(
      ordered, [](const Candidate& device) { return device.cuda_ordinal >= 0; });
  if (has_extension(egl().query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS), "EGL_MESA_platform_surfaceless"))
    ordered.insert(others.begin(), {EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, "EGL surfaceless"});
  return ordered;
}

EGLConfig choose_config(EGLDisplay display) {
  const std::array<EGLint, 5> wanted{EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (egl().choose_config(display, wanted.data(), &config, 1, &count) != EGL_TRUE || count == 0)
    return nullptr;
  return config;
}

EGLContext create_context(EGLDisplay display, bool debug) {
  const std::array<EGLint, 9> attributes{EGL_CONTEXT_MAJOR_VERSION,
                                         4,
                                         EGL_CONTEXT_MINOR_VERSION,
                                         5,
                                         EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                         EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                         EGL_CONTEXT_OPENGL_DEBUG,
                                         debug ? EGL_TRUE : EGL_FALSE,
                                         EGL_NONE};
  return egl().create_context(display, choose_config(display), EGL_NO_CONTEXT, attributes.data());
}

/// Drivers say nothing of it. As much as the smallest of them needs.
bool lacks_memory() {
  constexpr std::size_t needed = std::size_t{256} << 20;
  void* const memory = ::mmap(nullptr, needed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return true;
  ::munmap(memory, needed);
  return false;
}

std::string remedy() {
  if (lacks_memory())
    return "little memory is left for this program; allow it more (ulimit -v), or end others";
  return "install Mesa (libgl1-mesa-dri, libegl-mesa0), or in a container give NVIDIA_DRIVER_CAPABILITIES "
         "the word "
         "graphics";
}

}  // namespace

/// A display is shared by all contexts of the process and is never terminated: that would end the others too.
struct HeadlessContext::State {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  std::string description;

  /// Empty on success, otherwise what failed.
  std::string open(const Candidate& candidate, bool debug) {
    display = egl().get_platform_display(candidate.platform, candidate.native, nullptr);
    if (display == EGL_NO_DISPLAY || egl().initialize(display, nullptr, nullptr) != EGL_TRUE)
      return "cannot be initialized";
    if (egl().bind_api(EGL_OPENGL_API) != EGL_TRUE) return "has no desktop OpenGL";
    context = create_context(display, debug);
    if (context == EGL_NO_CONTEXT)
      return fmt::format("has no OpenGL 4.5 (EGL error {:#x})", egl().get_error());
    if (egl().make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_TRUE) {
      egl().destroy_context(display, std::exchange(context, EGL_NO_CONTEXT));
      return "cannot draw without a surface";
    }
    description = candidate.description;
    return {};
  }
};

HeadlessContext::HeadlessContext(bool debug) : state_(std::make_unique<State>()) {
  std::string reasons;
  for (const Candidate& candidate : all_candidates()) {
    const std::string reason = state_->open(candidate, debug);
    if (reason.empty()) return;
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : "; ", candidate.description, reason);
  }
  throw Error(fmt::format("no way to draw without a window ({}): {}",
                          reasons.empty() ? "EGL knows no device" : reasons, remedy()));
}

HeadlessContext::~HeadlessContext() {
  egl().make_current(state_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  egl().destroy_context(state_->display, state_->context);
}

void HeadlessContext::make_current() {
  if (egl().make_current(state_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, state_->context) != EGL_TRUE)
    throw Error(
        fmt::format("the headless context cannot be made current (EGL error {:#x}): another thread holds it",
                    egl().get_error()));
}

void HeadlessContext::release_current() {
  egl().make_current(state_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

const std::string& HeadlessContext::description() const { return state_->description; }
HeadlessContext::Function HeadlessContext::loader(const char* name) { return egl().get_proc_address(name); }

}  // namespace orrery::render
