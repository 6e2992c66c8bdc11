// Every slice of dust, counted in whole numbers, becomes the optical depth of those up to it, from the nearest to the
// farthest, as a float in the same memory. A cell an invocation.

layout(local_size_x = splat_group) in;

layout(r32ui, binding = result_image) restrict uniform uimage2D slices;

uniform float unit;  // optical depth of one of them

void main() {
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  int number = int(group * uint(splat_group) + gl_LocalInvocationIndex);
  ivec2 cells = imageSize(slices) / ivec2(dust_columns, dust_slices / dust_columns);
  if (number >= cells.x * cells.y) return;
  ivec2 cell = ivec2(number % cells.x, number / cells.x);
  float sum = 0.0;
  for (int slice = 0; slice < dust_slices; ++slice) {
    ivec2 at = cell + ivec2(slice % dust_columns, slice / dust_columns) * cells;
    sum += unit * float(imageLoad(slices, at).r);
    imageStore(slices, at, uvec4(floatBitsToUint(sum)));
  }
}
