#pragma once

// Elementary functions with the same bits on every machine. libm has several variants of each, chosen at run time by
// what the processor can do (fused multiply-add or not), and they differ in the last bit: results must not. Here all is
// plain arithmetic in one order (no contraction, see CMakeLists.txt), within 1 unit in the last place of the exact
// value (docs/theory/base.md). Infinities, zeros and NaN as in C. What IEEE 754 rounds exactly (sqrt, floor, fmod,
// ldexp, ...) is taken from the standard library.

#include <complex>

namespace espalier::elementary {

struct SinCos {
  double sin = 0;
  double cos = 1;
};
SinCos sin_cos(double x);  // of any size
double sin(double x);
double cos(double x);
double tan(double x);

double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);

double exp(double x);
double log(double x);
double log2(double x);
double log10(double x);
double pow(double x, double y);
double cbrt(double x);
double hypot(double x, double y);

struct SinhCosh {
  double sinh = 0;
  double cosh = 1;
};
SinhCosh sinh_cosh(double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);

using Complex = std::complex<double>;
Complex polar(double size, double angle);
struct ComplexSinCos {
  Complex sin, cos;
};
ComplexSinCos sin_cos(const Complex& z);
struct ComplexSinhCosh {
  Complex sinh, cosh;
};
ComplexSinhCosh sinh_cosh(const Complex& z);

}  // namespace espalier::elementary
