// A piece of a trail becomes two triangles around its segment.

flat out vec4 segment_way;    // from, along
flat out float segment_extent;
flat out vec4 segment_start;  // light
flat out vec4 segment_end;

const vec2 corners[6] = vec2[6](vec2(0, -1), vec2(1, -1), vec2(1, 1), vec2(0, -1), vec2(1, 1), vec2(0, 1));

void main() {
  Segment segment;
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // nothing is drawn
  segment_way = vec4(0.0);
  segment_extent = 0.0;
  segment_start = segment_end = vec4(0.0);
  if (!prepare(uint(gl_VertexID) / 6u, segment)) return;
  float reach = line.x + 1.0;
  vec2 corner = corners[gl_VertexID % 6];
  vec2 across = vec2(-segment.along.y, segment.along.x);
  float along = mix(-reach, segment.extent + reach, corner.x);
  vec2 place = segment.from + segment.along * along + across * (corner.y * reach);
  gl_Position = vec4(place / picture * 2.0 - 1.0, 0.0, 1.0);
  segment_way = vec4(segment.from, segment.along);
  segment_extent = segment.extent;
  segment_start = segment.light[0];
  segment_end = segment.light[1];
}
