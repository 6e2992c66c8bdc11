// A star's spikes: a bar of pixels along each axis of the picture.

layout(points) in;
layout(triangle_strip, max_vertices = 8) out;

layout(location = sprite_light) in vec4 star_color[];
layout(location = sprite_kernel) in vec4 star_image[];

uniform vec2 canvas;  // pixels

layout(location = sprite_light) flat out vec4 light;
layout(location = sprite_kernel) flat out vec4 kernel;  // centre (pixels), 1 / half length, 1 / half width
layout(location = spike_axis) flat out float upright;   // 1 or 0

void bar(vec2 center, vec2 reach, float is_upright) {
  for (int k = 0; k < 4; ++k) {
    vec2 place = center + reach * vec2((k & 1) * 2 - 1, (k >> 1) * 2 - 1);
    light = 0.5 * star_color[0];
    // Spikes are narrower than the star, but wide enough that none falls between the middles of pixels.
    kernel = vec4(center, 1.0 / star_image[0].w, 1.0 / max(0.4 * star_image[0].z, 0.8));
    upright = is_upright;
    gl_Position = vec4(place / canvas * 2.0 - 1.0, 0.0, 1.0);
    EmitVertex();
  }
  EndPrimitive();
}

void main() {
  if (star_image[0].w <= 0.0) return;
  vec2 center = star_image[0].xy;
  // A pixel counts where its middle is inside: one more all around.
  vec2 reach = vec2(star_image[0].w, max(0.4 * star_image[0].z, 0.8)) + 1.0;
  bar(center, reach, 0.0);
  bar(center, reach.yx, 1.0);
}
