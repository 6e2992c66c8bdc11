// Added by a compute shader.

layout(local_size_x = add_columns, local_size_y = add_rows) in;

layout(rgba32f, binding = light_image) restrict uniform image2D fine;
uniform ivec2 first;  // of the pixels of the finer level
uniform ivec2 size;

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, size))) return;
  at += first;
  vec4 light = level_light(at);
  if (light != vec4(0.0)) imageStore(fine, at, imageLoad(fine, at) + light);
}
