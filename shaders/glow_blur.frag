#version 450 core
// One direction of a Gaussian blur; what lies outside the picture is dark.

layout(location = 0) uniform ivec2 direction;
layout(location = 1) uniform float weights[9];  // from the middle outwards; weights[0] + 2 (the others) = 1
layout(binding = 0) uniform sampler2D source;

layout(location = 0) out vec4 color;

vec3 light(ivec2 at) {
  ivec2 size = textureSize(source, 0);
  bool inside = all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size));
  return inside ? texelFetch(source, clamp(at, ivec2(0), size - 1), 0).rgb : vec3(0.0);
}

void main() {
  ivec2 here = ivec2(gl_FragCoord.xy);
  vec3 sum = weights[0] * light(here);
  for (int i = 1; i < 9; ++i) sum += weights[i] * (light(here + i * direction) + light(here - i * direction));
  color = vec4(sum, 1.0);
}
