// Added by blending.

layout(location = color_output) out vec4 color;

void main() { color = level_light(ivec2(gl_FragCoord.xy)); }
