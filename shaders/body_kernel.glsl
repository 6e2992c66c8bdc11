// The light of a body that falls on one pixel. Wide images are round: a kernel of the distance alone, zero at its edge,
// averaged over four places of the pixel. Of narrow ones a product of two kernels is integrated exactly over the pixel's
// square, so that the sum over all pixels is the light of the body at any place between them; no one sees its corners.

// Half widths (pixels) up to which the image is the product, and from which it is round. In between it is a mixture.
const float product_up_to = 1.5;
const float round_from = 2.5;

// The integral of the triweight kernel 35/32 (1 - x^2)^3 from 0 to x: -1/2 at x = -1, 1/2 at x = 1.
vec4 cumulative(vec4 x) {
  x = clamp(x, -1.0, 1.0);
  vec4 y = x * x;
  return x * (1.09375 + y * (-1.09375 + y * (0.65625 + y * -0.15625)));
}

// `scale` is 1 / half width.
float product_share(vec2 offset, float scale) {
  vec4 c = cumulative(vec4(offset + 0.5, offset - 0.5) * scale);
  vec2 share = c.xy - c.zw;
  return share.x * share.y;
}

// The mean of 4 / (pi a^2) (1 - r^2)^3, whose integral over the plane is 1.
float round_share(vec2 offset, float scale) {
  vec2 low = (offset - 0.25) * scale;
  vec2 high = (offset + 0.25) * scale;
  low *= low;
  high *= high;
  vec4 left = max(1.0 - vec4(low.x + low.y, high.x + low.y, low.x + high.y, high.x + high.y), 0.0);
  return dot(left * left, left) * (scale * scale * 0.31830988618);
}

// The part of a body's light on the pixel whose middle is `offset` pixels from the body; `scale` is 1 / half width.
float pixel_share(vec2 offset, float scale) {
  if (scale * round_from <= 1.0) return round_share(offset, scale);
  float product = product_share(offset, scale);
  if (scale * product_up_to >= 1.0) return product;
  return mix(product, round_share(offset, scale), smoothstep(product_up_to, round_from, 1.0 / scale));
}
