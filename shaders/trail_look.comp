// Light and place in the grid of the bodies whose trails are drawn: those that body.glsl gives the bodies themselves.

layout(local_size_x = trail_group) in;

layout(std430, binding = velocity_place) readonly restrict buffer Velocities { vec4 velocities[]; };
layout(std430, binding = quantity_place) readonly restrict buffer Quantities { float quantities[]; };
layout(std430, binding = followed_place) readonly restrict buffer Followed { uint followed[]; };
layout(std430, binding = trail_place) writeonly restrict buffer Looks { vec4 looks[]; };  // light; offset

uniform uvec2 work;  // bodies that are followed, unused

void main() {
  uint place = gl_GlobalInvocationID.x;
  if (place >= work.x) return;
  load_place(followed[place]);
  mass = positions[body].w;
  velocity = velocities[body].xyz;
  acceleration = sqrt(velocities[body].w);
  quantity = quantities[body];
  looks[2u * place] = body_light();
  looks[2u * place + 1u] = vec4(grid_place(), 0.0, 0.0);
}
