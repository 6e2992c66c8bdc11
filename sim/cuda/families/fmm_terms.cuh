// Series of the potential in Cartesian coordinates, to the order EXPANSION. A monomial x^i y^j z^k has a
// place: by its order, then by i downwards, then by j downwards. All loops over terms are unrolled when
// compiled. For a source y = c + b and a target x = d + a the softened 1 / distance g is the sum over n and m
// of a^n / n! (-b)^m / m! D^(n+m) g(d - c), here up to |n| + |m| = EXPANSION (Warren and Salmon 1995; Dehnen
// 2014).

/// A whole number as a type.
template <int number>
struct Number {
  enum : int { value = number };
};
/// Calls with Number<begin>, ..., Number<end - 1>.
template <int begin, int end, typename Call>
__device__ __forceinline__ void repeat(const Call& call) {
  if constexpr (end - begin == 1) {
    call(Number<begin>{});
  } else if constexpr (end > begin) {
    repeat<begin, (begin + end) / 2>(call);
    repeat<(begin + end) / 2, end>(call);
  }
}

/// Exponents of a monomial.
struct Power {
  int x, y, z;
};
/// Monomials of smaller orders.
__device__ constexpr int terms_below(int order) { return order * (order + 1) * (order + 2) / 6; }
__device__ constexpr int order_of(Power p) { return p.x + p.y + p.z; }
__device__ constexpr int place_of(int x, int y, int z) {
  return terms_below(x + y + z) + (y + z) * (y + z + 1) / 2 + z;
}
__device__ constexpr Power power_at(int place) {
  int order = 0, rest = place, row = 0;
  while (terms_below(order + 1) <= place) ++order;
  rest -= terms_below(order);
  while (row < rest) rest -= ++row;
  return {order - row, row - rest, rest};
}
__device__ constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// Terms: of all orders; of a local series, without its constant; of moments, which have no first order about
/// the centre of mass, and rows of these in memory (times of 4) and in shared memory (lanes meet in no bank).
enum : int {
  all_terms = terms_below(EXPANSION + 1),
  local_terms = all_terms - 1,
  moment_terms = terms_below(EXPANSION) - 3,
  moment_row = (moment_terms + 3) / 4 * 4,
  moment_stride = moment_row / 4 % 2 == 1 ? moment_row : moment_row + 4,
  local_row = (local_terms + 3) / 4 * 4,
  stage_row = 36,  // of 32 numbers that a lane has
  widest_row = moment_stride > stage_row ? moment_stride : stage_row
};
__device__ constexpr bool has_moment(int place) { return place == 0 || place >= 4; }
__device__ constexpr int moment_at(int place) { return place == 0 ? 0 : place - 3; }

/// One axis less: the axis with the smallest exponent, for which least is to be done.
__device__ constexpr int least_axis(Power p) {
  const int x = p.x > 0 ? p.x : 99, y = p.y > 0 ? p.y : 99, z = p.z > 0 ? p.z : 99;
  return x <= y && x <= z ? 0 : y <= z ? 1 : 2;
}
__device__ constexpr int exponent(Power p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }
__device__ constexpr int place_less(Power p, int axis, int by) {
  return place_of(p.x - (axis == 0 ? by : 0), p.y - (axis == 1 ? by : 0), p.z - (axis == 2 ? by : 0));
}
/// Places of a product and a quotient of monomials; whether there is a quotient.
__device__ constexpr int product_of(int a, int b) {
  return place_of(power_at(a).x + power_at(b).x, power_at(a).y + power_at(b).y,
                  power_at(a).z + power_at(b).z);
}
__device__ constexpr bool divides(int a, int b) {
  return power_at(a).x <= power_at(b).x && power_at(a).y <= power_at(b).y && power_at(a).z <= power_at(b).z;
}
__device__ constexpr int quotient_of(int b, int a) {
  return place_of(power_at(b).x - power_at(a).x, power_at(b).y - power_at(a).y,
                  power_at(b).z - power_at(a).z);
}

/// Monomials over factorials, (x y z)^n / n!, up to the order below `end`.
template <int end>
__device__ __forceinline__ void find_monomials(float (&m)[terms_below(end)], float3 at) {
  m[0] = 1;
  repeat<1, terms_below(end)>([&](auto number) {
    constexpr int t = decltype(number)::value;
    constexpr Power p = power_at(t);
    constexpr int axis = least_axis(p), e = exponent(p, axis);
    const float x = axis == 0 ? at.x : axis == 1 ? at.y : at.z;
    m[t] = m[place_less(p, axis, 1)] * (x * (1.0f / e));
  });
}

