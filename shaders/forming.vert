// A body of the disk becomes one more in its cell of the map.

layout(location = position_place) in vec4 position_mass;
layout(location = component_place) in uint body_component;

uniform uvec2 forming_components;  // bits: components that are counted, and those of young stars
uniform float forming_cells;       // cells along a side of the map

layout(location = sprite_light) flat out vec2 counted;

void main() {
  uint bit = 1u << min(body_component, last_component);
  vec2 cell = floor(forming_at(position_mass.xyz) * forming_cells);
  bool is_counted = (forming_components.x & bit) != 0u && all(greaterThanEqual(cell, vec2(0.0))) &&
                    all(lessThan(cell, vec2(forming_cells)));
  counted = vec2(1.0, (forming_components.y & bit) != 0u ? 1.0 : 0.0);
  gl_PointSize = 1.0;
  gl_Position = is_counted ? vec4((cell + 0.5) / forming_cells * 2.0 - 1.0, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
