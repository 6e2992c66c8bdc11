// A rectangle in space: a strip of two triangles, made from nothing.
uniform mat4 view_projection;
uniform vec3 corner, along, up;
layout(location = 0) out vec2 place;

void main() {
  place = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = view_projection * vec4(corner + place.x * along + place.y * up, 1.0);
}
