// A pass over every pixel by a compute shader.

layout(local_size_x = add_columns, local_size_y = add_rows) in;

layout(binding = result_image) restrict writeonly uniform image2D result;

vec4 pixel(ivec2 at);

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (all(lessThan(at, imageSize(result)))) imageStore(result, at, pixel(at));
}
