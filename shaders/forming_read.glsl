// Counts of bodies as floats: of all that are counted, and of young stars.

layout(binding = forming_counts_unit) uniform usampler2D forming_numbers;

vec4 pixel(ivec2 at) {
  ivec2 young = ivec2(textureSize(forming_numbers, 0).y, 0);
  return vec4(texelFetch(forming_numbers, at, 0).r, texelFetch(forming_numbers, at + young, 0).r, 0.0, 1.0);
}
