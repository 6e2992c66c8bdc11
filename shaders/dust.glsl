// How much of a body's light the dust in front of it lets pass.

uniform vec4 dust;       // how much dust absorbs of red, green, blue; cells of a pixel
uniform vec4 dust_grid;  // the slice of dust of a place of the world: times (place, 1)
layout(binding = dust_unit) uniform sampler2D dust_columns_in_front;

// Of a slice of dust.
vec2 dust_cells() {
  return vec2(textureSize(dust_columns_in_front, 0) / ivec2(dust_columns, dust_slices / dust_columns));
}

// Where a place of the picture is in a slice, in cells.
vec2 dust_cell(vec2 place) { return (place - 0.5 * picture.xy) * dust.a + 0.5 * dust_cells(); }

// In which slice the body is.
float dust_slice() { return dot(dust_grid, vec4(position + vec3(grid_place(), 0.0), 1.0)); }

// The optical depth (green light) from the eye to the far side of a slice.
float dust_up_to(vec2 cell, int slice) {
  if (slice < 0) return 0.0;
  vec2 cells = dust_cells();
  vec2 at = vec2(slice % dust_columns, slice / dust_columns) * cells + clamp(cell, vec2(0.5), cells - 0.5);
  return textureLod(dust_columns_in_front, at / vec2(textureSize(dust_columns_in_front, 0)), 0.0).r;
}

// What the dust in front of a body leaves of its light.
vec4 dust_passes() {
  float at = clamp(dust_slice(), 0.0, float(dust_slices));
  int slice = min(int(at), dust_slices - 1);
  vec2 cell = dust_cell(seen_at);
  float near = dust_up_to(cell, slice - 1);
  float far = dust_up_to(cell, slice);
  return exp(-max(mix(near, far, at - float(slice)), 0.0) * vec4(dust.rgb, 1.0));
}
