// Light to display values: wings (a part of its own), exposure, tone curve (another part), background, sRGB, dither.

uniform vec4 exposure_background;  // 2^stops, linear RGB of an empty sky
uniform vec3 flags;                // dither, transparent, on paper: 1 or 0 each
uniform ivec2 corner;              // of the part of the picture that is drawn: its first pixel
layout(binding = light_unit) uniform sampler2D accumulated;

vec3 curve(vec3 x);
vec3 with_wings(vec3 light, ivec2 at);

// IEC 61966-2-1. 1.055 x^(1/2.4) - 0.055 as a polynomial in x^(1/4), interpolated at Chebyshev nodes of 0.0031308..1:
// within 1e-5 (0.0025 steps of 8 bits), and without the logarithms and exponentials of pow().
vec3 srgb_encode(vec3 x) {
  vec3 q = sqrt(sqrt(x));
  vec3 curved = vec3(-0.06275899);
  curved = curved * q + 0.27275224;
  curved = curved * q - 0.55755565;
  curved = curved * q + 1.24421400;
  curved = curved * q + 0.16497400;
  curved = curved * q - 0.06162971;
  return mix(curved, 12.92 * x, lessThanEqual(x, vec3(0.0031308)));
}

// Interleaved gradient noise (Jimenez 2014, "Next generation post processing in Call of Duty"): even in 0..1, and
// neighbours differ.
float noise(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))); }

// Rounding down after adding noise in 0..1 keeps the mean: floor(x + u) averages to x.
vec3 quantize(vec3 x, ivec2 at) {
  float threshold = flags.x > 0.5 ? noise(vec2(at)) : 0.5;
  return floor(x * 255.0 + threshold) * (1.0 / 255.0);
}

// Brightness as ink on white; a colour gives its hue to the ink (render::inked).
vec3 inked(vec3 srgb) {
  float value = max(max(srgb.r, srgb.g), srgb.b);
  vec3 hue = srgb / max(value, 1e-6);
  float gray = min(min(hue.r, hue.g), hue.b);
  vec3 ink = (hue * hue - gray * gray) * 0.55 + 0.06;
  return mix(vec3(1.0), ink, value);
}

vec4 pixel(ivec2 at) {
  vec3 light = with_wings(texelFetch(accumulated, at, 0).rgb, at + corner);
  // NaN, if any got here, must not spread: max() drops it.
  vec3 shown = clamp(curve(min(max(light * exposure_background.x, 0.0), 1e15)), 0.0, 1.0);
  vec3 background = exposure_background.yzw;
  bool transparent = flags.y > 0.5;
  if (!transparent) shown = shown + background * (1.0 - shown);
  vec3 encoded = srgb_encode(shown);
  if (flags.z > 0.5) encoded = inked(encoded);
  float alpha = 1.0;
  if (transparent) {
    alpha = ceil(max(max(encoded.r, encoded.g), encoded.b) * 255.0) * (1.0 / 255.0);
    encoded = min(encoded / max(alpha, 1.0 / 255.0), 1.0);
  }
  return vec4(quantize(encoded, at + corner), alpha);
}
