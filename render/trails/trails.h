#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "render/bodies/body_buffers.h"
#include "render/context/gl_object.h"
#include "render/context/shader_program.h"

namespace orrery::render {

/// The point that stays fixed while trails are drawn.
enum class TrailOrigin { dataset, body, center_of_mass };

/// The trails to keep.
struct TrailPlan {
  std::vector<std::uint32_t> bodies;  ///< their numbers, each below that of the bodies in the buffers
  std::size_t rows = 0;               ///< places that are kept of each, at least 2
  TrailOrigin origin = TrailOrigin::dataset;
  std::uint32_t origin_body = 0;
  friend bool operator==(const TrailPlan&, const TrailPlan&) = default;
};

/// The past positions of some bodies: a ring of rows in graphics memory with 4 floats per body (x, y, z,
/// time), followed by the origin that they are relative to. Times are relative to the first row. Rows are
/// copied from vertex buffers by the GPU. Needs a current context; all functions are for its thread.
class Trails {
 public:
  Trails();

  /// Follows these bodies from now on. Rows are kept where only their number differs. Throws Error if the
  /// graphics memory does not suffice; nothing is followed then.
  void follow(TrailPlan plan);
  const TrailPlan& plan() const { return plan_; }
  /// Appends the positions of the bodies in a slot, in the order of draw calls; the oldest row goes. Copies
  /// nothing to the host and waits for nothing. The slot must be marked (BodyBuffers::mark_drawn) after it.
  void append(const BodyBuffers& buffers, int slot, double time);
  /// All rows at once, the oldest first: `points` of 4 floats, bodies of the first row, then of the next one.
  void fill(std::span<const glm::vec4> points);
  /// Forgets the rows.
  void clear() { used_ = 0; }

  std::size_t bodies() const { return plan_.bodies.size(); }
  std::size_t rows() const { return used_; }            ///< number of rows in use
  std::size_t newest_row() const { return newest_; }    ///< position of the newest row in the buffer
  GlName texture() const { return texture_.name(); }    ///< a buffer texture of all rows
  GlName followed() const { return followed_.name(); }  ///< numbers of the bodies, 32 bits each
  /// The rows in use, the oldest first, bodies and origin of each. Waits for the GPU; for tests.
  std::vector<glm::vec4> read() const;

 private:
  std::size_t stride() const { return bodies() + 1; }
  void allocate(const TrailPlan& plan);
  void keep_rows(const Buffer& old, std::size_t old_rows, std::size_t old_newest);
  void append_origin(const BodyBuffers& buffers, std::size_t place) const;

  TrailPlan plan_;
  Buffer points_;
  Buffer followed_;
  Texture texture_;
  std::size_t used_ = 0;
  std::size_t newest_ = 0;
  double start_ = 0.0;  ///< times in rows are counted from it, so that single precision suffices
  // Found while the programs are made.
  Uniform<glm::uvec2> row_;
  Uniform<float> time_;
  Uniform<glm::uint> origin_place_;
  Uniform<glm::uvec3> origin_frame_;
  ShaderProgram append_;
  ShaderProgram origin_;
};

}  // namespace orrery::render
