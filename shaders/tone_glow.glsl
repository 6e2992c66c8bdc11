uniform vec3 glow;  // share of the light, 1 / (size of a glow texel times their number)
layout(binding = glow_unit) uniform sampler2D glowing;

// The wings of the point spread function: a share of the light, spread widely.
vec3 with_wings(vec3 light, ivec2 at) {
  return mix(light, textureLod(glowing, (vec2(at) + 0.5) * glow.yz, 0.0).rgb, glow.x);
}
