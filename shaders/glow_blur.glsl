// One direction of a Gaussian blur; what lies outside the picture is dark.

uniform ivec2 direction;
uniform float weights[glow_taps];  // from the middle outwards; weights[0] + 2 (the others) = 1
layout(binding = light_unit) uniform sampler2D source;

vec3 light(ivec2 at) {
  ivec2 size = textureSize(source, 0);
  bool inside = all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size));
  return inside ? texelFetch(source, clamp(at, ivec2(0), size - 1), 0).rgb : vec3(0.0);
}

vec4 pixel(ivec2 here) {
  vec3 sum = weights[0] * light(here);
  for (int i = 1; i < glow_taps; ++i) sum += weights[i] * (light(here + i * direction) + light(here - i * direction));
  return vec4(sum, 1.0);
}
