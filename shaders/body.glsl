// What a body looks like: shared by body.vert (point sprites) and splat.comp (splatting by compute). They fill in the
// body; the colour mode defines scalar(), and effects what is declared of them; docs/rendering.md has the formulas.

uniform mat4 view;
uniform mat4 projection;
uniform vec3 picture;                   // width, height, margin around them (pixels)
uniform vec4 sprite;                    // width at half maximum, smallest, largest (pixels), reference distance or 0
uniform vec2 grid;                      // galaxies in a row, their distance
uniform vec3 color_range;               // first value, 1 / (last - first), 1 if logarithmic
uniform vec2 color_flags;               // 1 if categorical, 2 if the scalar is a colour; 1 if reversed
uniform vec4 outside[outside_colors];   // below the range, above it, no number: linear RGB; 0: as the map's end
uniform vec3 line_of_sight;
uniform vec4 palette[body_components];  // linear RGB, light of the component
uniform vec3 stars[body_components];    // deviations of ln light and of ln blue / ln red, correlation of light and red
uniform uint singled_out;               // a galaxy; a number that no galaxy has: none
uniform vec4 apart[galaxy_looks];       // the galaxy singled out, the others: linear RGB mixed in, its share
uniform vec2 apart_light;               // factors of their light
uniform uint part;                      // of the light: part_whole, ...
uniform vec4 spreading;                 // share that is spread; from where images are large, largest (half widths,
                                        // pixels); bodies of which one is drawn
uniform float coarser;                  // levels by which images are drawn coarser
uniform vec3 crowding;                  // crowd's scale (1 / pixels), bodies in the area sought, half width of one cell
uniform vec4 levels[most_levels];       // corner and size of each (texels)
uniform uint level_count;
uniform vec2 canvas;                    // size of what is drawn to: the picture or a part of it, or all levels (pixels)
uniform vec2 corner;                    // of the part of the picture that is drawn: its first pixel
layout(binding = crowd_unit) uniform sampler2D crowd;
layout(binding = color_map_unit) uniform sampler1D color_map;

vec3 position = vec3(0.0);
float mass = 0.0;
vec3 velocity = vec3(0.0);
float acceleration = 0.0;
uint component = 0u;
uint galaxy = 0u;
uint body = 0u;  // its number
float quantity = 0.0;
vec2 seen_at = vec2(0.0);  // its place in the picture (pixels)

float scalar();

// Of the effects on bodies (render/bodies/body_effect.h): the light that they let pass, and the share of a star's light
// that they draw in ways of their own.
vec4 pass_effects(vec4 light);
float taken_share(float light);

// Of 65536 red + 256 green + blue in sRGB; of other numbers that of the component.
vec3 packed_color(float value) {
  if (!(value >= 0.0 && value < 16777216.0)) return palette[min(component, last_component)].rgb;
  uint code = uint(value);
  vec3 encoded = vec3(code >> 16u & 255u, code >> 8u & 255u, code & 255u) / 255.0;
  return mix(encoded / 12.92, pow((encoded + 0.055) / 1.055, vec3(2.4)), greaterThan(encoded, vec3(0.04045)));
}

