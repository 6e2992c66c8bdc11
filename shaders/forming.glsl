// Young stars shine where the disk is dense: what a body of theirs gives of its light, by colour.

layout(binding = forming_map_unit) uniform sampler2D forming_map;

uniform vec4 forming_older;  // colour of the least young stars over that of the component; component of young stars
uniform vec4 forming_pink;   // of knots of hydrogen, the same; how much of all this is shown

// How far a body is a knot: its lot is below the part of bodies that are.
float forming_knot(uint number, float part) {
  float own = (float(lot(number) >> 8u) + 0.5) / 16777216.0;
  return smoothstep(1.0, 1.6, part / own);
}

vec4 forming_passes() {
  if (component != uint(forming_older.a)) return vec4(1.0);
  float youth = forming_youth(textureLod(forming_map, forming_at(position), 0.0).r);
  vec2 all = textureLod(forming_map, vec2(0.5), float(textureQueryLevels(forming_map) - 1)).gb;
  float pink = forming_knot(body ^ 0x70696e6bu, forming_knots.x * youth * youth) * forming_knots.y;
  float blue = forming_knot(body ^ 0x626c7565u, forming_knots.z * youth * youth) * forming_knots.w;
  float plain = forming_plain(youth);
  vec3 color = plain * mix(forming_older.rgb, vec3(1.0), youth) + blue + pink * forming_pink.rgb;
  float mean = all.x > 0.0 ? all.x / all.y : 1.0;
  return mix(vec4(1.0), vec4(color, plain + blue + pink) / mean, forming_pink.a);
}
