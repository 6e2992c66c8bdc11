// Lupton et al. 2004, PASP 116, 133: stretch the intensity by an inverse hyperbolic sine and keep the colour. As there,
// the result is brightness as eyes see it, so it is turned into light (to the power of 2.2): stretched light would be
// brightened twice, and all of a galaxy would be equally bright. Above a knee brightness nears white slowly, so that the
// brightest cores have a middle still, and some of its colour goes with what is held back.
uniform vec2 softening;  // of the stretch, 1 / asinh(it)
const float knee = 0.75;

vec3 curve(vec3 x) {
  float intensity = max((x.r + x.g + x.b) * (1.0 / 3.0), 1e-30);
  float largest = max(max(max(x.r, x.g), x.b), 1e-30);
  float y = softening.x * min(intensity, 1e6);
  float bright = log(y + sqrt(y * y + 1.0)) * softening.y * pow(largest / intensity, 1.0 / 2.2);
  float held = bright <= knee ? bright : 1.0 - (1.0 - knee) * exp((knee - bright) / (1.0 - knee));
  return mix(x / largest, vec3(1.0), 0.7 - 0.7 * held / max(bright, held)) * pow(held, 2.2);
}
