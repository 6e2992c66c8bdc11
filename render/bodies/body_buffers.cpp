#include "render/bodies/body_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render/error.h"

namespace orrery::render {
namespace {

constexpr std::size_t floats_per_body = 4;
// Read too: picking and the colour range look at the slot that is being drawn.
constexpr GLbitfield ring_flags =
    GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;

void allocate(const Buffer& buffer, std::size_t bytes, GLbitfield flags) {
  while (glGetError() != GL_NO_ERROR) {
  }
  glNamedBufferStorage(buffer.name(), static_cast<GLsizeiptr>(bytes), nullptr, flags);
  if (glGetError() != GL_NO_ERROR)
    throw Error(fmt::format("no graphics memory for a buffer of {:.1f} MB: use fewer bodies",
                            static_cast<double>(bytes) / 1e6));
  // Clearing is a copy on the GPU's side: it is allowed without GL_DYNAMIC_STORAGE_BIT.
  glClearNamedBufferData(buffer.name(), GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, nullptr);
}

float* map(const Buffer& buffer, std::size_t bytes) {
  void* memory = glMapNamedBufferRange(buffer.name(), 0, static_cast<GLsizeiptr>(bytes), ring_flags);
  if (memory == nullptr)
    throw Error(
        "the driver cannot map vertex buffers persistently, as OpenGL 4.4 asks: update the graphics driver");
  return static_cast<float*>(memory);
}

void fill(const Buffer& buffer, std::size_t bytes, const void* data) {
  glNamedBufferSubData(buffer.name(), 0, static_cast<GLsizeiptr>(bytes), data);
}

std::vector<float> read(const Buffer& buffer, const float* mapped, std::size_t first, std::size_t floats) {
  if (mapped != nullptr) return {mapped + first, mapped + first + floats};
  std::vector<float> values(floats);
  glGetNamedBufferSubData(buffer.name(), static_cast<GLintptr>(first * sizeof(float)),
                          static_cast<GLsizeiptr>(floats * sizeof(float)), values.data());
  return values;
}

}  // namespace

BodyBuffers::BodyBuffers(std::size_t bodies, Storage storage)
    : bodies_(bodies),
      storage_(storage),
      slots_(storage == Storage::device ? 1 : 3),
      component_(make_buffer()),
      galaxy_(make_buffer()),
      quantity_(make_buffer()) {
  if (bodies == 0) throw Error("there are no bodies to draw: load a snapshot or build a galaxy first");
  if (bodies > static_cast<std::size_t>(std::numeric_limits<GLsizei>::max()))
    throw Error(fmt::format("{} bodies cannot be drawn: one draw call takes at most {}", bodies,
                            std::numeric_limits<GLsizei>::max()));
  for (Slot& slot : slots_) make_slot(slot);
  // Whole words: compute shaders read four components at a time.
  allocate(component_, (bodies + 3) / 4 * 4, GL_DYNAMIC_STORAGE_BIT);
  allocate(galaxy_, bodies * sizeof(std::uint32_t), GL_DYNAMIC_STORAGE_BIT);
  allocate(quantity_, bodies * sizeof(float), GL_DYNAMIC_STORAGE_BIT);
  // The clears above must not land on top of what an engine writes through the mapped pointers.
  glFinish();
}

BodyBuffers::~BodyBuffers() {
  for (const Slot& slot : slots_) glDeleteSync(static_cast<GLsync>(slot.fence));
}

std::size_t BodyBuffers::index(int slot) const {
  if (slot < 0 || slot >= slots())
    throw Error(fmt::format("vertex buffer slot {} does not exist: there are {}", slot, slots()));
  return static_cast<std::size_t>(slot);
}

void BodyBuffers::make_slot(Slot& slot) const {
  const std::size_t bytes = bodies_ * floats_per_body * sizeof(float);
  const bool ring = storage_ == Storage::host_ring;
  slot.position = make_buffer();
  slot.velocity = make_buffer();
  allocate(slot.position, bytes, ring ? ring_flags : GL_DYNAMIC_STORAGE_BIT);
  allocate(slot.velocity, bytes, ring ? ring_flags : GL_DYNAMIC_STORAGE_BIT);
  if (!ring) return;
  slot.mapped_position = map(slot.position, bytes);
  slot.mapped_velocity = map(slot.velocity, bytes);
}

void BodyBuffers::check_length(std::span<const float> values) const {
  if (values.size() != bodies_ * floats_per_body)
    throw Error(fmt::format("{} floats do not fit a vertex buffer of {} bodies: 4 per body are needed",
                            values.size(), bodies_));
}

void BodyBuffers::upload_position(int slot, std::span<const float> xyz_mass) {
  check_length(xyz_mass);
  const Slot& to = slots_[index(slot)];
  if (to.mapped_position != nullptr)
    std::ranges::copy(xyz_mass, to.mapped_position);
  else
    fill(to.position, xyz_mass.size_bytes(), xyz_mass.data());
}

void BodyBuffers::upload_velocity(int slot, std::span<const float> velocity) {
  check_length(velocity);
  const Slot& to = slots_[index(slot)];
  if (to.mapped_velocity != nullptr)
    std::ranges::copy(velocity, to.mapped_velocity);
  else
    fill(to.velocity, velocity.size_bytes(), velocity.data());
}

std::vector<float> BodyBuffers::read_position(int slot) const {
  const Slot& from = slots_[index(slot)];
  return read(from.position, from.mapped_position, 0, bodies_ * floats_per_body);
}

std::vector<float> BodyBuffers::read_position(int slot, std::size_t first, std::size_t count) const {
  const Slot& from = slots_[index(slot)];
  first = std::min(first, bodies_);
  count = std::min(count, bodies_ - first);
  return read(from.position, from.mapped_position, first * floats_per_body, count * floats_per_body);
}

std::vector<float> BodyBuffers::read_velocity(int slot) const {
  const Slot& from = slots_[index(slot)];
  return read(from.velocity, from.mapped_velocity, 0, bodies_ * floats_per_body);
}

void BodyBuffers::set_static(std::span<const std::uint8_t> component, std::span<const std::uint32_t> galaxy) {
  if (component.size() != bodies_ || galaxy.size() != bodies_)
    throw Error(fmt::format("{} components and {} galaxy numbers do not fit {} bodies", component.size(),
                            galaxy.size(), bodies_));
  fill(component_, component.size_bytes(), component.data());
  fill(galaxy_, galaxy.size_bytes(), galaxy.data());
  if (storage_ != Storage::host_ring) return;
  components_.assign(component.begin(), component.end());
  galaxies_.assign(galaxy.begin(), galaxy.end());
}

void BodyBuffers::set_quantity(std::span<const float> quantity) {
  if (quantity.size() != bodies_)
    throw Error(fmt::format("{} numbers do not fit {} bodies", quantity.size(), bodies_));
  fill(quantity_, quantity.size_bytes(), quantity.data());
  if (storage_ == Storage::host_ring) quantities_.assign(quantity.begin(), quantity.end());
}

GlName BodyBuffers::buffer(int place, int slot) const {
  switch (place) {
    case shared::position_place:
      return position_buffer(slot);
    case shared::velocity_place:
      return velocity_buffer(slot);
    case shared::component_place:
      return component_buffer();
    case shared::galaxy_place:
      return galaxy_buffer();
    case shared::quantity_place:
      return quantity_buffer();
    default:
      return 0;
  }
}

void BodyBuffers::mark_drawn(int slot) {
  Slot& drawn = slots_[index(slot)];
  glDeleteSync(static_cast<GLsync>(drawn.fence));
  drawn.fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

bool BodyBuffers::is_idle(int slot) const {
  const Slot& asked = slots_[index(slot)];
  if (asked.fence == nullptr) return true;
  const auto fence = static_cast<GLsync>(asked.fence);
  const GLenum state = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
  if (state != GL_ALREADY_SIGNALED && state != GL_CONDITION_SATISFIED) return false;
  glDeleteSync(fence);
  asked.fence = nullptr;
  return true;
}

}  // namespace orrery::render
