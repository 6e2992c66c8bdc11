// The colour of an activity map at a place, encoded for the display. Empty cells are clear where it lies over bodies.
layout(binding = map_unit) uniform sampler2D values;
layout(binding = map_colors_unit) uniform sampler1D colors;
layout(std430, binding = map_place) readonly buffer MapHeader { float largest; };
uniform vec4 look;  // the value of the last colour (0: the largest), that of one body, logarithmic, over bodies
layout(location = 0) in vec2 place;
layout(location = color_output) out vec4 color;

float in_map(float value) {
  float highest = look.x > 0.0 ? look.x : largest;
  if (!(highest > 0.0)) return 0.0;
  return clamp(look.z > 0.5 ? log(1.0 + value / look.y) / log(1.0 + highest / look.y) : value / highest, 0.0, 1.0);
}

/// 1 on the edge of the rectangle, 0 inside: a line of one and a half pixels.
float edge() {
  vec2 inside = min(place, 1.0 - place) / max(fwidth(place), vec2(1e-9));
  return 1.0 - smoothstep(1.0, 2.0, min(inside.x, inside.y));
}

void main() {
  float t = in_map(texture(values, place).r);
  float texels = float(textureSize(colors, 0));
  vec3 shown = texture(colors, (t * (texels - 1.0) + 0.5) / texels).rgb;
  // Sparse cells leave the bodies visible, dense ones cover them.
  float opacity = look.w > 0.5 ? pow(t, 0.7) : 1.0;
  float line = 0.55 * edge();
  color = vec4(mix(shown, vec3(0.62, 0.66, 0.72), line), max(opacity, line));
}
