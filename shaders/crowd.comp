// Bodies are counted in cells of the picture, one body an invocation.

layout(local_size_x = splat_group) in;

layout(std430, binding = position_place) readonly restrict buffer Positions { vec4 positions[]; };
layout(std430, binding = component_place) readonly restrict buffer Components { uint components[]; };  // four in a word
layout(std430, binding = galaxy_place) readonly restrict buffer Galaxies { uint galaxies[]; };
layout(r32ui, binding = crowd_image) restrict uniform uimage2D counts;

uniform uvec2 work;  // bodies, of which one in so many is counted

void main() {
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  body = (group * uint(splat_group) + gl_LocalInvocationIndex) * work.y;
  if (body >= work.x) return;
  position = positions[body].xyz;
  component = components[body / 4u] >> 8u * (body % 4u) & 255u;
  galaxy = galaxies[body];
  vec4 clip;
  if (!project(clip) || abs(clip.z) > clip.w) return;
  vec2 cell = floor(crowd_place(picture_place(clip)) * float(crowd_cells));
  if (all(greaterThanEqual(cell, vec2(0.0))) && all(lessThan(cell, vec2(crowd_cells))))
    imageAtomicAdd(counts, ivec2(cell), 1u);
}
