// What follows a force law: where its constants are, and what becomes of its sums.
// The host has numbers in the order of the structure (ForceLaw::device_constants).
static_assert(sizeof(Constants) == CONSTANT_COUNT * sizeof(real), "as many as the law gives");
#if CONSTANT_MEMORY
__constant__ Constants constant_memory;
#define CONSTANTS_PARAMETER
#define CONSTANTS constant_memory
#else
#define CONSTANTS_PARAMETER const Constants constants_argument,
#define CONSTANTS constants_argument
#endif

/// Stores the sum times what all sums share: 3 reals a body.
__device__ __forceinline__ void store_acceleration(real* acceleration, index_t i, const real3& sum,
                                                   real factor) {
  acceleration[3ull * i] = factor * sum.x;
  acceleration[3ull * i + 1] = factor * sum.y;
  acceleration[3ull * i + 2] = factor * sum.z;
}
