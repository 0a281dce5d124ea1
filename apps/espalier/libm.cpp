// What shared libraries of this program call from libm (pagmo's searches: their steps become designs) comes from
// base/numbers.hpp too, so that no result depends on the variant of libm that the processor gets. A symbol of the
// program goes before those of the libraries.

#include "espalier/base/numbers.hpp"

extern "C" {

double sin(double x) noexcept { return espalier::elementary::sin(x); }
double cos(double x) noexcept { return espalier::elementary::cos(x); }
double exp(double x) noexcept { return espalier::elementary::exp(x); }
double log(double x) noexcept { return espalier::elementary::log(x); }
double pow(double x, double y) noexcept { return espalier::elementary::pow(x, y); }
void sincos(double x, double* sine, double* cosine) noexcept {
  const espalier::elementary::SinCos both = espalier::elementary::sin_cos(x);
  *sine = both.sin;
  *cosine = both.cos;
}

}  // extern "C"
