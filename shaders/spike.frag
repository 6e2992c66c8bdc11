// One pixel of a spike. Its light falls with the third power of what is left to its end, and across as that of a star;
// both integrated exactly over the pixel, so that no light is lost.

layout(location = sprite_light) flat in vec4 light;
layout(location = sprite_kernel) flat in vec4 kernel;  // centre (pixels), 1 / half length, 1 / half width
layout(location = spike_axis) flat in float upright;   // 1 or 0

layout(location = color_output) out vec4 color;

// The integral of 2 (1 - |x|)^3 from 0 to x: -1/2 at x = -1, 1/2 at x = 1.
vec2 along(vec2 x) {
  vec2 left = 1.0 - min(abs(x), 1.0);
  vec2 square = left * left;
  return 0.5 * sign(x) * (1.0 - square * square);
}

void main() {
  vec2 offset = gl_FragCoord.xy - kernel.xy;
  if (upright > 0.5) offset = offset.yx;
  vec2 length_share = along((offset.x + vec2(0.5, -0.5)) * kernel.z);
  vec2 width_share = cumulative(vec4(offset.y + vec2(0.5, -0.5), 0.0, 0.0) * kernel.w).xy;
  color = light * (length_share.x - length_share.y) * (width_share.x - width_share.y);
}
