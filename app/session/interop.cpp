#include "app/session/interop.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>
#include <vector>

#include "app/picture/look.h"
#include "app/picture/scene_summary.h"
#include "render/context/gl.h"
#include "render/context/gl_object.h"
#include "sim/activity/map_options.h"
#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/engines/packed_bodies.h"

#include "sim/cuda/driver/api.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/options/schedule.h"
#include "sim/options/engine_option.h"

namespace orrery::app {

namespace {

using sim::cuda::check;
using sim::cuda::CU_GL_DEVICE_LIST_ALL;
using sim::cuda::CU_STREAM_NON_BLOCKING;
using sim::cuda::CUDA_SUCCESS;
using sim::cuda::CUdevice;
using sim::cuda::CUdeviceptr;
using sim::cuda::CUgraphicsResource;
using sim::cuda::CUstream;
using sim::cuda::driver;

/// True if the driver has the functions that interoperability needs.
bool driver_knows_opengl() {
  const auto& api = *driver();
  return api.cuGLGetDevices != nullptr && api.cuGraphicsGLRegisterBuffer != nullptr &&
         api.cuGraphicsUnregisterResource != nullptr && api.cuGraphicsMapResources != nullptr &&
         api.cuGraphicsUnmapResources != nullptr && api.cuGraphicsResourceGetMappedPointer != nullptr;
}

/// CUDA ordinals of the devices that draw in the current context.
std::vector<int> drawing_devices() {
  std::array<CUdevice, 16> found{};
  unsigned count = 0;
  if (driver()->cuGLGetDevices(&count, found.data(), found.size(), CU_GL_DEVICE_LIST_ALL) != CUDA_SUCCESS)
    return {};
  std::vector<int> ordinals;
  int devices = 0;
  driver()->cuDeviceGetCount(&devices);
  for (int ordinal = 0; ordinal < devices; ++ordinal) {
    CUdevice device = 0;
    if (driver()->cuDeviceGet(&device, ordinal) != CUDA_SUCCESS) continue;
    if (std::find(found.begin(), found.begin() + count, device) != found.begin() + count)
      ordinals.push_back(ordinal);
  }
  return ordinals;
}

bool is_wsl() {
  std::ifstream file("/proc/version");
  std::string version;
  std::getline(file, version);
  return sim::lower_case(version).find("microsoft") != std::string::npos;
}

/// CUDA knows no device that draws here: what stands between.
InteropStatus drawn_elsewhere() {
  const auto gl = render::gl_info();
  InteropStatus status{.why_not = fmt::format("OpenGL is drawn by {}, which is no CUDA device", gl.renderer)};
  if (is_wsl()) {
    status.why_not = "WSL2 does not share buffers between CUDA and OpenGL";
    status.remedy = "run on Linux itself";
  } else if (gl.software) {
    status.remedy =
        "use a display that the NVIDIA GPU draws, or draw without a window (orrery render, which finds the "
        "GPU by EGL)";
  } else if (gl.vendor.find("NVIDIA") != std::string::npos) {
    status.remedy = "CUDA_VISIBLE_DEVICES may hide the GPU that draws: leave it visible";
  } else {
    status.remedy = "start with __NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia";
  }
  return status;
}

}  // namespace

/// The registration of the vertex buffers with CUDA.
struct InteropBuffers::Registration {
  struct Slot {
    std::array<CUgraphicsResource, 3> resources{};  ///< positions, velocities, activity map
    bool mapped = false;
    sim::cuda::Event free;  ///< OpenGL is done with it
  };
  sim::cuda::Context context;
  // CUDA waits for OpenGL on one and OpenGL for CUDA on the other. On a single stream a new slot would wait
  // for the old one, and the GPU would change sides twice a frame, in slices of 2 ms.
  CUstream from_opengl = nullptr, to_opengl = nullptr;
  std::vector<Slot> slots;
  unsigned count = 2;  ///< resources of a slot

