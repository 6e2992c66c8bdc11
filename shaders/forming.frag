layout(location = sprite_light) flat in vec2 counted;

layout(location = color_output) out vec4 count;

void main() { count = vec4(counted, 0.0, 0.0); }
