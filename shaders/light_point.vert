// A point of light at infinity becomes a point sprite, the image of a star (body.frag). What follows defines point().

uniform mat4 directions;   // from the world to clip coordinates
uniform vec3 picture;      // width, height, margin around what is drawn (pixels)
uniform vec2 canvas;       // size of what is drawn: the picture or a part of it (pixels)
uniform vec2 corner;       // of the part of the picture that is drawn: its first pixel
uniform float half_width;  // of images (pixels)

layout(location = sprite_light) flat out vec4 light;
layout(location = sprite_kernel) flat out vec3 kernel;  // centre (pixels), 1 / half width

// Where the point of a number is, a unit vector, and its light.
void point(uint number, out vec3 direction, out vec4 light_);

// As in body.glsl.
uint lot(uint number) {
  uint state = number * 747796405u + 2891336453u;
  uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}

// Between 0 and 1, neither of them.
float part_of_one(uint drawn) { return (float(drawn >> 8u) + 0.5) / 16777216.0; }

void main() {
  vec3 direction;
  point(uint(gl_VertexID), direction, light);
  kernel = vec3(0.0);
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = 1.0;
  vec4 clip = directions * vec4(direction, 0.0);
  if (clip.w <= 0.0) return;
  vec2 center = (clip.xy / clip.w * 0.5 + 0.5) * picture.xy - corner;
  kernel = vec3(center, 1.0 / half_width);
  gl_Position = vec4((center + picture.z) / (canvas + 2.0 * picture.z) * 2.0 - 1.0, 0.0, 1.0);
  gl_PointSize = 2.0 * half_width + 1.0;
}
