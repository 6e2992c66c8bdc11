// What a kernel that computes the forces does with them: it moves the body on the spot. Reads one set of
// bodies and writes the other, so that sources stay where they are.
//
// Of an Euler step `finish` is 0: the other set holds the state after the step. Of leapfrog the forces end
// one step and begin the next: `finish` is the closing half kick, after which `bodies` holds the complete
// state, and the other set the positions of the next step with velocities half a step ahead. Vertices, where
// a buffer is given, are those of the complete state.
#define MOVE_PARAMETER \
  real finish, real kick, real drift, int old_velocity, float4 *vertex_position, float4 *vertex_velocity
#define MOVE finish, kick, drift, old_velocity, vertex_position, vertex_velocity

/// Writes a vertex: position, mass, velocity, the square of the acceleration.
__device__ __forceinline__ void put_vertex(index_t i, const real4& x, const real3& v, const real3& a,
                                           float4* vertex_position, float4* vertex_velocity) {
  vertex_position[i] = make_float4((float)x.x, (float)x.y, (float)x.z, (float)x.w);
  vertex_velocity[i] = make_float4((float)v.x, (float)v.y, (float)v.z, squared(a));
}

/// v + time * a
__device__ __forceinline__ real3 moved(const real3& v, real time, const real3& a) {
  return make_real3(v.x + time * a.x, v.y + time * a.y, v.z + time * a.z);
}

/// Stores the acceleration (`sum` times what all sums share) of body i, which is at `x`, and moves it: the
/// same bits as the kernel update.
__device__ __forceinline__ void move_body(const Bodies& bodies, const Bodies& next, real* acceleration,
                                          index_t i, const real4& x, const real3& sum, real factor,
                                          MOVE_PARAMETER) {
  store_acceleration(acceleration, i, sum, factor);
  const real3 a = make_real3(factor * sum.x, factor * sum.y, factor * sum.z);
  real3 v = get_velocity(bodies, i);
  if (finish != 0) {
    v = moved(v, finish, a);
    put_velocity(bodies, i, v.x, v.y, v.z);
  }
  const real3 kicked = moved(v, kick, a);
  const real3 at = moved(make_real3(x.x, x.y, x.z), drift, old_velocity ? v : kicked);
  const real4 there = make_real4(at.x, at.y, at.z, x.w);
  put_velocity(next, i, kicked.x, kicked.y, kicked.z);
  put_position(next, i, there.x, there.y, there.z, there.w);
  if (!vertex_position) return;
  if (finish != 0)
    put_vertex(i, x, v, a, vertex_position, vertex_velocity);
  else
    put_vertex(i, there, kicked, a, vertex_position, vertex_velocity);
}
