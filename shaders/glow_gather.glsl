// The mean light of a block of pixels.

uniform int block;     // pixels a side
uniform ivec2 origin;  // the first pixel of the first block: below 0 where a part of a picture cuts blocks
layout(binding = light_unit) uniform sampler2D accumulated;

vec4 pixel(ivec2 at) {
  ivec2 first = at * block + origin;
  ivec2 last = min(first + block, textureSize(accumulated, 0));
  first = max(first, ivec2(0));
  vec3 sum = vec3(0.0);
  for (int y = first.y; y < last.y; ++y)
    for (int x = first.x; x < last.x; ++x) sum += texelFetch(accumulated, ivec2(x, y), 0).rgb;
  // Pixels beyond the edge count as dark.
  return vec4(min(max(sum * (1.0 / float(block * block)), 0.0), 1e15), 1.0);
}
