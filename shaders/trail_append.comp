// The places of the followed bodies become one row of their trails.

layout(local_size_x = trail_group) in;

layout(std430, binding = position_place) readonly restrict buffer Positions { vec4 positions[]; };  // and mass
layout(std430, binding = followed_place) readonly restrict buffer Followed { uint followed[]; };
layout(std430, binding = trail_place) writeonly restrict buffer Points { vec4 points[]; };  // and time

uniform uvec2 row;  // its first point, bodies
uniform float time;

void main() {
  uint body = gl_GlobalInvocationID.x;
  if (body < row.y) points[row.x + body] = vec4(positions[followed[body]].xyz, time);
}