vec3 body_color() {
  float value = scalar();
  if (color_flags.x > 1.5) return packed_color(value);
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

// What a body gives to the canvas.
struct Image {
  vec2 center;  // pixels of the canvas
  float half_width;
  float share;  // of the body's light
};

// Where the cell of a place of the picture is, from 0 to 1.
vec2 crowd_place(vec2 place) { return (place - 0.5 * picture.xy) * crowding.x + 0.5; }

// The width of a square (in cells) around a place of the picture that holds as many bodies as are sought. Squares
// grow by factors of two; in between the number is taken to grow by a power.
float width_of_crowd(vec2 place) {
  vec2 at = crowd_place(place);
  float cells = 1.0;
  float fewer = 0.25;
  for (int level = 0; level < crowd_levels; ++level) {
    float found = textureLod(crowd, at, float(level)).r * cells * cells;
    if (found >= crowding.y) {
      if (level == 0) return sqrt(crowding.y / found);
      return cells * exp2(-log(found / crowding.y) / log(found / fewer));
    }
    fewer = max(fewer, found);
    cells *= 2.0;
  }
  return cells;
}

// How wide a body's light would be spread at a place, so that enough bodies share it.
float shared_half_width(vec2 place) { return width_of_crowd(place) * crowding.z; }

// The share of the light that is spread, over the half width that is allowed: nothing where the star itself is as wide.
// Where a wider one were needed too few bodies share the light, which would be a blob: less of it.
float spread_share(float shared_width, float star_width) {
  float width = min(shared_width, spreading.z);
  float held = width / shared_width;
  return spreading.x * held * held * smoothstep(1.0, 2.0, width / max(star_width, 0.8 * widest_in_level));
}

// From the picture to the level that suits the width; false outside of it. Going back to the picture widens the image,
// so it is narrower there.
bool move_to_level(inout Image image) {
  int level = clamp(int(ceil(log2(image.half_width / widest_in_level) + coarser)), 1, int(level_count));
  float scale = exp2(-float(level));
  vec4 place = levels[level - 1];
  vec2 center = image.center * scale;
  if (any(lessThan(center, vec2(-level_reach))) || any(greaterThan(center, place.zw + level_reach))) return false;
  float width = image.half_width * scale;
  image.center = place.xy + center;
  image.half_width = min(sqrt(max(width * width - 2.2 * (1.0 - scale * scale), 1.0)), widest_in_level);
  return true;
}

// False where this part of the light is nothing.
bool image_of(vec4 clip, out Image image) {
  vec2 place = picture_place(clip);
  seen_at = place;
  image = Image(place - corner, sprite_half_width(clip.w), 1.0);
  if (part == part_whole) return true;
  bool large = part != part_effect && image.half_width >= spreading.y;
  if (part != part_spread && part != part_effect && large != (part == part_large)) return false;
  float share = 0.0;
  if (spreading.x > 0.0) {
    float width = shared_half_width(place);
    share = spread_share(width, image.half_width);
    if (part == part_spread) image.half_width = min(width, spreading.z);
  }
  image.share = part == part_spread ? share * spreading.w : 1.0 - share;
  return image.share > 0.0 && (part == part_stars || part == part_effect || move_to_level(image));
}

// Whole numbers that look drawn by lot (PCG, O'Neill 2014; as a hash: Jarzynski & Olano 2020).
uint lot(uint number) {
  uint state = number * 747796405u + 2891336453u;
  uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}

// Two independent normal deviates that are always the same for a body (Box & Muller 1958), at most 3.5 long: the glow
// of a brighter star would be a spot in the sky.
vec2 own_deviates() {
  uint first = lot(body);
  vec2 u = (vec2(first >> 8u, lot(first) >> 8u) + 0.5) / 16777216.0;
  return sqrt(-2.0 * log(max(u.x, least_deviate))) * vec2(cos(6.28318530718 * u.y), sin(6.28318530718 * u.y));
}

// How a star's light differs from the mean of its component: factors whose means are 1, so that the light and the
// colour of all stars together stay.
vec4 star_light() {
  vec3 kind = stars[min(component, last_component)];
  if (kind.x == 0.0 && kind.y == 0.0) return vec4(1.0);
  vec2 deviates = own_deviates();
  float redness = kind.z * deviates.x + sqrt(1.0 - kind.z * kind.z) * deviates.y;
  vec4 slopes = kind.y * vec4(1.0, 0.15, -1.0, 0.0);
  vec4 log_light = kind.x * deviates.x + slopes * redness;
  return exp(log_light - 0.5 * (kind.x * kind.x + slopes * slopes) - kind.z * kind.x * slopes);
}

// Of the part that is drawn, where that is `share` of all. What is spread is the mean.
vec4 part_light(vec4 light, float share) {
  light = pass_effects(light);
  if (part == part_spread) return light * share;
  vec4 star = star_light();
  float taken = taken_share(palette[min(component, last_component)].a * star.a);
  return light * share * star * (part == part_effect ? taken : 1.0 - taken);
}

vec4 body_light() { return set_apart(vec4(body_color(), 1.0) * palette[min(component, last_component)].a); }
