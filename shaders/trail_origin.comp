// The last point of a row of trails: the origin that its other points are counted from. One group, whose invocations
// add up in an order of their own: the sum is the same every time.

layout(local_size_x = trail_group) in;

layout(std430, binding = position_place) readonly restrict buffer Positions { vec4 positions[]; };  // and mass
layout(std430, binding = trail_place) writeonly restrict buffer Points { vec4 points[]; };

uniform uint place;   // of the point
uniform uvec3 frame;  // origin_dataset, origin_body or origin_center; the body; all bodies

shared vec4 sums[trail_group];

vec3 center_of_mass() {
  uint me = gl_LocalInvocationIndex;
  vec4 sum = vec4(0.0);
  for (uint body = me; body < frame.z; body += uint(trail_group)) {
    vec4 it = positions[body];
    if (!isnan(dot(it, it)) && !isinf(dot(it, it))) sum += vec4(it.xyz * it.w, it.w);
  }
  sums[me] = sum;
  for (uint half_group = uint(trail_group) / 2u; half_group > 0u; half_group /= 2u) {
    barrier();
    if (me < half_group) sums[me] += sums[me + half_group];
  }
  return sums[0].w > 0.0 ? sums[0].xyz / sums[0].w : vec3(0.0);
}

void main() {
  vec3 origin = vec3(0.0);
  if (frame.x == uint(origin_body)) origin = positions[frame.y].xyz;
  if (frame.x == uint(origin_center)) origin = center_of_mass();
  if (gl_LocalInvocationIndex == 0u) points[place] = vec4(origin, 0.0);
}
