// A star that has spikes, on its way to spike.geom; the others end here.

layout(location = position_place) in vec4 position_mass;
layout(location = velocity_place) in vec4 body_velocity;  // and the square of the acceleration
layout(location = component_place) in uint body_component;
layout(location = galaxy_place) in uint body_galaxy;
layout(location = quantity_place) in float body_quantity;

layout(location = sprite_light) out vec4 star_color;
layout(location = sprite_kernel) out vec4 star_image;  // centre, half width, half length of the spikes (pixels); 0: none

// Fainter stars have shorter ones, as the light at their ends is what is still seen.
float half_length(float half_width) {
  float own = palette[min(component, last_component)].a * star_light().a;
  return min(spikes.z * half_width * pow(0.5 * own / spikes.x, 0.3), 0.5 * picture.y);
}

void main() {
  position = position_mass.xyz;
  mass = position_mass.w;
  velocity = body_velocity.xyz;
  acceleration = sqrt(body_velocity.w);
  component = body_component;
  galaxy = body_galaxy;
  body = uint(gl_VertexID);
  quantity = body_quantity;
  star_color = vec4(0.0);
  star_image = vec4(0.0);
  gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
  vec4 clip;
  if (!project(clip) || abs(clip.z) > clip.w) return;
  // Most stars are too faint: the rest is work for few.
  if (spike_share(palette[min(component, last_component)].a * star_light().a) <= 0.0) return;
  Image image;
  if (!image_of(clip, image)) return;
  star_color = part_light(body_light(), image.share);
  star_image = vec4(image.center, image.half_width, half_length(image.half_width));
}
