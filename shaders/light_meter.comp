// The histogram of a picture's light: how many pixels there are of each brightness.

layout(local_size_x = add_columns, local_size_y = add_rows) in;

uniform int stride;  // every such pixel of every such row is looked at
layout(binding = light_unit) uniform sampler2D accumulated;
layout(std430, binding = meter_place) buffer Histogram { uint pixels[meter_bins]; };

shared uint counted[meter_bins];

const uint invocations = uint(add_columns * add_rows);

void count(ivec2 at) {
  vec3 light = texelFetch(accumulated, at, 0).rgb;
  float intensity = (light.r + light.g + light.b) * (1.0 / 3.0);
  if (!(intensity > 0.0)) return;
  float stops = log2(min(intensity, 1e15)) - float(meter_lowest);
  atomicAdd(counted[clamp(int(floor(stops * float(meter_bins_per_stop))), 0, meter_bins - 1)], 1u);
}

void main() {
  for (uint i = gl_LocalInvocationIndex; i < uint(meter_bins); i += invocations) counted[i] = 0u;
  barrier();
  ivec2 at = ivec2(gl_GlobalInvocationID.xy) * stride;
  if (all(lessThan(at, textureSize(accumulated, 0)))) count(at);
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < uint(meter_bins); i += invocations)
    if (counted[i] != 0u) atomicAdd(pixels[i], counted[i]);
}
