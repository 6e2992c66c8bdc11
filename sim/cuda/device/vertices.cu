// Vertices that were published, in the numbers that people see (sim/engines/packed_bodies.h). Explicit
// roundings: the bits are those of the host.
struct VertexFrame {
  double length, mass, velocity, square;
  double place[3], motion[3];
};
__device__ __forceinline__ float seen_at(float number, double factor, double from) {
  return __double2float_rn(__dadd_rn(__dmul_rn((double)number, factor), from));
}
extern "C" __global__ void reframe(const VertexFrame frame, index_t begin, index_t end, float4* position,
                                   float4* velocity) {
  const index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  const float4 x = position[i], v = velocity[i];
  position[i] =
      make_float4(seen_at(x.x, frame.length, frame.place[0]), seen_at(x.y, frame.length, frame.place[1]),
                  seen_at(x.z, frame.length, frame.place[2]), seen_at(x.w, frame.mass, 0.0));
  velocity[i] = make_float4(seen_at(v.x, frame.velocity, frame.motion[0]),
                            seen_at(v.y, frame.velocity, frame.motion[1]),
                            seen_at(v.z, frame.velocity, frame.motion[2]), seen_at(v.w, frame.square, 0.0));
}
