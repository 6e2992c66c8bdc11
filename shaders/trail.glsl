// Trails of bodies as lines: shared by trail.vert (rasterizer) and trail_splat.comp (compute). A trail is cut into
// pieces, each a straight segment of light in the picture. Light adds, so the pieces join without a mark.

uniform mat4 view;
uniform mat4 projection;
uniform vec2 picture;  // pixels
uniform uvec4 ring;    // rows, the newest row, rows in use, bodies
uniform uint pieces;   // of the way from row to row
uniform uint joined;   // rows that one such way spans: of very many trails several, of which each is shorter than a pixel
uniform vec4 line;     // half width (pixels), light of a pixel's length over that of the body, fading, its time or 0
layout(binding = points_unit) uniform samplerBuffer points;  // and time; after the bodies of a row its origin
layout(binding = looks_unit) uniform samplerBuffer looks;    // light, then the offset of the galaxy

struct Segment {
  vec2 from;     // pixels from the lower left corner
  vec2 along;    // of length 1
  float extent;  // pixels
  vec4 light[2]; // of a pixel's length, at both ends
};

int row_place(uint age) { return int(((ring.y + ring.x - age) % ring.x) * (ring.w + 1u)); }

// Where the body was `age` rows ago, seen from the origin of then as if that were where it is now.
vec4 point_of(uint body, uint age) {
  int row = row_place(age);
  vec3 shift = texelFetch(points, row_place(0u) + int(ring.w)).xyz - texelFetch(points, row + int(ring.w)).xyz;
  vec4 point = texelFetch(points, row + int(body));
  return vec4(point.xyz + shift, point.w);
}

// The velocity at `at` between its neighbours: that of the parabola through the three.
vec3 slope(vec4 before, vec4 at, vec4 after) {
  float first = at.w - before.w;
  float second = after.w - at.w;
  if (first * second <= 0.0) return (after.xyz - before.xyz) / (first + second);
  vec3 early = (at.xyz - before.xyz) / first;
  vec3 late = (after.xyz - at.xyz) / second;
  return (early * second + late * first) / (first + second);
}

// The interval of a trail between the rows of ages `old` and old - joined, with its neighbours.
struct Interval {
  vec4 from;
  vec4 to;
  vec3 start;  // velocities
  vec3 end;
};

Interval interval_of(uint body, uint old) {
  vec4 from = point_of(body, old);
  vec4 to = point_of(body, old - min(joined, old));
  vec3 straight = (to.xyz - from.xyz) / (to.w - from.w);
  Interval it = Interval(from, to, straight, straight);
  if (pieces == 1u) return it;
  if (old + 1u < ring.z) it.start = slope(point_of(body, old + 1u), from, to);
  if (old >= 2u) it.end = slope(from, to, point_of(body, old - 2u));
  return it;
}

// Cubic (Hermite) between the rows.
vec3 place_at(Interval it, float t) {
  if (t <= 0.0) return it.from.xyz;
  if (t >= 1.0) return it.to.xyz;
  float h = it.to.w - it.from.w;
  vec3 curve = it.start * (h * t * (1.0 - t) * (1.0 - t)) - it.end * (h * t * t * (1.0 - t));
  float share = t * t * (3.0 - 2.0 * t);
  vec3 place = mix(it.from.xyz, it.to.xyz, share) + curve;
  // Rows of one time have no velocities.
  return any(isnan(place)) || any(isinf(place)) ? mix(it.from.xyz, it.to.xyz, t) : place;
}

// How much light is left `rows` rows and `time` ago.
float faded(float rows, float time) {
  float age = line.w > 0.0 ? abs(time) / line.w : rows / float(ring.x - 1u);
  if (line.z <= 0.0) return age <= 1.0 ? 1.0 : 0.0;
  return pow(clamp(1.0 - age, 0.0, 1.0), line.z);
}

vec4 clip_place(vec3 place) { return projection * (view * vec4(place, 1.0)); }

