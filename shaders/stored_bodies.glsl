// Bodies in storage buffers, for compute shaders with one body an invocation; after body.glsl.

layout(std430, binding = position_place) readonly restrict buffer Positions { vec4 positions[]; };  // and mass
layout(std430, binding = component_place) readonly restrict buffer Components { uint components[]; };  // four in a word
layout(std430, binding = galaxy_place) readonly restrict buffer Galaxies { uint galaxies[]; };

void load_place(uint number) {
  body = number;
  position = positions[body].xyz;
  component = components[body / 4u] >> 8u * (body % 4u) & 255u;
  galaxy = galaxies[body];
}
