vec3 with_wings(vec3 light, ivec2 at) { return light; }
