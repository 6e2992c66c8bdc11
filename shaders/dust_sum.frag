// What the slice before has, and those before it.

uniform ivec2 step_back;  // to the same cell there

layout(binding = dust_unit) uniform sampler2D slices;

layout(location = color_output) out float optical_depth;

void main() { optical_depth = texelFetch(slices, ivec2(gl_FragCoord.xy) - step_back, 0).r; }
