// How the light of young stars follows the density: render/effects/star_formation.cpp has the same for the CPU.

uniform vec4 forming_knots;  // pink ones: the largest part of bodies, their light; the same of blue ones

// From 0 where the disk is thinner than around to 1 in its arms; `density` over the mean of the wide surroundings.
float forming_youth(float density) { return smoothstep(0.75, 1.5, density); }

// The part of a population that shines without knots, and the mean of all with them. A knot is a body whose lot is below
// its part times youth^2; the last 0.778 is the mean of its smooth beginning.
float forming_plain(float youth) { return 0.5 + 1.2 * youth; }
float forming_mean(float youth) {
  float knots = forming_knots.x * forming_knots.y + forming_knots.z * forming_knots.w;
  return forming_plain(youth) + 0.778 * knots * youth * youth;
}
