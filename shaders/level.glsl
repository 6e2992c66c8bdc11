// The light of a coarser level, or of the first one for the picture, on a pixel of the next finer one. Interpolated
// linearly between the middles of texels, a quarter each: every texel gives all of its light, and over several levels
// images become those of a quadratic spline (Chaikin 1974).

layout(binding = levels_unit) uniform sampler2D coarse;
uniform ivec2 corner;  // of the finer level: where its pixel 0 is
uniform vec4 from;     // texel of the coarser level that pixel 0 begins at; 1 / size of the texture

vec4 level_light(ivec2 at) {
  return 0.25 * textureLod(coarse, (from.xy + (vec2(at - corner) + 0.5) * 0.5) * from.zw, 0.0);
}
