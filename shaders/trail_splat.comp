// Pieces of trails become light without the rasterizer, as splat.comp does it with bodies: every invocation prepares one
// piece; then a team of invocations walks along each of its pieces, a short row of pixels across it at every step. Four
// neighbours of a team add the four channels of one pixel.

layout(local_size_x = splat_group) in;

uniform uvec2 work;  // pieces, invocations of a team

#ifdef FLOAT_ATOMICS
layout(std430, binding = sum_place) restrict buffer Sum { float sum[]; };
void add(uint at, float value) { atomicAdd(sum[at], value); }
#else
layout(std430, binding = sum_place) coherent restrict buffer Sum { uint sum[]; };
void add(uint at, float value) {
  uint expected = sum[at];
  for (;;) {
    uint found = atomicCompSwap(sum[at], expected, floatBitsToUint(uintBitsToFloat(expected) + value));
    if (found == expected) return;
    expected = found;
  }
}
#endif

shared vec4 team_way[splat_group];  // from, along
shared vec4 team_start[splat_group];
shared vec4 team_end[splat_group];
shared float team_extent[splat_group];  // 0: nothing to draw

void keep(uint number, uint place) {
  team_extent[place] = 0.0;
  Segment segment;
  if (number >= work.x || !prepare(number, segment)) return;
  team_way[place] = vec4(segment.from, segment.along);
  team_start[place] = segment.light[0];
  team_end[place] = segment.light[1];
  team_extent[place] = segment.extent;
}

void splat(uint place, uint member) {
  if (team_extent[place] == 0.0) return;
  Segment segment;
  segment.from = team_way[place].xy;
  segment.along = team_way[place].zw;
  segment.extent = team_extent[place];
  segment.light[0] = team_start[place];
  segment.light[1] = team_end[place];
  uint channel = member % 4u;
  // Steps along the axis that the segment is nearer to, pixels along the other one.
  bool steep = abs(segment.along.y) > abs(segment.along.x);
  vec2 along = steep ? segment.along.yx : segment.along;
  vec2 from = steep ? segment.from.yx : segment.from;
  float reach = line.x + 0.5;
  float last = from.x + along.x * segment.extent;
  float start = floor(min(from.x, last) - reach);
  uint steps = uint(floor(max(from.x, last) + reach) - start) + 1u;
  float slope = along.y / along.x;
  float half_row = reach / abs(along.x);
  uint across = uint(ceil(2.0 * half_row)) + 1u;
  float negligible = 2e-5 / float(steps * across);
  for (uint pixel = member / 4u; pixel < steps * across; pixel += work.y / 4u) {
    uint step_ = pixel / across;
    float major = start + float(step_);
    float middle = from.y + (major + 0.5 - from.x) * slope;
    float minor = floor(middle - half_row) + float(pixel - step_ * across);
    vec2 at = steep ? vec2(minor, major) : vec2(major, minor);
    if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, picture))) continue;
    float value = segment_light(segment, at + 0.5)[channel];
    if (value > negligible * segment.light[1].a) add(4u * (uint(at.y) * uint(picture.x) + uint(at.x)) + channel, value);
  }
}

void main() {
  uint place = gl_LocalInvocationIndex;
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  keep(group * uint(splat_group) + place, place);
  barrier();
  uint member = place % work.y;
  for (uint k = 0u; k < work.y; ++k) splat(place - member + k, member);
}
