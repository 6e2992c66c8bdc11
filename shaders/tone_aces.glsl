// Narkowicz 2015, "ACES filmic tone mapping curve" (a fit; exceeds 1 slightly for very bright light).
vec3 curve(vec3 x) {
  x = min(x, 1e6);
  return min(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 1.0);
}
