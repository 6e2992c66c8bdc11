vec3 with_wings(vec3 light) { return light; }
