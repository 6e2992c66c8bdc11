// What a body looks like: shared by body.vert (point sprites) and splat.comp (splatting by compute). They fill in the
// body; the colour mode appends the definition of scalar(); docs/rendering.md has the formulas.

uniform mat4 view;
uniform mat4 projection;
uniform vec3 picture;                   // width, height, margin around them (pixels)
uniform vec4 sprite;                    // width at half maximum, smallest, largest (pixels), reference distance or 0
uniform vec2 grid;                      // galaxies in a row, their distance
uniform vec3 color_range;               // first value, 1 / (last - first), 1 if logarithmic
uniform vec2 color_flags;               // 1 if categorical, 1 if reversed
uniform vec4 outside[outside_colors];   // below the range, above it, no number: linear RGB; 0: as the map's end
uniform vec3 line_of_sight;
uniform vec4 palette[body_components];  // linear RGB, light of the component
uniform uint singled_out;               // a galaxy; a number that no galaxy has: none
uniform vec4 apart[galaxy_looks];       // the galaxy singled out, the others: linear RGB mixed in, its share
uniform vec2 apart_light;               // factors of their light
layout(binding = color_map_unit) uniform sampler1D color_map;

vec3 position = vec3(0.0);
float mass = 0.0;
vec3 velocity = vec3(0.0);
float acceleration = 0.0;
uint component = 0u;
uint galaxy = 0u;
uint body = 0u;  // its number
float quantity = 0.0;

float scalar();

vec3 body_color() {
  float value = scalar();
  if (color_flags.x > 0.5) return palette[min(uint(value), last_component)].rgb;
  float s = color_range.z > 0.5 ? log(max(value, 1.17549435e-38)) : value;
  float t = (s - color_range.x) * color_range.y;
  bool no_number = isnan(value);
  if (no_number && outside[2].a > 0.5) return outside[2].rgb;
  if (!no_number && t < 0.0 && outside[0].a > 0.5) return outside[0].rgb;
  if (!no_number && t > 1.0 && outside[1].a > 0.5) return outside[1].rgb;
  t = t >= 0.0 && !no_number ? min(t, 1.0) : 0.0;
  if (color_flags.y > 0.5) t = 1.0 - t;
  float texels = float(textureSize(color_map, 0));
  return textureLod(color_map, (t * (texels - 1.0) + 0.5) / texels, 0.0).rgb;
}

float sprite_half_width(float eye_distance) {
  float scale = sprite.w > 0.0 ? sprite.w / eye_distance : 1.0;
  return clamp(sprite.x * scale, sprite.y, sprite.z) * (0.5 / half_maximum);
}

// Of the body's galaxy.
vec2 grid_place() {
  uint columns = uint(grid.x);
  return vec2(float(galaxy % columns), -float(galaxy / columns)) * grid.y;
}

// False for a body that is not drawn: hidden, behind the camera, or without a place.
bool project(out vec4 clip) {
  clip = projection * (view * vec4(position + vec3(grid_place(), 0.0), 1.0));
  float sum = dot(abs(clip), vec4(1.0));
  float weight = palette[min(component, last_component)].a;
  return weight > 0.0 && clip.w > 0.0 && !isnan(sum) && !isinf(sum);
}

// In pixels from the lower left corner.
vec2 picture_place(vec4 clip) { return (clip.xy / clip.w * 0.5 + 0.5) * picture.xy; }

// The galaxy singled out and the others can differ in colour and light.
vec4 set_apart(vec4 light) {
  if (singled_out == galaxy_of_none) return light;
  uint side = galaxy == singled_out ? 0u : 1u;
  return vec4(mix(light.rgb, apart[side].rgb * light.a, apart[side].a), light.a) * apart_light[side];
}

vec4 body_light() { return set_apart(vec4(body_color(), 1.0) * palette[min(component, last_component)].a); }
