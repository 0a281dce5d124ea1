#pragma once

#include <cmath>
#include <complex>

namespace espalier::modes::detail {

// A number with its derivative by s or omega.
template <class T>
struct Dual {
  T value{};
  T slope{};

  Dual() = default;
  Dual(double constant) : value(constant) {}
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

// Size of a number for the choice of pivots.
inline double magnitude(double x) { return std::abs(x); }
inline double magnitude(const std::complex<double>& x) { return std::abs(x.real()) + std::abs(x.imag()); }
template <class T>
double magnitude(const Dual<T>& x) {
  return magnitude(x.value);
}

inline double value_of(double x) { return x; }
inline const std::complex<double>& value_of(const std::complex<double>& x) { return x; }
template <class T>
const T& value_of(const Dual<T>& x) {
  return x.value;
}

}  // namespace espalier::modes::detail
