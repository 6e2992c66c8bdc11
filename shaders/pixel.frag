// A pass over every pixel by a triangle that covers the picture.

layout(location = color_output) out vec4 color;

vec4 pixel(ivec2 at);

void main() { color = pixel(ivec2(gl_FragCoord.xy)); }