  Registration(const render::BodyBuffers& buffers, const render::MapBuffers* maps, int device);
  ~Registration();
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  void add(Slot& slot, std::size_t which, render::GlName buffer) const;
  void release();
};

InteropBuffers::Registration::Registration(const render::BodyBuffers& buffers, const render::MapBuffers* maps,
                                           int device)
    : context(device), slots(static_cast<std::size_t>(buffers.slots())), count(maps != nullptr ? 3 : 2) {
  try {
    for (auto* stream : {&from_opengl, &to_opengl})
      check(driver()->cuStreamCreate(stream, CU_STREAM_NON_BLOCKING), "making a CUDA stream");
    for (int slot = 0; slot < buffers.slots(); ++slot) {
      auto& here = slots[static_cast<std::size_t>(slot)];
      add(here, 0, buffers.position_buffer(slot));
      add(here, 1, buffers.velocity_buffer(slot));
      if (maps != nullptr) add(here, 2, maps->buffer(slot));
    }
  } catch (...) {
    release();
    throw;
  }
}

void InteropBuffers::Registration::add(Slot& slot, std::size_t which, render::GlName buffer) const {
  // All is written anew each time: the driver need not keep what was there.
  constexpr unsigned write_discard = sim::cuda::CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD;
  // Registration reports earlier errors of OpenGL as its own.
  render::check_gl("before CUDA registers a vertex buffer");
  check(driver()->cuGraphicsGLRegisterBuffer(&slot.resources.at(which), buffer, write_discard),
        "registering a vertex buffer with CUDA");
}

/// Reports nothing: where the OpenGL context is gone, so are the registrations.
void InteropBuffers::Registration::release() {
  if (from_opengl != nullptr) driver()->cuStreamSynchronize(from_opengl);
  for (auto& slot : slots) {
    if (slot.mapped) driver()->cuGraphicsUnmapResources(count, slot.resources.data(), to_opengl);
  }
  if (to_opengl != nullptr) driver()->cuStreamSynchronize(to_opengl);
  for (auto& slot : slots) {
    for (auto* resource : slot.resources) {
      if (resource != nullptr) driver()->cuGraphicsUnregisterResource(resource);
    }
  }
  slots.clear();
  for (auto* stream : {from_opengl, to_opengl}) {
    if (stream != nullptr) driver()->cuStreamDestroy(stream);
  }
}

InteropBuffers::Registration::~Registration() {
  try {
    context.make_current();
    release();
  } catch (const sim::Error&) {
    // A lost device: nothing is left to release.
  }
}

InteropBuffers::InteropBuffers(std::size_t bodies, render::BodyBuffers::Storage storage, int device,
                               std::size_t map_size)
    : buffers_(bodies, storage),
      maps_(map_size > 0 ? std::make_unique<render::MapBuffers>(map_size, buffers_.slots()) : nullptr),
      registration_(std::make_unique<Registration>(buffers_, maps_.get(), device)) {
  for (int slot = 0; slot < buffers_.slots(); ++slot) to_cuda(slot);
}

InteropBuffers::~InteropBuffers() = default;

void InteropBuffers::to_opengl(int slot) {
  if (std::exchange(lost_, true)) return;
  unmap(slot);
  lost_ = false;
}

void InteropBuffers::to_cuda(int slot) {
  if (std::exchange(lost_, true)) return;
  map(slot);
  lost_ = false;
}

void InteropBuffers::unmap(int slot) {
  auto& registered = registration_->slots.at(static_cast<std::size_t>(slot));
  if (!registered.mapped) return;
  registration_->context.make_current();
  check(driver()->cuGraphicsUnmapResources(registration_->count, registered.resources.data(),
                                           registration_->to_opengl),
        "unmapping vertex buffers");
  registered.mapped = false;
}

void InteropBuffers::map(int slot) {
  auto& registered = registration_->slots.at(static_cast<std::size_t>(slot));
  if (registered.mapped) return;
  registration_->context.make_current();
  check(driver()->cuGraphicsMapResources(registration_->count, registered.resources.data(),
                                         registration_->from_opengl),
        "mapping vertex buffers");
  registered.mapped = true;
  registered.free.record(registration_->from_opengl);
  const auto address = [&](std::size_t which) {
    CUdeviceptr pointer = 0;
    std::size_t bytes = 0;
    check(driver()->cuGraphicsResourceGetMappedPointer(&pointer, &bytes, registered.resources.at(which)),
          "mapping vertex buffers");
    return reinterpret_cast<float*>(pointer);  // NOLINT(performance-no-int-to-ptr): an address on the GPU
  };
  targets_.at(static_cast<std::size_t>(slot)) = {.space = sim::VertexTarget::Space::device,
                                                 .position = address(0),
                                                 .velocity = address(1),
                                                 .bodies = buffers_.bodies(),
                                                 .free_event = registered.free.native()};
  if (maps_ == nullptr) return;
  auto& target = targets_.at(static_cast<std::size_t>(slot));
  target.map = address(2);
  target.map_size = maps_->size();
}

InteropStatus probe_interop(int device) {
  if (driver() == nullptr) return {.why_not = sim::cuda::driver_problem()};
  if (!driver_knows_opengl())
    return {.why_not = "the NVIDIA driver has no OpenGL interoperability", .remedy = "update the driver"};
  const auto drawing = drawing_devices();
  if (drawing.empty()) return drawn_elsewhere();
  InteropStatus status{.device = drawing.front()};
  if (device >= 0 && std::ranges::find(drawing, device) == drawing.end()) {
    status.why_not = fmt::format("CUDA device {} computes and CUDA device {} draws", device, status.device);
    status.remedy = fmt::format("compute where it is drawn: --devices {}", status.device);
    return status;
  }
  try {
    InteropBuffers trial(256, render::BodyBuffers::Storage::device, device >= 0 ? device : status.device);
    trial.to_opengl(0);
    status.possible = true;
  } catch (const std::exception& error) {
    status.why_not = error.what();
    status.remedy = "remote displays and VirtualGL cannot share buffers: use a display of the GPU itself";
  }
  return status;
}

int drawing_device() {
  if (driver() == nullptr || !driver_knows_opengl()) return 0;
  const auto drawing = drawing_devices();
  return drawing.empty() ? 0 : drawing.front();
}

void set_static(render::BodyBuffers& buffers, const sim::Bodies& bodies, const SceneSummary& summary) {
  buffers.set_static(*summary.drawn_as, bodies.galaxy);
}

sim::Bodies bodies_in(const render::BodyBuffers& buffers, int slot, const sim::Bodies& like) {
  auto bodies = like;
  const auto position = buffers.read_position(slot);
  const auto velocity = buffers.read_velocity(slot);
  sim::unpack_bodies(position.data(), velocity.data(), bodies);
  return bodies;
}

std::unique_ptr<InteropBuffers> make_interop(const sim::Configuration& settings, const sim::Bodies& bodies,
                                             const SceneSummary& summary,
                                             render::BodyBuffers::Storage storage, std::string& why_copied) {
  why_copied.clear();
  if (!sim::is_on_real_gpu(settings)) return nullptr;
  const auto device = sim::cuda::named_device(settings);
  const auto map_size = sim::map_options(settings).size;
  auto status = sim::read_group<PictureOptions>(settings).interop
                    ? probe_interop(device)
                    : InteropStatus{.why_not = "interop is switched off"};
  if (status.possible) {
    try {
      auto interop = std::make_unique<InteropBuffers>(bodies.size(), storage, device, map_size);
      set_static(interop->buffers(), bodies, summary);
      return interop;
    } catch (const std::exception& error) {
      status = {.why_not = error.what(),
                .remedy = map_size > 0 ? "use fewer bodies or a smaller map-size" : "use fewer bodies"};
    }
  }
  why_copied = status.reason();
  return nullptr;
}

}  // namespace orrery::app
