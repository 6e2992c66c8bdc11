#include "render/bodies/body_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
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

Buffer allocate(std::size_t bytes, GLbitfield flags = GL_DYNAMIC_STORAGE_BIT) {
  auto buffer = make_storage(bytes, nullptr, flags, "a buffer of {:.1f} MB: use fewer bodies");
  // Clearing is a copy on the GPU's side: it is allowed without GL_DYNAMIC_STORAGE_BIT.
  glClearNamedBufferData(buffer.name(), GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, nullptr);
  return buffer;
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

glm::vec4 read_four(GlName buffer, const float* mapped, std::size_t body) {
  glm::vec4 values;
  if (mapped != nullptr)
    std::memcpy(&values, mapped + 4 * body, sizeof values);
  else
    glGetNamedBufferSubData(buffer, static_cast<GLintptr>(body * sizeof values), sizeof values, &values);
  return values;
}

}  // namespace

BodyBuffers::BodyBuffers(std::size_t bodies, Storage storage)
    : bodies_(bodies), storage_(storage), slots_(storage == Storage::device ? 1 : 3) {
  if (bodies == 0) throw Error("there are no bodies to draw: load a snapshot or build a galaxy first");
  if (bodies > static_cast<std::size_t>(std::numeric_limits<GLsizei>::max()))
    throw Error(fmt::format("{} bodies cannot be drawn: one draw call takes at most {}", bodies,
                            std::numeric_limits<GLsizei>::max()));
  for (Slot& slot : slots_) make_slot(slot);
  // Whole words: compute shaders read four components at a time.
  component_ = allocate((bodies + 3) / 4 * 4);
  galaxy_ = allocate(bodies * sizeof(std::uint32_t));
  quantity_ = allocate(bodies * sizeof(float));
  // The clears above must not land on top of what an engine writes through the mapped pointers.
  glFinish();
}

std::size_t BodyBuffers::index(int slot) const {
  if (slot < 0 || slot >= slots())
    throw Error(fmt::format("vertex buffer slot {} does not exist: there are {}", slot, slots()));
  return static_cast<std::size_t>(slot);
}

void BodyBuffers::make_slot(Slot& slot) const {
  const std::size_t bytes = bodies_ * floats_per_body * sizeof(float);
  const bool ring = storage_ == Storage::host_ring;
  for (auto* buffer : {&slot.position, &slot.velocity})
    *buffer = allocate(bytes, ring ? ring_flags : GL_DYNAMIC_STORAGE_BIT);
  if (!ring) return;
  slot.mapped_position = map(slot.position, bytes);
  slot.mapped_velocity = map(slot.velocity, bytes);
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
  if (place == shared::position_place) return position_buffer(slot);
  if (place == shared::velocity_place) return velocity_buffer(slot);
  if (place == shared::component_place) return component_.name();
  if (place == shared::galaxy_place) return galaxy_.name();
  return place == shared::quantity_place ? quantity_.name() : 0;
}

OneBody read_body(const BodyBuffers& buffers, int slot, std::size_t body) {
  return {read_four(buffers.position_buffer(slot), buffers.mapped_position(slot), body),
          read_four(buffers.velocity_buffer(slot), buffers.mapped_velocity(slot), body)};
}

}  // namespace orrery::render
