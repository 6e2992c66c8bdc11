// A body of the disk becomes one more in its cell of the map, one body an invocation.

layout(local_size_x = splat_group) in;

layout(std430, binding = position_place) readonly restrict buffer Positions { vec4 positions[]; };
layout(std430, binding = component_place) readonly restrict buffer Components { uint components[]; };  // four in a word
layout(r32ui, binding = crowd_image) restrict uniform uimage2D counts;  // left of all, right of young stars

uniform uvec2 work;                // bodies, of which one in so many is counted
uniform uvec2 forming_components;  // bits: components that are counted, and those of young stars

void main() {
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint body = (group * uint(splat_group) + gl_LocalInvocationIndex) * work.y;
  if (body >= work.x) return;
  uint bit = 1u << min(components[body / 4u] >> 8u * (body % 4u) & 255u, last_component);
  if ((forming_components.x & bit) == 0u) return;
  int cells = imageSize(counts).y;
  vec2 cell = floor(forming_at(positions[body].xyz) * float(cells));
  if (any(lessThan(cell, vec2(0.0))) || any(greaterThanEqual(cell, vec2(cells)))) return;
  imageAtomicAdd(counts, ivec2(cell), 1u);
  if ((forming_components.y & bit) != 0u) imageAtomicAdd(counts, ivec2(cell) + ivec2(cells, 0), 1u);
}
