// A body becomes a point sprite.

layout(location = position_place) in vec4 position_mass;
layout(location = velocity_place) in vec4 body_velocity;  // and the square of the acceleration
layout(location = component_place) in uint body_component;
layout(location = galaxy_place) in uint body_galaxy;
layout(location = quantity_place) in float body_quantity;

uniform float radii[most_discs];  // of discs: pixels, or lengths
uniform vec4 disc;                // 1 if bodies are discs; pixels of a length at distance 1, or 0 where radii are pixels;
                                  // light of a pixel; largest radius (pixels)
uniform uint stride;              // one body in so many is drawn
const float smallest_disc = 0.75;

layout(location = sprite_light) flat out vec4 light;
layout(location = sprite_kernel) flat out vec3 kernel;  // centre (pixels), 1 / half width

// Outside the clip volume: nothing is drawn.
void leave_out() {
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = 1.0;
  light = vec4(0.0);
  kernel = vec3(0.0);
}

float disc_radius(float eye_distance) {
  float radius = radii[min(body, uint(most_discs - 1))];
  if (disc.y > 0.0) radius *= disc.y / eye_distance;
  return clamp(radius, smallest_disc, disc.w);
}

void main() {
  position = position_mass.xyz;
  mass = position_mass.w;
  velocity = body_velocity.xyz;
  acceleration = sqrt(body_velocity.w);
  component = body_component;
  galaxy = body_galaxy;
  body = uint(gl_VertexID) * stride;
  quantity = body_quantity;
  vec4 clip;
  if (!project(clip)) {
    leave_out();
    return;
  }
  bool is_disc = disc.x > 0.5;
  Image image;
  if (!image_of(clip, image)) {
    leave_out();
    return;
  }
  if (is_disc) image.half_width = disc_radius(clip.w);
  light = is_disc ? body_light() * disc.z : part_light(body_light(), image.share);
  kernel = vec3(image.center, 1.0 / image.half_width);
  // The viewport is larger than the picture by the margin on every side, so that a sprite whose centre is just
  // outside is not clipped away. In a level every centre is inside.
  vec2 viewport = canvas;
  vec2 place = image.center;
  if (part == part_whole || part == part_stars) {
    viewport += 2.0 * picture.z;
    place += picture.z;
  }
  clip.xy = (place / viewport * 2.0 - 1.0) * clip.w;
  gl_Position = clip;
  gl_PointSize = 2.0 * image.half_width + (is_disc ? 2.0 : 1.0);
}
