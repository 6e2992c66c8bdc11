// One pixel of a source at infinity: a star, or an ellipse whose light falls exponentially.

layout(location = sprite_light) flat in vec3 light;
layout(location = sprite_kernel) flat in vec4 kernel;  // centre, half length, half width (pixels); a point has width 0
layout(location = spike_axis) flat in vec2 axis;       // along its length: a unit vector

layout(location = color_output) out vec4 color;

// Scale lengths to the edge of an ellipse.
const float scale_lengths = 4.5;

float star(vec2 offset, float half_width) {
  float side = half_width * 32.0 / 35.0;  // of a square that has all light at the brightness of the middle
  return pixel_share(offset, 1.0 / half_width) * side * side;
}

float ellipse(vec2 offset, vec2 half_size) {
  vec2 place = vec2(dot(offset, axis), dot(offset, vec2(-axis.y, axis.x)));
  // A pixel is no point: no nucleus twinkles as it moves.
  float radius = sqrt(dot(place / half_size, place / half_size) + 0.1 / (half_size.x * half_size.y));
  float edge = exp(-scale_lengths);
  return max(exp(-scale_lengths * radius) - edge, 0.0) / (1.0 - edge);
}

void main() {
  vec2 offset = gl_FragCoord.xy - kernel.xy;
  color = vec4(light * (kernel.w > 0.0 ? ellipse(offset, kernel.zw) : star(offset, kernel.z)), 0.0);
}
