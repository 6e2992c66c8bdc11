// The arithmetic of a tree that the walks of the CPU and of the GPU have in common, written once: when a cell
// is far enough, and how moments are contracted. It is compiled for numbers (tree_rule.h), for vectors of the
// CPU (tree_rule-inl.h), and as device code of the GPU. Each of these says what HOST_DEVICE means, and has
// multiply_add, multiply_subtract, larger, smaller, above_zero, is_above and both for its numbers.
#ifdef __CUDACC_RTC__
/// a b + c and a b - c, rounded once where the compiler joins both.
HOST_DEVICE float multiply_add(float a, float b, float c) { return a * b + c; }
HOST_DEVICE float multiply_subtract(float a, float b, float c) { return a * b - c; }
HOST_DEVICE float larger(float a, float b) { return fmaxf(a, b); }
HOST_DEVICE float smaller(float a, float b) { return fminf(a, b); }
HOST_DEVICE float above_zero(float x) { return fmaxf(x, 0.0f); }
HOST_DEVICE bool is_above(float a, float b) { return a > b; }
HOST_DEVICE bool both(bool a, bool b) { return a && b; }
/// A number of the kind of another.
HOST_DEVICE float filled(float x, float) { return x; }
#endif

/// How far a coordinate is outside of a box.
template <typename Number>
HOST_DEVICE Number outside(Number x, Number least, Number most) {
  return above_zero(larger(least - x, x - most));
}

/// The squared distance that counts of a cell from a group: that from the box with most of its bodies
/// (CellRuleOf::inner_part), bounded by that from the whole one. `rule`: CellRuleOf any numbers.
template <typename Rule, typename Number>
HOST_DEVICE Number distance_that_counts(const Rule& rule, Number from_inner, Number from_box) {
  return smaller(from_inner, from_box * filled((float)rule.most_times, from_box));
}

/// True if a cell holds no body of a group at that squared distance of its box, and leaves out no more than
/// is allowed at the distance that counts. `reach` and `opening`: squared distances of the cell, the second
/// one with the group's factor.
template <typename Rule, typename Number>
HOST_DEVICE auto is_far_enough(const Rule&, Number from_box, Number that_counts, Number reach,
                               Number opening) {
  return both(is_above(from_box, reach), is_above(that_counts, opening));
}

/// a x + b y + c z
template <typename Number>
HOST_DEVICE Number along(Number a, Number b, Number c, const Number (&n)[3]) {
  return multiply_add(c, n[2], multiply_add(b, n[1], a * n[0]));
}

/// Moments times the direction n: for second ones S the vector S n and the number n S n, for third ones T the
/// vector T n n and the number T n n n.
template <typename Number>
struct MomentPull {
  Number across[3], inner;
};

/// Of second moments xx, xy, xz, yy, yz, zz.
template <typename Number>
HOST_DEVICE MomentPull<Number> pull_of_second(const Number (&q)[6], const Number (&n)[3]) {
  const Number x = along(q[0], q[1], q[2], n), y = along(q[1], q[3], q[4], n), z = along(q[2], q[4], q[5], n);
  return {{x, y, z}, along(x, y, z, n)};
}

/// `even`: the traceless products of two components, xx - zz, yy - zz, 2 xy, 2 xz, 2 yz.
template <typename Number>
HOST_DEVICE Number along_even(Number a, Number b, Number xy, Number xz, Number yz, const Number (&even)[5]) {
  const Number first = multiply_add(xy, even[2], multiply_add(b, even[1], a * even[0]));
  return multiply_add(yz, even[4], multiply_add(xz, even[3], first));
}

/// Of third moments without traces: xxx, xxy, xxz, xyy, xyz, yyy, yyz, and those that follow from them, xzz,
/// yzz. With T times 7.5 the acceleration over the fourth power of the distance is T n n - 7/3 (T n n n) n.
template <typename Number>
HOST_DEVICE MomentPull<Number> pull_of_third(const Number (&t)[9], const Number (&n)[3]) {
  const Number z2 = n[2] * n[2], twice_x = n[0] + n[0], twice_z = n[2] + n[2];
  const Number even[5] = {multiply_subtract(n[0], n[0], z2), multiply_subtract(n[1], n[1], z2),
                          twice_x * n[1], twice_z * n[0], twice_z * n[1]};
  const Number x = along_even(t[0], t[3], t[1], t[2], t[4], even),
               y = along_even(t[1], t[5], t[3], t[4], t[6], even),
               z = along_even(t[2], t[6], t[4], t[7], t[8], even);
  return {{x, y, z}, along(x, y, z, n)};
}
