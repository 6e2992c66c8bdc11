// A body becomes one more in the cell of the picture where it is.

layout(location = position_place) in vec4 position_mass;
layout(location = component_place) in uint body_component;
layout(location = galaxy_place) in uint body_galaxy;

void main() {
  position = position_mass.xyz;
  component = body_component;
  galaxy = body_galaxy;
  vec4 clip;
  gl_PointSize = 1.0;
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  if (!project(clip)) return;
  // The middle of its cell, so that rounding has no say.
  vec2 cell = floor(crowd_place(picture_place(clip)) * float(crowd_cells));
  gl_Position = vec4(((cell + 0.5) / float(crowd_cells) * 2.0 - 1.0) * clip.w, clip.zw);
}
