// Bodies are counted in cells of the picture, one body an invocation.

layout(local_size_x = splat_group) in;

layout(r32ui, binding = crowd_image) restrict uniform uimage2D counts;

uniform uvec2 work;  // bodies, of which one in so many is counted

void main() {
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint number = (group * uint(splat_group) + gl_LocalInvocationIndex) * work.y;
  if (number >= work.x) return;
  load_place(number);
  vec4 clip;
  if (!project(clip) || abs(clip.z) > clip.w) return;
  vec2 cell = floor(crowd_place(picture_place(clip)) * float(crowd_cells));
  if (all(greaterThanEqual(cell, vec2(0.0))) && all(lessThan(cell, vec2(crowd_cells))))
    imageAtomicAdd(counts, ivec2(cell), 1u);
}
