// Stars in all directions, the same ones every time. Fainter ones are more, but not by as much as in the sky, where nearly
// all would be too faint to be seen.

uniform vec2 field;  // light of the brightest, number of stars

// The brightest of all directions are alike: no star stands out by chance.
const float brightest_stars = 100.0;
// Of ln red and ln blue, which go opposite ways.
const float color_deviation = 0.3;

void point(uint number, out vec3 direction, out vec4 light_) {
  uint first = lot(number ^ 0x5eed5747u);
  uint second = lot(first), third = lot(second), fourth = lot(third);
  float height = 2.0 * part_of_one(first) - 1.0;
  float angle = 6.28318530718 * part_of_one(second);
  direction = vec3(sqrt(1.0 - height * height) * vec2(cos(angle), sin(angle)), height);
  float fainter = max(part_of_one(third) * field.y / brightest_stars, 1.0);
  float redness = 2.0 * part_of_one(fourth) - 1.0;
  vec3 color = exp(1.7 * color_deviation * redness * vec3(1.0, 0.15, -1.0));
  light_ = vec4(color, 1.0) * field.x * inversesqrt(fainter);
}
