#pragma once

#include <cmath>
#include <complex>
#include <type_traits>

#include "espalier/math/double_double.hpp"

namespace espalier::modes::detail {

// A number with its derivative by s or omega.
template <class T>
struct Dual {
  T value{};
  T slope{};

  Dual() = default;
  Dual(double constant) : value(constant) {}
  explicit Dual(const math::DoubleDouble& constant) : value(constant) {}
  Dual(T v, T d) : value(v), slope(d) {}
};

template <class T>
Dual<T> operator+(const Dual<T>& a, const Dual<T>& b) {
  return {a.value + b.value, a.slope + b.slope};
}
template <class T>
Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) {
  return {a.value - b.value, a.slope - b.slope};
}
template <class T>
Dual<T> operator-(const Dual<T>& a) {
  return {-a.value, -a.slope};
}
template <class T>
Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) {
  return {a.value * b.value, a.slope * b.value + a.value * b.slope};
}
template <class T>
Dual<T> operator*(const Dual<T>& a, double b) {
  return {a.value * b, a.slope * b};
}
template <class T>
Dual<T> operator*(double a, const Dual<T>& b) {
  return b * a;
}
template <class T>
Dual<T> operator+(const Dual<T>& a, double b) {
  return {a.value + b, a.slope};
}
template <class T>
Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
  const T quotient = a.value / b.value;
  return {quotient, (a.slope - quotient * b.slope) / b.value};
}
template <class T>
Dual<T>& operator+=(Dual<T>& a, const Dual<T>& b) {
  return a = a + b;
}
template <class T>
Dual<T>& operator-=(Dual<T>& a, const Dual<T>& b) {
  return a = a - b;
}
template <class T>
Dual<T>& operator*=(Dual<T>& a, const Dual<T>& b) {
  return a = a * b;
}

// With a constant of double-double.
template <class T>
requires std::is_same_v<T, math::DoubleDouble> Dual<T>
operator*(const Dual<T>& a, const math::DoubleDouble& b) { return {a.value * b, a.slope * b}; }
template <class T>
requires std::is_same_v<T, math::DoubleDouble> Dual<T>
operator*(const math::DoubleDouble& a, const Dual<T>& b) { return b * a; }
template <class T>
requires std::is_same_v<T, math::DoubleDouble> Dual<T>
operator+(const Dual<T>& a, const math::DoubleDouble& b) { return {a.value + b, a.slope}; }

// The real numbers that a pass over T counts signs of and has its constants in.
template <class T>
struct RealOf {
  using Type = double;
};
template <>
struct RealOf<math::DoubleDouble> {
  using Type = math::DoubleDouble;
};
template <class T>
struct RealOf<Dual<T>> : RealOf<T> {};
template <class T>
using Real = typename RealOf<T>::Type;

// Numbers whose signs can be counted: all but the complex ones.
template <class T>
struct HasSign : std::true_type {};
template <>
struct HasSign<std::complex<double>> : std::false_type {};
template <class T>
struct HasSign<Dual<T>> : HasSign<T> {};
template <class T>
inline constexpr bool kCountsSigns = HasSign<T>::value;

// Size of a number for the choice of pivots.
inline double magnitude(double x) { return std::abs(x); }
inline double magnitude(const math::DoubleDouble& x) { return std::abs(x.high); }
inline double magnitude(const std::complex<double>& x) { return std::abs(x.real()) + std::abs(x.imag()); }
template <class T>
double magnitude(const Dual<T>& x) {
  return magnitude(x.value);
}

inline double value_of(double x) { return x; }
inline const math::DoubleDouble& value_of(const math::DoubleDouble& x) { return x; }
inline const std::complex<double>& value_of(const std::complex<double>& x) { return x; }
template <class T>
const T& value_of(const Dual<T>& x) {
  return x.value;
}

}  // namespace espalier::modes::detail
