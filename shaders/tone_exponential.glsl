vec3 curve(vec3 x) { return 1.0 - exp(-x); }
