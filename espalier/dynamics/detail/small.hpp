#pragma once

// Three-dimensional algebra over a scalar that is a double or a pack of doubles, one a lane. Plain structs and loops
// that the compiler unrolls: with g++ 12, Eigen's expressions cost half as much again here.

#include <cmath>
#include <cstdint>

namespace espalier::dynamics::detail {

// Always inlined: this code is compiled several times for different instruction sets, and no copy of a function made
// for one of them may be linked into another.
#define ESPALIER_INLINE [[gnu::always_inline]] inline

template <class R>
struct Vec {
  R x, y, z;

  ESPALIER_INLINE Vec operator+(const Vec& b) const { return {x + b.x, y + b.y, z + b.z}; }
  ESPALIER_INLINE Vec operator-(const Vec& b) const { return {x - b.x, y - b.y, z - b.z}; }
  ESPALIER_INLINE Vec operator-() const { return {-x, -y, -z}; }
  ESPALIER_INLINE Vec operator*(const R& s) const { return {x * s, y * s, z * s}; }
  ESPALIER_INLINE Vec& operator+=(const Vec& b) { return *this = *this + b; }
  ESPALIER_INLINE Vec& operator-=(const Vec& b) { return *this = *this - b; }
};

template <class R>
ESPALIER_INLINE R dot(const Vec<R>& a, const Vec<R>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class R>
ESPALIER_INLINE Vec<R> cross(const Vec<R>& a, const Vec<R>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// A vector of constants, the same in every lane.
using Fixed = Vec<double>;

// A rotation by its columns: the axes of the turned frame.
template <class R>
struct Turn {
  Vec<R> x, y, z;

  ESPALIER_INLINE Vec<R> operator*(const Vec<R>& v) const { return x * v.x + y * v.y + z * v.z; }
};
template <class R>
ESPALIER_INLINE Vec<R> apply(const Turn<R>& turn, const Fixed& v) {
  return {turn.x.x * v.x + turn.y.x * v.y + turn.z.x * v.z, turn.x.y * v.x + turn.y.y * v.y + turn.z.y * v.z,
          turn.x.z * v.x + turn.y.z * v.y + turn.z.z * v.z};
}
template <class R>
ESPALIER_INLINE Turn<R> apply(const Turn<R>& turn, const Turn<double>& b) {
  return {apply(turn, b.x), apply(turn, b.y), apply(turn, b.z)};
}

// A symmetric 3x3 matrix.
template <class R>
struct Sym {
  R xx, xy, xz, yy, yz, zz;

  ESPALIER_INLINE Vec<R> operator*(const Vec<R>& v) const {
    return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
  }
  ESPALIER_INLINE Sym operator+(const Sym& b) const {
    return {xx + b.xx, xy + b.xy, xz + b.xz, yy + b.yy, yz + b.yz, zz + b.zz};
  }
};

// Minus a b^T, where the sum over all such pairs is symmetric.
template <class R>
ESPALIER_INLINE void subtract_outer(Sym<R>& m, const Vec<R>& a, const Vec<R>& b) {
  m.xx -= a.x * b.x, m.xy -= a.x * b.y, m.xz -= a.x * b.z;
  m.yy -= a.y * b.y, m.yz -= a.y * b.z, m.zz -= a.z * b.z;
}

// A 3x3 matrix by its rows.
template <class R>
struct Mat {
  Vec<R> x, y, z;

  ESPALIER_INLINE Vec<R> operator*(const Vec<R>& v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
  ESPALIER_INLINE Mat operator+(const Mat& b) const { return {x + b.x, y + b.y, z + b.z}; }
};
template <class R>
ESPALIER_INLINE Vec<R> multiply_transposed(const Mat<R>& m, const Vec<R>& v) {
  return m.x * v.x + m.y * v.y + m.z * v.z;
}
template <class R>
ESPALIER_INLINE void subtract_outer(Mat<R>& m, const Vec<R>& a, const Vec<R>& b) {
  m.x -= b * a.x, m.y -= b * a.y, m.z -= b * a.z;
}

// R I R^T for constant I.
template <class R>
ESPALIER_INLINE Sym<R> turned(const Turn<R>& turn, const Sym<double>& inertia) {
  const Vec<R> a = apply(turn, Fixed{inertia.xx, inertia.xy, inertia.xz});
  const Vec<R> b = apply(turn, Fixed{inertia.xy, inertia.yy, inertia.yz});
  const Vec<R> c = apply(turn, Fixed{inertia.xz, inertia.yz, inertia.zz});
  return {turn.x.x * a.x + turn.y.x * b.x + turn.z.x * c.x, turn.x.x * a.y + turn.y.x * b.y + turn.z.x * c.y,
          turn.x.x * a.z + turn.y.x * b.z + turn.z.x * c.z, turn.x.y * a.y + turn.y.y * b.y + turn.z.y * c.y,
          turn.x.y * a.z + turn.y.y * b.z + turn.z.y * c.z, turn.x.z * a.z + turn.y.z * b.z + turn.z.z * c.z};
}

// An articulated inertia [A B; B^T C], angular part first: moment = A alpha + B a, force = B^T alpha + C a.
template <class R>
struct Articulated {
  Sym<R> A;
  Mat<R> B;
  Sym<R> C;
};

// Wrench or motion.
template <class R>
struct Pair {
  Vec<R> angular, linear;

  ESPALIER_INLINE Pair operator+(const Pair& b) const { return {angular + b.angular, linear + b.linear}; }
  ESPALIER_INLINE Pair& operator+=(const Pair& b) { return *this = *this + b; }
};
template <class R>
ESPALIER_INLINE R dot(const Pair<R>& a, const Pair<R>& b) {
  return dot(a.angular, b.angular) + dot(a.linear, b.linear);
}

template <class R>
ESPALIER_INLINE Pair<R> operator*(const Articulated<R>& m, const Pair<R>& a) {
  return {m.A * a.angular + m.B * a.linear, multiply_transposed(m.B, a.angular) + m.C * a.linear};
}

// The inertia seen from a point that lies -r away, so that the present point is at r from it: with X the shift of
// motions, X^T M X. B' = B + [r] C, A' = A + [r] B^T - B' [r].
template <class R>
ESPALIER_INLINE Articulated<R> shifted(const Articulated<R>& m, const Vec<R>& r) {
  Articulated<R> s;
  s.C = m.C;
  const Vec<R> cx{m.C.xx, m.C.xy, m.C.xz}, cy{m.C.xy, m.C.yy, m.C.yz}, cz{m.C.xz, m.C.yz, m.C.zz};
  s.B.x = m.B.x + cz * r.y - cy * r.z;
  s.B.y = m.B.y + cx * r.z - cz * r.x;
  s.B.z = m.B.z + cy * r.x - cx * r.y;
  // Row i of -B' [r] is -(b' x r) written as r x b'; row i of [r] B^T mixes the rows of B.
  const Vec<R> px = cross(r, s.B.x), py = cross(r, s.B.y), pz = cross(r, s.B.z);
  s.A.xx = m.A.xx + (r.y * m.B.x.z - r.z * m.B.x.y) + px.x;
  s.A.xy = m.A.xy + (r.y * m.B.y.z - r.z * m.B.y.y) + px.y;
  s.A.xz = m.A.xz + (r.y * m.B.z.z - r.z * m.B.z.y) + px.z;
  s.A.yy = m.A.yy + (r.z * m.B.y.x - r.x * m.B.y.z) + py.y;
  s.A.yz = m.A.yz + (r.z * m.B.z.x - r.x * m.B.z.z) + py.z;
  s.A.zz = m.A.zz + (r.x * m.B.z.y - r.y * m.B.z.x) + pz.z;
  return s;
}

// x minus the nearest multiple of pi/2, which is `quarter` of them. Three parts of pi/2 whose products with integers
// up to 2^20 are exact: the reduction loses nothing up to |x| = 10^6.
inline constexpr double kHalfPi1 = 0x1.921fb544p+0;
inline constexpr double kHalfPi2 = 0x1.0b4611a6p-34;
inline constexpr double kHalfPi3 = 0x1.3198a2e037073p-69;
inline constexpr double kRounder = 0x1.8p52;  // adding and subtracting it rounds to an integer

// Taylor series on [-pi/4, pi/4]: the first term left out is below 1e-19.
template <class R>
ESPALIER_INLINE R sine_series(const R& x, const R& xx) {
  R sum = xx * (1.0 / 355687428096000.0) - 1.0 / 1307674368000.0;
  sum = sum * xx + 1.0 / 6227020800.0;
  sum = sum * xx - 1.0 / 39916800.0;
  sum = sum * xx + 1.0 / 362880.0;
  sum = sum * xx - 1.0 / 5040.0;
  sum = sum * xx + 1.0 / 120.0;
  sum = sum * xx - 1.0 / 6.0;
  return x + x * (xx * sum);
}
template <class R>
ESPALIER_INLINE R cosine_series(const R& xx) {
  R sum = 1.0 / 20922789888000.0 - xx * (1.0 / 6402373705728000.0);
  sum = sum * xx - 1.0 / 87178291200.0;
  sum = sum * xx + 1.0 / 479001600.0;
  sum = sum * xx - 1.0 / 3628800.0;
  sum = sum * xx + 1.0 / 40320.0;
  sum = sum * xx - 1.0 / 720.0;
  sum = sum * xx + 1.0 / 24.0;
  return 1.0 - (xx * 0.5 - xx * xx * sum);
}

}  // namespace espalier::dynamics::detail
