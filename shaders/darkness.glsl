// A picture without light.

vec4 pixel(ivec2 at) { return vec4(0.0); }
