// The dust of bodies becomes little clouds in slices of the picture, a cloud an invocation. It is moved down to the layer,
// and along it by lot. Whole numbers are added: the order of the clouds has no say.

layout(local_size_x = splat_group) in;

layout(r32ui, binding = result_image) restrict uniform uimage2D slices;

uniform uvec3 clouds;       // bodies, those of which one has clouds, and its clouds
uniform vec4 layer_middle;  // a point of the layer, and its height over that of the bodies
uniform vec4 layer_normal;  // unit vector, and how far clouds are spread along the layer (standard deviation)
uniform float usual;        // distance at which a cloud counts cloud_units
uniform float carried[body_components];  // 1: bodies of this component have dust

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

void add(ivec2 cell, float part) {
  uint whole = uint(part + 0.5);
  if (whole > 0u) imageAtomicAdd(slices, cell, whole);
}

void main() {
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint cloud_number = group * uint(splat_group) + gl_LocalInvocationIndex;
  uint number = cloud_number / clouds.z * clouds.y;
  if (number >= clouds.x) return;
  load_place(number);
  position = in_layer(position, lot(number) + cloud_number % clouds.z);
  vec4 clip;
  if (carried[min(component, last_component)] < 0.5 || !project(clip) || abs(clip.z) > clip.w) return;
  int slice = int(floor(dust_slice()));
  vec2 cells = dust_cells();
  vec2 cell = dust_cell(picture_place(clip));
  if (slice < 0 || slice >= dust_slices) return;
  if (any(lessThan(cell, vec2(1.0))) || any(greaterThan(cell, cells - 1.0))) return;
  // A cell that is twice as far has four times the area.
  float nearer = usual / clip.w;
  float cloud = min(cloud_units * nearer * nearer, 16777216.0);
  vec2 low = floor(cell - 0.5);
  vec2 high_part = cell - 0.5 - low, low_part = 1.0 - high_part;
  ivec2 at = ivec2(low) + ivec2(slice % dust_columns, slice / dust_columns) * ivec2(cells);
  add(at, cloud * low_part.x * low_part.y);
  add(at + ivec2(1, 0), cloud * high_part.x * low_part.y);
  add(at + ivec2(0, 1), cloud * low_part.x * high_part.y);
  add(at + ivec2(1, 1), cloud * high_part.x * high_part.y);
}
