// Counts of bodies as floats.

layout(binding = crowd_unit) uniform usampler2D counts;

vec4 pixel(ivec2 at) { return vec4(float(texelFetch(counts, at, 0).r)); }
