// Where a place of the world is in the map of a disk's density: in its plane, from 0 to 1. All of the plane is in it, finer
// in the middle: a place `r` from there, in units of the map's length, is r / (1 + r) of the way to its edge.

uniform vec3 forming_middle;
uniform vec3 forming_right;  // unit vectors in the plane over the map's length
uniform vec3 forming_up;

vec2 forming_at(vec3 place) {
  vec3 from = place - forming_middle;
  vec2 at = vec2(dot(from, forming_right), dot(from, forming_up));
  return 0.5 + 0.5 * at / (1.0 + length(at));
}
