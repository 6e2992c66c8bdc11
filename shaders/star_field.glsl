// Stars and distant galaxies in all directions, the same ones every time. Fainter stars are more, but not by as much as
// in the sky, where nearly all would be too faint to be seen.

uniform vec2 field;      // brightness of the brightest star, number of stars; then galaxies follow
uniform float star_size;  // half width of the image of a star, as a part of the picture's height

// The brightest of all directions are alike: no star stands out by chance.
const float brightest_stars = 100.0;
// The number of stars brighter than L falls as L^-2. A screen is told a power of L.
const float encoding = 0.65;
// Of ln red and ln blue, which go opposite ways.
const float color_deviation = 0.3;
// Half length of the smallest galaxies, to where they end, as a part of the picture's height.
const float smallest_galaxy = 0.005;

vec3 direction_of(uint first, uint second) {
  float height = 2.0 * part_of_one(first) - 1.0;
  float angle = 6.28318530718 * part_of_one(second);
  return vec3(sqrt(1.0 - height * height) * vec2(cos(angle), sin(angle)), height);
}

Source star(vec3 direction, uint third, uint fourth) {
  float fainter = max(part_of_one(third) * field.y / brightest_stars, 1.0);
  float redness = 2.0 * part_of_one(fourth) - 1.0;
  vec3 color = exp(1.7 * color_deviation * redness * vec3(1.0, 0.15, -1.0));
  return Source(direction, color / max(color.r, color.b) * field.x * pow(fainter, -0.5 * encoding), vec2(star_size, 0.0),
                direction.zxy);
}

// Disks at random angles: red ones are rounder.
Source galaxy(vec3 direction, uint third, uint fourth) {
  uint fifth = lot(fourth), sixth = lot(fifth), seventh = lot(sixth);
  float half_length = min(smallest_galaxy * pow(part_of_one(third), -0.45), largest_galaxy);
  float redness = part_of_one(fourth);
  float thickness = mix(0.2, 0.6, redness);
  float flatness = max(part_of_one(fifth), thickness);
  vec3 color = mix(vec3(0.75, 0.85, 1.0), vec3(1.0, 0.8, 0.6), redness);
  return Source(direction, color * field.x * mix(0.6, 1.2, part_of_one(sixth)),
                half_length * vec2(1.0, flatness), direction_of(seventh, lot(seventh)));
}

Source source(uint number) {
  uint first = lot(number ^ 0x5eed5747u);
  uint second = lot(first), third = lot(second), fourth = lot(third);
  vec3 direction = direction_of(first, second);
  if (number < uint(field.y)) return star(direction, third, fourth);
  return galaxy(direction, third, fourth);
}
