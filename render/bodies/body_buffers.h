#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "render/context/gl_object.h"

namespace orrery::render {

/// The vertex buffers of N bodies: positions and velocities in one or more slots, and what never changes.
///
/// Layout of a slot: two buffers of N x 4 floats, (x, y, z, mass) and (vx, vy, vz, the square of the
/// acceleration). New buffers hold zeros. All functions must be called on the thread whose context is
/// current, except writing through a mapped pointer.
class BodyBuffers {
 public:
  enum class Storage {
    /// Three slots, mapped for the life of the object (persistent, coherent): an engine on another thread
    /// writes a slot that is_idle() while an older one is being drawn.
    host_ring,
    /// One slot in device memory, never mapped here: CUDA may register it.
    device,
    /// Three slots in device memory.
    device_ring,
  };

  /// Throws Error if N is 0 or the memory cannot be had.
  BodyBuffers(std::size_t bodies, Storage storage);
  BodyBuffers(const BodyBuffers&) = delete;
  BodyBuffers& operator=(const BodyBuffers&) = delete;

  std::size_t bodies() const { return bodies_; }
  int slots() const { return static_cast<int>(slots_.size()); }
  Storage storage() const { return storage_; }

  /// 4 floats per body, to write and to read; nullptr for device storage. Valid as long as the object lives.
  float* mapped_position(int slot) const { return slots_[index(slot)].mapped_position; }
  float* mapped_velocity(int slot) const { return slots_[index(slot)].mapped_velocity; }

  /// The OpenGL buffers, for registration with CUDA and for the renderers.
  GlName position_buffer(int slot) const { return slots_[index(slot)].position.name(); }
  GlName velocity_buffer(int slot) const { return slots_[index(slot)].velocity.name(); }
  /// The buffer that shaders know by this number (shared::position_place, ...); 0 for others.
  GlName buffer(int place, int slot) const;

  /// Copies of a slot, 4 floats per body; waits until the GPU has written it. For picking and the like, not
  /// for every frame. Of positions `count` bodies from `first` on, as far as there are so many: cheap where
  /// these are few.
  std::vector<float> read_position(int slot, std::size_t first = 0, std::size_t count = SIZE_MAX) const;
  std::vector<float> read_velocity(int slot) const;

  /// Component (0..7) and galaxy number of every body. Throws Error if a length differs from N.
  void set_static(std::span<const std::uint8_t> component, std::span<const std::uint32_t> galaxy);

  /// Component, galaxy and quantity of every body in main memory: of a host_ring only, else empty.
  std::span<const std::uint8_t> components() const { return components_; }
  std::span<const std::uint32_t> galaxies() const { return galaxies_; }
  std::span<const float> quantities() const { return quantities_; }

  /// A number per body, of any meaning, for colour modes that say so (ColorMode::source); 0 at first. Throws
  /// Error if the length differs from N.
  void set_quantity(std::span<const float> quantity);

  /// Call after the draw calls that read the slot: it is idle again when the GPU has finished them.
  void mark_drawn(int slot) { slots_[index(slot)].fence.set(); }
  /// True when no draw call that was marked still reads the slot. Never waits.
  bool is_idle(int slot) const { return slots_[index(slot)].fence.is_passed(); }

 private:
  struct Slot {
    Buffer position;
    Buffer velocity;
    float* mapped_position = nullptr;
    float* mapped_velocity = nullptr;
    mutable Fence fence;  ///< after the draw calls that read it
  };
  std::size_t index(int slot) const;
  void make_slot(Slot& slot) const;

  std::size_t bodies_;
  Storage storage_;
  std::vector<Slot> slots_;
  Buffer component_;
  Buffer galaxy_;
  Buffer quantity_;
  std::vector<std::uint8_t> components_;
  std::vector<std::uint32_t> galaxies_;
  std::vector<float> quantities_;
};

/// One body as a slot holds it: (x, y, z, mass) and (vx, vy, vz, the square of the acceleration).
struct OneBody {
  glm::vec4 position{0.0F};
  glm::vec4 velocity{0.0F};
};

/// Reads 32 bytes. Of buffers in device memory the GPU's work on the slot is waited for. `body` < bodies().
OneBody read_body(const BodyBuffers& buffers, int slot, std::size_t body);

}  // namespace orrery::render
