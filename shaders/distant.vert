// A source of light at infinity becomes a point sprite (distant.frag). What follows defines source().

uniform mat4 directions;  // from the world to clip coordinates
uniform vec4 picture;     // width, height, margin around what is drawn, half of the largest sprite (pixels)
uniform vec2 canvas;      // size of what is drawn: the picture or a part of it (pixels)
uniform vec2 corner;      // of the part of the picture that is drawn: its first pixel

layout(location = sprite_light) flat out vec3 light;
layout(location = sprite_kernel) flat out vec4 kernel;  // centre, half length, half width (pixels); a point has width 0
layout(location = spike_axis) flat out vec2 axis;       // along its length: a unit vector

struct Source {
  vec3 direction;  // a unit vector
  vec3 light;      // in the middle of its image, as parts of white
  vec2 half_size;  // of its image, as parts of the picture's height; a point has width 0
  vec3 along;      // the length of its image lies in the plane of this and the direction
};

Source source(uint number);

// As in body.glsl.
uint lot(uint number) {
  uint state = number * 747796405u + 2891336453u;
  uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}

// Between 0 and 1, neither of them.
float part_of_one(uint drawn) { return (float(drawn >> 8u) + 0.5) / 16777216.0; }

vec2 place_of(vec4 clip) { return (clip.xy / clip.w * 0.5 + 0.5) * picture.xy - corner; }

void main() {
  Source from = source(uint(gl_VertexID));
  light = from.light;
  vec2 half_size = from.half_size * picture.y;
  half_size *= min(picture.w / half_size.x, 1.0);
  kernel = vec4(0.0, 0.0, max(half_size.x, 1.0), half_size.y);
  axis = vec2(1.0, 0.0);
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = 1.0;
  vec4 clip = directions * vec4(from.direction, 0.0);
  if (clip.w <= 0.0) return;
  kernel.xy = place_of(clip);
  vec2 step_ = place_of(directions * vec4(from.direction + 1e-3 * from.along, 0.0)) - kernel.xy;
  if (dot(step_, step_) > 0.0) axis = normalize(step_);
  gl_Position = vec4((kernel.xy + picture.z) / (canvas + 2.0 * picture.z) * 2.0 - 1.0, 0.0, 1.0);
  gl_PointSize = 2.0 * kernel.z + 1.0;
}
