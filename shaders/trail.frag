// One pixel of a piece of a trail.

flat in vec4 segment_way;
flat in float segment_extent;
flat in vec4 segment_start;
flat in vec4 segment_end;

layout(location = color_output) out vec4 color;

void main() {
  Segment segment;
  segment.from = segment_way.xy;
  segment.along = segment_way.zw;
  segment.extent = segment_extent;
  segment.light[0] = segment_start;
  segment.light[1] = segment_end;
  color = segment_light(segment, gl_FragCoord.xy);
}
