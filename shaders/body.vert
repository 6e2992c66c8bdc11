// A body becomes a point sprite.

layout(location = position_place) in vec4 position_mass;
layout(location = velocity_place) in vec3 body_velocity;
layout(location = component_place) in uint body_component;
layout(location = galaxy_place) in uint body_galaxy;

layout(location = sprite_light) flat out vec4 light;
layout(location = sprite_kernel) flat out vec3 kernel;  // centre (pixels), 1 / half width

// Outside the clip volume: nothing is drawn.
void leave_out() {
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = 1.0;
  light = vec4(0.0);
  kernel = vec3(0.0);
}

void main() {
  position = position_mass.xyz;
  mass = position_mass.w;
  velocity = body_velocity;
  component = body_component;
  galaxy = body_galaxy;
  body = uint(gl_VertexID);
  vec4 clip;
  if (!project(clip)) {
    leave_out();
    return;
  }
  float half_width = sprite_half_width(clip.w);
  light = body_light();
  kernel = vec3(picture_place(clip), 1.0 / half_width);
  // The viewport is larger than the picture by the margin on every side, so that a sprite whose centre is just
  // outside is not clipped away.
  clip.xy *= picture.xy / (picture.xy + 2.0 * picture.z);
  gl_Position = clip;
  gl_PointSize = 2.0 * half_width + 1.0;
}
