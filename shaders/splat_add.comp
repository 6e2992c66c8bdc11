// Adds the sums of splat.comp to the picture and empties them for the next one.

layout(local_size_x = add_columns, local_size_y = add_rows) in;

layout(std430, binding = sum_place) restrict buffer Sum { vec4 sum[]; };  // 4 channels a pixel, rows from below
layout(rgba32f, binding = light_image) restrict uniform image2D picture;

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  ivec2 size = imageSize(picture);
  if (any(greaterThanEqual(at, size))) return;
  int pixel = at.y * size.x + at.x;
  vec4 light = sum[pixel];
  if (light == vec4(0.0)) return;
  imageStore(picture, at, imageLoad(picture, at) + light);
  sum[pixel] = vec4(0.0);
}
