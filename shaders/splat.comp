// Bodies become light without the rasterizer: every invocation prepares one body; then a team of invocations walks over
// the pixels of its bodies, one body after the other. Four neighbours of a team add the four channels of one pixel and
// its other members the next pixels, so that the additions of a team fall together in memory.

layout(local_size_x = splat_group) in;

layout(std430, binding = velocity_place) readonly restrict buffer Velocities { vec4 velocities[]; };
layout(std430, binding = quantity_place) readonly restrict buffer Quantities { float quantities[]; };

uniform uvec2 work;  // bodies, invocations of a team (4, 8, 16 or 32)

// What the light is added to: 4 channels a pixel, rows from below.
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

shared float team_light[4 * splat_group];
shared vec3 team_kernel[splat_group];  // centre (pixels), 1 / half width
shared uvec4 team_box[splat_group];    // first pixel, width, number of pixels (0: nothing to draw)

void load(uint number) {
  load_place(number);
  mass = positions[body].w;
  velocity = velocities[body].xyz;
  acceleration = sqrt(velocities[body].w);
  quantity = quantities[body];
}

// What the rasterizer clips by itself.
bool is_clipped(vec4 clip) { return abs(clip.z) > clip.w; }

void prepare(uint number, uint place) {
  team_box[place] = uvec4(0u);
  if (number >= work.x) return;
  load(number);
  vec4 clip;
  if (!project(clip) || is_clipped(clip)) return;
  Image image;
  if (!image_of(clip, image)) return;
  vec2 first = max(floor(image.center - image.half_width), vec2(0.0));
  vec2 last = min(floor(image.center + image.half_width), canvas - 1.0);
  if (!all(lessThanEqual(first, last))) return;
  uvec2 size = uvec2(last - first) + 1u;
  vec4 light = part_light(body_light(), image.share);
  for (uint channel = 0u; channel < 4u; ++channel) team_light[4u * place + channel] = light[channel];
  team_kernel[place] = vec3(image.center, 1.0 / image.half_width);
  team_box[place] = uvec4(uvec2(first), size.x, size.x * size.y);
}

// Column and row of a pixel that is counted row by row; exact for the few first ones, and cheaper than a division.
uvec2 column_and_row(uint pixel, uint width) {
  uint row = uint((float(pixel) + 0.5) / float(width));
  return uvec2(pixel - row * width, row);
}

void splat(uint place, uint member) {
  uvec4 box = team_box[place];
  if (box.w == 0u) return;
  vec3 kernel = team_kernel[place];
  uint channel = member % 4u;
  float light = team_light[4u * place + channel];
  // All pixels below this share together hold less than 2e-5 of the body's light.
  float negligible = 2e-5 / float(box.w);
  uint pixel = member / 4u;
  uint stride = work.y / 4u;
  uvec2 at = column_and_row(pixel, box.z);
  uvec2 advance = column_and_row(stride, box.z);
  for (; pixel < box.w; pixel += stride) {
    float share = pixel_share(vec2(box.xy + at) + 0.5 - kernel.xy, kernel.z);
    float value = light * share;
    if (share > negligible && value != 0.0)
      add(4u * ((box.y + at.y) * uint(canvas.x) + box.x + at.x) + channel, value);
    at += advance;
    if (at.x >= box.z) at += uvec2(-box.z, 1u);
  }
}

void main() {
  uint place = gl_LocalInvocationIndex;
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  prepare(group * uint(splat_group) + place, place);
  barrier();
  uint member = place % work.y;
  for (uint k = 0u; k < work.y; ++k) splat(place - member + k, member);
}
