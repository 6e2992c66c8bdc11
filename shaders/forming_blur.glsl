// A narrow and a wide blur of the map's counts: first along its rows, of counts and of their means over 8 x 8 cells, then
// along columns. The second pass gives the overdensity, the light of young stars and their number.

layout(binding = forming_map_unit) uniform sampler2D forming_source;
layout(binding = forming_counts_unit) uniform sampler2D forming_counts;

uniform float forming_pass;     // 0: rows, 1: columns
uniform float forming_spacing;  // of the narrow blur's samples (cells)

// So many bodies in a cell tell nothing: the density there is that of its surroundings.
const float forming_prior = 0.4;
const int forming_wide_level = 3;
const float forming_wide_spacing = 6.0;

vec4 pixel(ivec2 at) {
  vec2 cells = vec2(textureSize(forming_source, 0));
  vec2 place = (vec2(at) + 0.5) / cells;
  bool rows = forming_pass < 0.5;
  vec2 along = (rows ? vec2(1.0, 0.0) : vec2(0.0, 1.0)) / cells;
  vec2 sum = vec2(0.0);
  float weights = 0.0;
  for (int k = -4; k <= 4; ++k) {
    float weight = exp(-float(k * k) / 4.5);
    vec2 narrow = textureLod(forming_source, place + float(k) * forming_spacing * along, 0.0).rg;
    vec2 wide = textureLod(forming_source, place + float(k) * forming_wide_spacing * along,
                           rows ? float(forming_wide_level) : 0.0).rg;
    sum += weight * vec2(narrow.r, rows ? wide.r : wide.g);
    weights += weight;
  }
  sum /= weights;
  if (rows) return vec4(sum, 0.0, 1.0);
  float prior = forming_prior / (forming_spacing * forming_spacing);
  float density = (sum.r + prior) / (sum.g + prior);
  float young = texelFetch(forming_counts, at, 0).g;
  return vec4(density, young * forming_mean(forming_youth(density)), young, 1.0);
}
