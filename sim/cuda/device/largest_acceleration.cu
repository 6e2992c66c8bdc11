// For adaptive steps (sim/physics/step_rule.h): the largest |a| of bodies [begin, end), with an external
// field, as the bits of a float, which are in the order of the numbers. `largest` is 0 before. What is no
// number says nothing.
extern "C" __global__ void largest_acceleration(BODIES_PARAMETER(bodies), const real* acceleration,
                                                index_t begin, index_t end,
                                                FIELD_PARAMETER unsigned int* largest) {
  BODIES(bodies);
  double most = 0;
  for (index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x; i < end; i += gridDim.x * blockDim.x) {
    double x = acceleration[3ull * i], y = acceleration[3ull * i + 1], z = acceleration[3ull * i + 2];
#if FIELD
    const real4 p = get_position(bodies, i);
    const real3 outer = field_acceleration(field, make_real3(p.x - field.x, p.y - field.y, p.z - field.z));
    x += outer.x, y += outer.y, z += outer.z;
#endif
    const double square = x * x + y * y + z * z;
    if (square > most) most = square;
  }
  unsigned int bits = __float_as_uint((float)sqrt(most));
  for (int step = 16; step > 0; step /= 2) {
    const unsigned int other = __shfl_xor_sync(0xffffffffu, bits, step);
    if (other > bits) bits = other;
  }
  if (threadIdx.x % 32 == 0) atomicMax(largest, bits);
}
