// For adaptive steps (sim/physics/integrators/step_rule.h): the largest |a| of bodies [begin, end), with an
// external field, as the bits of a float, which are in the order of the numbers. `largest` is 0 before. What
// is no number says nothing.
extern "C" __global__ void largest_acceleration(BODIES_PARAMETER(bodies), const real* acceleration,
                                                index_t begin, index_t end,
                                                FIELD_PARAMETER unsigned int* largest) {
  BODIES(bodies);
  double most = 0;
  for (index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x; i < end; i += gridDim.x * blockDim.x) {
    const real3 own = own_pull(acceleration, i);
    double3 a = {own.x, own.y, own.z};
    add_field(FIELD_ARGUMENT get_position(bodies, i), a);
    const double square = a.x * a.x + a.y * a.y + a.z * a.z;
    if (square > most) most = square;
  }
  unsigned int bits = __float_as_uint((float)sqrt(most));
  for (int step = 16; step > 0; step /= 2) {
    const unsigned int other = __shfl_xor_sync(0xffffffffu, bits, step);
    if (other > bits) bits = other;
  }
  if (threadIdx.x % 32 == 0) atomicMax(largest, bits);
}
