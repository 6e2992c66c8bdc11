// What a body looks like: shared by body.vert (point sprites) and splat.comp (splatting by compute). They fill in the
// body; the colour mode appends the definition of scalar(); docs/rendering.md has the formulas.

layout(location = 0) uniform mat4 view;
layout(location = 1) uniform mat4 projection;
layout(location = 2) uniform vec3 picture;    // width, height, margin around them (pixels)
layout(location = 3) uniform vec4 sprite;     // width at half maximum, smallest, largest (pixels), reference distance or 0
layout(location = 4) uniform vec2 grid;       // galaxies in a row, their distance
layout(location = 5) uniform vec3 color_range;  // first value, 1 / (last - first), 1 if logarithmic
layout(location = 6) uniform vec2 color_flags;  // 1 if categorical, 1 if reversed
layout(location = 7) uniform vec3 line_of_sight;
layout(location = 8) uniform vec4 palette[8];  // linear RGB, light of the component
layout(location = 17) uniform uint singled_out;  // a galaxy; a number that no galaxy has: none
layout(location = 18) uniform vec4 apart[2];  // the galaxy singled out, the others: linear RGB mixed in, its share
layout(location = 20) uniform vec2 apart_light;  // factors of their light
layout(binding = 0) uniform sampler1D color_map;

vec3 position = vec3(0.0);
float mass = 0.0;
vec3 velocity = vec3(0.0);
uint component = 0u;
uint galaxy = 0u;

float scalar();

// The triweight kernel (1 - x^2)^3 falls to half at this fraction of its half width.
const float half_maximum = 0.4542020;

vec3 body_color() {
  float value = scalar();
  if (color_flags.x > 0.5) return palette[min(uint(value), 7u)].rgb;
  float s = color_range.z > 0.5 ? log(max(value, 1.17549435e-38)) : value;
  float t = (s - color_range.x) * color_range.y;
  t = t >= 0.0 ? min(t, 1.0) : 0.0;
  if (color_flags.y > 0.5) t = 1.0 - t;
  float texels = float(textureSize(color_map, 0));
  return textureLod(color_map, (t * (texels - 1.0) + 0.5) / texels, 0.0).rgb;
}

float sprite_half_width(float eye_distance) {
  float scale = sprite.w > 0.0 ? sprite.w / eye_distance : 1.0;
  return clamp(sprite.x * scale, sprite.y, sprite.z) * (0.5 / half_maximum);
}

// False for a body that is not drawn: hidden, behind the camera, or without a place.
bool project(out vec4 clip) {
  uint columns = uint(grid.x);
  vec2 cell = vec2(float(galaxy % columns), -float(galaxy / columns)) * grid.y;
  clip = projection * (view * vec4(position + vec3(cell, 0.0), 1.0));
  float sum = dot(abs(clip), vec4(1.0));
  float weight = palette[min(component, 7u)].a;
  return weight > 0.0 && clip.w > 0.0 && !isnan(sum) && !isinf(sum);
}

// In pixels from the lower left corner.
vec2 picture_place(vec4 clip) { return (clip.xy / clip.w * 0.5 + 0.5) * picture.xy; }

const uint no_galaxy = 0xffffffffu;

// The galaxy singled out and the others can differ in colour and light.
vec4 set_apart(vec4 light) {
  if (singled_out == no_galaxy) return light;
  uint side = galaxy == singled_out ? 0u : 1u;
  return vec4(mix(light.rgb, apart[side].rgb * light.a, apart[side].a), light.a) * apart_light[side];
}

vec4 body_light() { return set_apart(vec4(body_color(), 1.0) * palette[min(component, 7u)].a); }
