// Lupton et al. 2004, PASP 116, 133: stretch the intensity, keep the colour, and scale down what exceeds white. Light of
// intensity 1 is white; softening 30 as in asinh(30 I) / asinh(30).
vec3 curve(vec3 x) {
  float intensity = (x.r + x.g + x.b) * (1.0 / 3.0);
  vec3 stretched = x / max(intensity, 1e-30) * (log(30.0 * intensity + sqrt(900.0 * intensity * intensity + 1.0)) / 4.0946222);
  float largest = max(max(stretched.r, stretched.g), stretched.b);
  return stretched / max(largest, 1.0);
}
