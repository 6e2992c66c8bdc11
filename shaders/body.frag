// One pixel of a point sprite.

layout(location = sprite_light) flat in vec4 light;
layout(location = sprite_kernel) flat in vec3 kernel;  // centre (pixels), 1 / half width

layout(location = color_output) out vec4 color;

void main() { color = light * pixel_share(gl_FragCoord.xy - kernel.xy, kernel.z); }
