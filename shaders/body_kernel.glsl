// The light of a body that falls on one pixel: a separable kernel, integrated exactly over the pixel's square. The
// integrals of neighbouring pixels join without a gap, so the sum over all pixels is the light of the body, whatever
// its size and its place between the pixels.

// The integral of the triweight kernel 35/32 (1 - x^2)^3 from 0 to x: -1/2 at x = -1, 1/2 at x = 1.
vec4 cumulative(vec4 x) {
  x = clamp(x, -1.0, 1.0);
  vec4 y = x * x;
  return x * (1.09375 + y * (-1.09375 + y * (0.65625 + y * -0.15625)));
}

// The part of a body's light on the pixel whose middle is `offset` pixels from the body; `scale` is 1 / half width.
float pixel_share(vec2 offset, float scale) {
  vec4 c = cumulative(vec4(offset + 0.5, offset - 0.5) * scale);
  vec2 share = c.xy - c.zw;
  return share.x * share.y;
}
