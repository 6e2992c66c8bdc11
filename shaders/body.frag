// One pixel of a point sprite.

layout(location = 0) flat in vec4 light;
layout(location = 1) flat in vec3 kernel;  // centre (pixels), 1 / half width

layout(location = 0) out vec4 color;

void main() { color = light * pixel_share(gl_FragCoord.xy - kernel.xy, kernel.z); }
