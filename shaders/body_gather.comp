// Some bodies, side by side.

layout(local_size_x = trail_group) in;

layout(std430, binding = position_place) readonly restrict buffer Positions { vec4 positions[]; };
layout(std430, binding = velocity_place) readonly restrict buffer Velocities { vec4 velocities[]; };
layout(std430, binding = followed_place) readonly restrict buffer Numbers { uint numbers[]; };
layout(std430, binding = trail_place) writeonly restrict buffer Gathered { vec4 gathered[]; };  // both of each

uniform uint count;

void main() {
  uint at = gl_GlobalInvocationID.x;
  if (at >= count) return;
  gathered[2u * at] = positions[numbers[at]];
  gathered[2u * at + 1u] = velocities[numbers[at]];
}