// Keeps of from..to (pieces of way `parts`) what is in front of the near plane; false if nothing is.
bool clip_near(inout vec4 from, inout vec4 to, inout vec2 parts) {
  float a = from.z + from.w;
  float b = to.z + to.w;
  if (!(a > 0.0) && !(b > 0.0)) return false;
  if (a > 0.0 && b > 0.0) return true;
  float at = a / (a - b) * 0.9999 + (a > 0.0 ? 0.0 : 0.0001);
  vec4 cut = mix(from, to, at);
  if (a > 0.0) to = cut, parts.y = mix(parts.x, parts.y, at);
  else from = cut, parts.x = mix(parts.x, parts.y, at);
  return true;
}

// The same of what is in the picture, or so near that its light falls into it (Liang & Barsky 1984).
bool clip_sides(inout vec2 from, inout vec2 to, inout vec2 parts) {
  float margin = line.x + 2.0;
  vec2 way = to - from;
  vec4 speeds = vec4(-way, way);
  vec4 rooms = vec4(from + margin, picture + margin - from);
  float enters = 0.0;
  float leaves = 1.0;
  for (int side = 0; side < 4; ++side) {
    if (speeds[side] == 0.0 && rooms[side] < 0.0) return false;
    float at = rooms[side] / speeds[side];
    if (speeds[side] < 0.0) enters = max(enters, at);
    if (speeds[side] > 0.0) leaves = min(leaves, at);
  }
  if (enters >= leaves) return false;
  vec2 start = from;
  from = start + way * enters;
  to = start + way * leaves;
  parts = mix(vec2(parts.x), vec2(parts.y), vec2(enters, leaves));
  return true;
}

// False for a segment that gives no light.
bool prepare(uint number, out Segment segment) {
  uint ways = (ring.z - 2u + joined) / joined;
  uint body = number / (ways * pieces);
  uint part = number % (ways * pieces);
  uint old = ring.z - 1u - part / pieces * joined;
  vec2 parts = (float(part % pieces) + vec2(0.0, 1.0)) / float(pieces);
  vec4 light = texelFetch(looks, int(2u * body)) * line.y;
  vec3 offset = texelFetch(looks, int(2u * body + 1u)).xyz;
  if (!(light.a > 0.0)) return false;
  Interval it = interval_of(body, old);
  vec4 from = clip_place(place_at(it, parts.x) + offset);
  vec4 to = clip_place(place_at(it, parts.y) + offset);
  float sum = dot(abs(from) + abs(to), vec4(1.0));
  if (isnan(sum) || isinf(sum) || !clip_near(from, to, parts)) return false;
  vec2 first = (from.xy / from.w * 0.5 + 0.5) * picture;
  vec2 last = (to.xy / to.w * 0.5 + 0.5) * picture;
  if (!clip_sides(first, last, parts)) return false;
  float newest = texelFetch(points, row_place(0u) + int(body)).w;
  vec2 ages = newest - mix(vec2(it.from.w), vec2(it.to.w), parts);
  segment.from = first;
  segment.extent = distance(first, last);
  segment.along = segment.extent > 0.0 ? (last - first) / segment.extent : vec2(1.0, 0.0);
  vec2 rows = float(old) - parts * float(min(joined, old));
  segment.light[0] = light * faded(rows.x, ages.x);
  segment.light[1] = light * faded(rows.y, ages.y);
  return segment.extent > 0.0 && segment.light[0].a + segment.light[1].a > 0.0;
}

// The integral of the triweight kernel 35/32 (1 - x^2)^3 from 0 to x.
float line_cumulative(float x) {
  x = clamp(x, -1.0, 1.0);
  float y = x * x;
  return x * (1.09375 + y * (-1.09375 + y * (0.65625 + y * -0.15625)));
}

// The light of a segment on the pixel with this middle: the kernel integrated along the segment, and across it over the
// width of a pixel.
vec4 segment_light(Segment segment, vec2 pixel) {
  vec2 offset = pixel - segment.from;
  float along = dot(offset, segment.along);
  float across = dot(offset, vec2(-segment.along.y, segment.along.x));
  float scale = 1.0 / line.x;
  float length_share = line_cumulative(along * scale) - line_cumulative((along - segment.extent) * scale);
  float width_share = line_cumulative((across + 0.5) * scale) - line_cumulative((across - 0.5) * scale);
  float place = clamp(along / segment.extent, 0.0, 1.0);
  return mix(segment.light[0], segment.light[1], place) * (length_share * width_share);
}
