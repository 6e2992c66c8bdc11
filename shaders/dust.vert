// The dust of a body becomes a little cloud in its slice. It is moved down to the layer, and along it by lot: several
// instances of a body are its cloud.

layout(location = position_place) in vec4 position_mass;
layout(location = component_place) in uint body_component;
layout(location = galaxy_place) in uint body_galaxy;

uniform vec4 layer_middle;  // a point of the layer, and its height over that of the bodies
uniform vec4 layer_normal;  // unit vector, and how far clouds are spread along the layer (standard deviation)
uniform vec2 amount;        // optical depth of a cloud over a cell at distance 1; bodies of which one has a cloud
uniform float carried[body_components];  // 1: bodies of this component have dust

layout(location = sprite_light) flat out float cloud;
layout(location = sprite_kernel) flat out vec2 middle;  // cells of the whole picture of slices

vec3 in_layer(vec3 place, uint number) {
  uint first = lot(number);
  uint second = lot(first);
  vec2 u = (vec2(first >> 8u, second >> 8u) + 0.5) / 16777216.0;
  vec2 offset = layer_normal.w * sqrt(-2.0 * log(u.x)) * vec2(cos(6.28318530718 * u.y), sin(6.28318530718 * u.y));
  vec3 normal = layer_normal.xyz;
  vec3 along = normalize(cross(abs(normal.x) < 0.7 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0), normal));
  float height = dot(place - layer_middle.xyz, normal);
  return place - (1.0 - layer_middle.w) * height * normal + offset.x * along + offset.y * cross(normal, along);
}

void main() {
  gl_PointSize = 2.0;
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  cloud = 0.0;
  middle = vec2(0.0);
  component = body_component;
  galaxy = body_galaxy;
  uint number = uint(gl_VertexID) * uint(amount.y);
  position = in_layer(position_mass.xyz, lot(number) + uint(gl_InstanceID));
  vec4 clip;
  if (carried[min(component, last_component)] < 0.5 || !project(clip) || abs(clip.z) > clip.w) return;
  int slice = int(floor(dust_slice()));
  vec2 cells = dust_cells();
  vec2 cell = dust_cell(picture_place(clip));
  if (slice < 0 || slice >= dust_slices) return;
  if (any(lessThan(cell, vec2(1.0))) || any(greaterThan(cell, cells - 1.0))) return;
  middle = cell + vec2(slice % dust_columns, slice / dust_columns) * cells;
  // A cell that is twice as far has four times the area.
  cloud = amount.x / (clip.w * clip.w);
  // The corner of cells that is nearest: a point of two cells covers the four that the cloud is shared by.
  vec2 size = vec2(dust_columns, dust_slices / dust_columns) * cells;
  gl_Position = vec4(floor(middle + 0.5) / size * 2.0 - 1.0, 0.0, 1.0);
}
