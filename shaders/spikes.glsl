// How much of a star's light is in its spikes.

uniform vec3 spikes;  // light above which stars have some, their share, length in half widths

// None at the light where they begin.
float spike_share(float light) { return spikes.y * smoothstep(1.0, 1.4, light / spikes.x); }
