#pragma once

#include <cmath>

namespace orrery::sim {

/// Three Cartesian components. Trivially copyable, no padding: an array of them is an array of 3 N numbers.
template <typename T>
struct Vector3 {
  T x{}, y{}, z{};

  constexpr Vector3& operator+=(const Vector3& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  constexpr Vector3& operator-=(const Vector3& b) {
    x -= b.x, y -= b.y, z -= b.z;
    return *this;
  }
  constexpr Vector3& operator*=(T s) {
    x *= s, y *= s, z *= s;
    return *this;
  }
  friend constexpr Vector3 operator+(Vector3 a, const Vector3& b) { return a += b; }
  friend constexpr Vector3 operator-(Vector3 a, const Vector3& b) { return a -= b; }
  friend constexpr Vector3 operator-(const Vector3& a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vector3 operator*(Vector3 a, T s) { return a *= s; }
  friend constexpr Vector3 operator*(T s, Vector3 a) { return a *= s; }
  friend constexpr bool operator==(const Vector3&, const Vector3&) = default;

  /// Conversion between precisions; narrowing is intended where it is written out.
  template <typename U>
  constexpr explicit operator Vector3<U>() const {
    return {static_cast<U>(x), static_cast<U>(y), static_cast<U>(z)};
  }
};

/// a . b
template <typename T>
constexpr T dot(const Vector3<T>& a, const Vector3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
/// a x b, right-handed
template <typename T>
constexpr Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// |a|
template <typename T>
T norm(const Vector3<T>& a) {
  return std::sqrt(dot(a, a));
}
/// True if no component is infinite or not a number.
template <typename T>
bool is_finite(const Vector3<T>& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

using Vec3 = Vector3<float>;    ///< state: positions, velocities, accelerations
using DVec3 = Vector3<double>;  ///< sums and references

}  // namespace orrery::sim
