// Runge-Kutta methods (follow_slopes in sim/physics/integrators/integrator.cpp): adds `slope` times (v, a)
// where the bodies are to the step's sum, which the first evaluation begins. Then goes from the begin of the
// step `probe` dt along (v, a), or, where `probe` is 0, dt along the sum: the end of the step. Bodies [begin,
// end) of `bodies`; `kept`: steps.cuh.
extern "C" __global__ void follow_slope(BODIES_PARAMETER(state), const real* acceleration, index_t begin,
                                        index_t end, LOW_PARAMETER FIELD_PARAMETER double* kept,
                                        index_t bodies, double slope, double probe, double dt, int first,
                                        float4* vertex_position, float4* vertex_velocity) {
  after_previous();
  BODIES(state);
  const index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  const Exactly here = exact_state(state, i, LOW_OF(i));
  const Exact own = exact_triple(acceleration, i);
  Exact a = own;
  add_field(FIELD_ARGUMENT get_position(state, i), a);
  if (first) {
    keep_vector(kept, bodies, KEPT_POSITION, i, here.x);
    keep_vector(kept, bodies, KEPT_VELOCITY, i, here.v);
  }
  const Exact none = {0, 0, 0};
  const Exact x_sum = plus(first ? none : kept_vector(kept, bodies, KEPT_FIRST, i), slope, here.v);
  const Exact v_sum = plus(first ? none : kept_vector(kept, bodies, KEPT_SECOND, i), slope, a);
  keep_vector(kept, bodies, KEPT_FIRST, i, x_sum);
  keep_vector(kept, bodies, KEPT_SECOND, i, v_sum);
  const bool ends = probe == 0;
  const double time = ends ? dt : probe * dt;
  const Exactly there = {plus(kept_vector(kept, bodies, KEPT_POSITION, i), time, ends ? x_sum : here.v),
                         plus(kept_vector(kept, bodies, KEPT_VELOCITY, i), time, ends ? v_sum : a)};
  put_state(state, i, LOW_OF(i), there);
  if (!vertex_position) return;
  const float square = (float)(own.x * own.x + own.y * own.y + own.z * own.z);
  vertex_position[i] =
      make_float4((float)there.x.x, (float)there.x.y, (float)there.x.z, (float)get_position(state, i).w);
  vertex_velocity[i] = make_float4((float)there.v.x, (float)there.v.y, (float)there.v.z, square);
}
