// One pixel of a point sprite.

layout(location = sprite_light) flat in vec4 light;
layout(location = sprite_kernel) flat in vec3 kernel;  // centre (pixels), 1 / half width

layout(location = color_output) out vec4 color;

uniform float is_disc;  // 1 or 0

// A ball that shines by itself, a little darker at its edge; the edge is as wide as a pixel.
float disc_share(float radius, float distance_) {
  float inner = min(distance_ / radius, 1.0);
  float limb = 0.55 + 0.45 * sqrt(1.0 - inner * inner);
  return clamp(radius + 0.5 - distance_, 0.0, 1.0) * limb;
}

void main() {
  vec2 offset = gl_FragCoord.xy - kernel.xy;
  color = light * (is_disc > 0.5 ? disc_share(1.0 / kernel.z, length(offset)) : pixel_share(offset, kernel.z));
}
