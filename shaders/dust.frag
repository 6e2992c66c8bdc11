// The part of a cloud of dust that is in one cell.

layout(location = sprite_light) flat in float cloud;
layout(location = sprite_kernel) flat in vec2 middle;

layout(location = color_output) out float optical_depth;

void main() {
  vec2 share = max(1.0 - abs(gl_FragCoord.xy - middle), 0.0);
  optical_depth = cloud * share.x * share.y;
}
