// What integrators need that look back to the begin of a step (sim::Stage): the state in double precision,
// and four vectors that each body keeps until the step ends. Only compiled for these integrators.
#if COMPENSATED
#define LOW_OF(body) (low + 6ull * (body))
#else
#define LOW_OF(body) ((float*)0)
#endif

/// A vector whose sums lose nothing to speak of.
struct Exact {
  double x, y, z;
};
/// a + t b
__device__ __forceinline__ Exact plus(const Exact& a, double t, const Exact& b) {
  return {a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}
__device__ __forceinline__ Exact times(double t, const Exact& a) { return {t * a.x, t * a.y, t * a.z}; }

/// Place and velocity with all digits that the state has.
struct Exactly {
  Exact x, v;
};
/// `low`: second floats of a compensated state, those of the body; else not read.
__device__ __forceinline__ Exactly exact_state(const Bodies& b, index_t i, const float* low) {
  const real4 x = get_position(b, i);
  const real3 v = get_velocity(b, i);
  Exactly state = {{x.x, x.y, x.z}, {v.x, v.y, v.z}};
#if COMPENSATED
  state.x = plus(state.x, 1.0, {low[0], low[1], low[2]});
  state.v = plus(state.v, 1.0, {low[3], low[4], low[5]});
#endif
  return state;
}
__device__ __forceinline__ void put_state(const Bodies& b, index_t i, float* low, const Exactly& state) {
  const real mass = get_position(b, i).w;
#if COMPENSATED
  const float x = split(state.x.x, low[0]), y = split(state.x.y, low[1]), z = split(state.x.z, low[2]);
  const float vx = split(state.v.x, low[3]), vy = split(state.v.y, low[4]), vz = split(state.v.z, low[5]);
  put_position(b, i, x, y, z, mass);
  put_velocity(b, i, vx, vy, vz);
#else
  put_position(b, i, (real)state.x.x, (real)state.x.y, (real)state.x.z, mass);
  put_velocity(b, i, (real)state.v.x, (real)state.v.y, (real)state.v.z);
#endif
}

/// Which of its vectors: the state at the begin of the step, and what the method keeps besides.
enum : int { KEPT_POSITION, KEPT_VELOCITY, KEPT_FIRST, KEPT_SECOND };
/// Numbers of the same kind lie side by side, `bodies` of them.
__device__ __forceinline__ double* kept_at(double* kept, index_t bodies, int which, index_t i) {
  return kept + 3ull * which * bodies + i;
}
__device__ __forceinline__ Exact kept_vector(double* kept, index_t bodies, int which, index_t i) {
  const double* at = kept_at(kept, bodies, which, i);
  return {at[0], at[bodies], at[2ull * bodies]};
}
__device__ __forceinline__ void keep_vector(double* kept, index_t bodies, int which, index_t i,
                                            const Exact& v) {
  double* at = kept_at(kept, bodies, which, i);
  at[0] = v.x, at[bodies] = v.y, at[2ull * bodies] = v.z;
}

/// Three reals a body.
__device__ __forceinline__ Exact exact_triple(const real* triples, index_t i) {
  return {triples[3ull * i], triples[3ull * i + 1], triples[3ull * i + 2]};
}