/// Derivatives of 1 / sqrt(r^2 + eps^2) at `at`, which is r over that root: D^n times the root to the power
/// |n| + 1 (McMurchie and Davidson 1978, for this function).
struct Derivatives {
  float of[EXPANSION + 1][all_terms];  // [0]: these; the others are on the way
};
__device__ __forceinline__ void find_derivatives(Derivatives& d, float3 at) {
  float begin = 1;
#pragma unroll
  for (int k = 0; k <= EXPANSION; ++k) {
    d.of[k][0] = begin;
    begin *= -(2 * k + 1);
  }
  repeat<1, all_terms>([&](auto number) {
    constexpr int t = decltype(number)::value;
    constexpr Power p = power_at(t);
    constexpr int axis = least_axis(p), e = exponent(p, axis);
    const float x = axis == 0 ? at.x : axis == 1 ? at.y : at.z;
    repeat<0, EXPANSION - order_of(p) + 1>([&](auto level) {
      constexpr int k = decltype(level)::value;
      float value = x * d.of[k + 1][place_less(p, axis, 1)];
      if constexpr (e > 1) value += (e - 1) * d.of[k + 1][place_less(p, axis, 2)];
      d.of[k][t] = value;
    });
  });
}

/// Adds to a lane's local series the cell with these moments, in its reach, at `from` from the target's
/// middle. `scale`: of the local series. A lane without a cell (`acts`) adds 0.
__device__ __forceinline__ void add_cell(float (&sum)[local_terms], const float4* moments, float3 from,
                                         float reach, float scale, bool acts, float eps2) {
  const float u = rsqrtf(from.x * from.x + (from.y * from.y + (from.z * from.z + eps2)));
  Derivatives d;
  find_derivatives(d, make_float3(-from.x * u, -from.y * u, -from.z * u));
  const float own = reach * u, step = scale * u;
  float m[moment_terms];
  float factor[EXPANSION];
  factor[0] = 1;
#pragma unroll
  for (int k = 1; k < EXPANSION; ++k) factor[k] = factor[k - 1] * own;
  repeat<0, terms_below(EXPANSION)>([&](auto number) {
    constexpr int t = decltype(number)::value;
    if constexpr (has_moment(t)) {
      const float4 four = moments[moment_at(t) / 4];
      constexpr int k = moment_at(t) % 4;
      m[moment_at(t)] = (k == 0   ? four.x
                         : k == 1 ? four.y
                         : k == 2 ? four.z
                                  : four.w) *
                        factor[order_of(power_at(t))];
    }
  });
  float outer = acts ? u * u : 0;
  repeat<1, EXPANSION + 1>([&](auto order) {
    constexpr int n = decltype(order)::value;
    repeat<terms_below(n), terms_below(n + 1)>([&](auto number) {
      constexpr int t = decltype(number)::value;
      float term = 0;
      repeat<0, terms_below(EXPANSION - n + 1)>([&](auto other) {
        constexpr int o = decltype(other)::value;
        if constexpr (has_moment(o)) term += m[moment_at(o)] * d.of[0][product_of(t, o)];
      });
      sum[t - 1] += outer * term;
    });
    outer *= step;
  });
}

/// The pull at `at` from the middle of a local series, in units of its scale.
__device__ __forceinline__ float3 pull_of_local(const float* local, float3 at) {
  float m[terms_below(EXPANSION)];
  find_monomials<EXPANSION>(m, at);
  float3 pull = make_float3(0, 0, 0);
  repeat<0, terms_below(EXPANSION)>([&](auto number) {
    constexpr int t = decltype(number)::value;
    pull.x += local[product_of(t, 1) - 1] * m[t];
    pull.y += local[product_of(t, 2) - 1] * m[t];
    pull.z += local[product_of(t, 3) - 1] * m[t];
  });
  return pull;
}

/// Sums over `rows` lanes of what each has in `value`: the sum of number k goes to result[k]. `stage`: 32
/// rows. For a whole warp.
template <int count>
__device__ __forceinline__ void sum_columns(const float (&value)[count], float* stage, unsigned rows,
                                            float* result) {
  const unsigned lane = threadIdx.x % 32;
  repeat<0, (count + 31) / 32>([&](auto number) {
    constexpr int begin = decltype(number)::value * 32, end = begin + 32 < count ? begin + 32 : count;
    repeat<begin, end>([&](auto each) {
      constexpr int t = decltype(each)::value;
      stage[lane * stage_row + t - begin] = value[t];
    });
    __syncwarp();
    float sum = 0;
    for (unsigned row = 0; row < rows; ++row) sum += stage[row * stage_row + lane];
    if (begin + (int)lane < end) result[begin + lane] = sum;
    __syncwarp();
  });
}
