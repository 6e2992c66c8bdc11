#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/bodies/bodies.h"

// Bodies as engines of a device take and give them: two arrays of 4 floats per body (pack_bodies,
// VertexTarget).
namespace orrery::sim {

/// Bytes of a body in one of the arrays.
inline constexpr std::size_t body_bytes = 4 * sizeof(float);

/// Number of bodies from which several threads move them faster than one.
inline constexpr std::size_t worth_threads = 100'000;

/// Conversion from an engine's numbers to displayed ones. In a target's two arrays (VertexTarget) each float
/// is multiplied by the factor of its kind, then `place` is added to positions and `motion` to velocities, in
/// double precision. The device code has the same structure (sim/cuda/device/vertices.cu).
struct VertexFrame {
  double length = 1.0;
  double mass = 1.0;
  double velocity = 1.0;
  double square = 1.0;  ///< factor of squared accelerations
  DVec3 place = {};
  DVec3 motion = {};
};

/// The order of the bodies on the GPUs: the dataset's body at each position; nullptr: the dataset's order.
using BodyOrder = std::shared_ptr<const std::vector<std::uint32_t>>;

/// The order as a span; empty for the dataset's order.
inline std::span<const std::uint32_t> places(const BodyOrder& order) {
  return order == nullptr ? std::span<const std::uint32_t>() : *order;
}

/// (x, y, z, mass) and (vx, vy, vz, charge) of all bodies; `charges` false: 0 for the charge. Both arrays
/// have room for 4 floats per body; `velocity` may be null. `order`: the body at each place of the arrays;
/// none: they are in that of `bodies`.
void pack_bodies(const Bodies& bodies, bool charges, float* position, float* velocity,
                 std::span<const std::uint32_t> order = {});
/// Writes bodies in the form of a VertexTarget: 4 floats per body each, (x, y, z, mass) and (vx, vy, vz,
/// a.a). All spans have one length, and both outputs room for it; without accelerations a.a is 0. `threads`
/// share the work if there are many bodies; 0: all cores.
void pack_bodies(std::span<const Vec3> position, std::span<const Vec3> velocity, std::span<const float> mass,
                 float* packed_position, float* packed_velocity, std::span<const Vec3> acceleration = {},
                 int threads = 0);
/// The inverse: positions and velocities of `bodies`, whose number says how many there are. `position` may be
/// null: they stay.
void unpack_bodies(const float* position, const float* velocity, Bodies& bodies,
                   std::span<const std::uint32_t> order = {});
/// Converts packed bodies in host memory.
void reframe(const VertexFrame& frame, float* position, float* velocity, std::size_t bodies);

}  // namespace orrery::sim
