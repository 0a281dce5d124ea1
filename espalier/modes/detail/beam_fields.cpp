#include "espalier/modes/detail/beam_fields.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::modes::detail {
namespace {

// Where a slice ends: (lambda l) of bending, kappa l of axial waves and torsion. Clamped at both ends it would resonate
// at 4.73 and at pi. Shear and rotary inertia together with bending stay below the first resonance as well, by
// Dunkerley's sum: (2.2 / 4.73)^4 + (1 / pi)^2 + (1 / pi)^2 < 1.
constexpr double kBend = 2.2;
constexpr double kWave = 2;
constexpr double kShear = 1;

// 1 / k!
template <class R>
constexpr std::array<R, 48> inverse_factorials() {
  std::array<R, 48> f{};
  R factorial(1.0);
  for (std::size_t k = 0; k < f.size(); ++k) {
    // In R itself: a factorial beyond 2^53 is no double, and its inverse would lack half of the digits.
    if (k > 0) factorial *= R(static_cast<double>(k));
    f[k] = R(1.0) / factorial;
  }
  return f;
}
template <class R>
const std::array<R, 48> kInverseFactorial = inverse_factorials<R>();

// Terms that leave nothing but rounding: in x^m / (4 m)! with |x| <= kBend^4, and in x^m / (2 m)! with |x| <= kWave^2.
template <class T>
inline constexpr bool kShort = std::is_same_v<Real<T>, double>;
template <class T>
inline constexpr int kFourthTerms = kShort<T> ? 8 : 11;
template <class T>
inline constexpr int kSquareTerms = kShort<T> ? 16 : 21;

// sum x^m / (stride m + first)!, by Horner; |x|^(1/stride) is at most kBend.
template <class T>
T series(const T& x, int stride, int first) {
  const int terms = stride == 4 ? kFourthTerms<T> : kSquareTerms<T>;
  T sum(0.0);
  for (int m = terms - 1; m >= 0; --m) {
    // Few terms, no branch, no root: the same lines for real and complex numbers and for their derivatives.
    sum = sum * x + kInverseFactorial<Real<T>>[to_index(stride * m + first)];
  }
  return sum;
}

template <class T>
void set_wave(const T& p, const T& stiffness, const Real<T>& l, Field<T>& f) {
  // (M1), (M2): x'' = (p / stiffness) x, of which cosh and sinh are entire in p.
  const T x = p * (l * l) / stiffness;
  const T cosine = series(x, 2, 0);
  const T sine = series(x, 2, 1);
  f.size = 1;
  f.A[0] = cosine;
  f.B[0] = sine * l / stiffness;
  f.C[0] = p * l * sine;
  f.D[0] = cosine;
  // B^-1 A, what the far end held adds for the count (M8).
  f.stiffness[0] = cosine / f.B[0];
  // Force per displacement of a wave that runs in one direction.
  f.impedance[0] = std::sqrt(magnitude(p) * magnitude(stiffness));
}

// c0 + c1 N + c2 N^2 + c3 N^3 = exp N for N^4 = e1 N^2 - e2.
template <class T>
struct Bending {
  T c0{}, c1{}, c2{}, c3{};
};
template <class T>
Bending<T> bending_series(const T& e2) {
  // Without shear and rotary inertia N^4 = -e2, and each coefficient is a series in it alone.
  const T x = -e2;
  return {series(x, 4, 0), series(x, 4, 1), series(x, 4, 2), series(x, 4, 3)};
}
template <class T>
Bending<T> bending_series(const T& e1, const T& e2) {
  // N^2m = a N^2 + b.
  T a(0.0), b(1.0);
  Bending<T> c;
  for (std::size_t m = 0; m < to_index(kSquareTerms<T>); ++m) {
    const Real<T>&even = kInverseFactorial<Real<T>>[2 * m], &odd = kInverseFactorial<Real<T>>[2 * m + 1];
    // exp N in powers of N, each reduced to 1, N, N^2, N^3 by N^4 = e1 N^2 - e2.
    c.c0 += b * even;
    c.c1 += b * odd;
    c.c2 += a * even;
    c.c3 += a * odd;
    const T next = e1 * a + b;
    b = -(e2 * a);
    a = next;
  }
  return c;
}

// (M3) z' = N z / l for z = (y, theta, force, moment): y' = theta + g force, theta' = moment / EI, force' = pA y,
// moment' = pI theta - force.
template <class T>
void set_bending(const T& pA, const T& pI, const T& EI, const T& g, bool shear, const Real<T>& l, Field<T>& f) {
  // N^4 - (a + b) N^2 + (a b + k) = 0, the characteristic equation of (M3).
  const T a = pA * g, b = pI / EI, k = pA / EI;
  const Real<T> l2 = l * l, l3 = l2 * l;
  const Bending<T> c = shear ? bending_series((a + b) * l2, (a * b + k) * (l2 * l2)) : bending_series<T>(k * (l2 * l2));
  f.size = 2;
  f.A = {c.c0 + c.c2 * l2 * a, c.c1 * l + c.c3 * l3 * (a + b), -(c.c3 * l3 * k), c.c0 + c.c2 * l2 * b};
  f.B = {c.c1 * l * g + c.c3 * l3 * (g * a) - c.c3 * l3 / EI, c.c2 * l2 / EI, -(c.c2 * l2 / EI),
         c.c1 * l / EI + c.c3 * l3 * b / EI};
  f.C = {c.c1 * l * pA + c.c3 * l3 * (a * pA), c.c2 * l2 * pA, -(c.c2 * l2 * pA),
         c.c1 * l * pI + c.c3 * l3 * (pI * b) - c.c3 * l3 * pA};
  // By reciprocity D is A transposed, except for signs.
  f.D = {f.A[0], c.c3 * l3 * k, -f.A[1], f.A[3]};
  const T det = f.B[0] * f.B[3] - f.B[1] * f.B[2];
  // B^-1 A.
  f.stiffness = {(f.B[3] * f.A[0] - f.B[1] * f.A[2]) / det, (f.B[3] * f.A[1] - f.B[1] * f.A[3]) / det,
                 (f.B[0] * f.A[2] - f.B[2] * f.A[0]) / det, (f.B[0] * f.A[3] - f.B[2] * f.A[1]) / det};
  const double p = magnitude(pA), e = magnitude(EI);
  f.impedance = {std::sqrt(p * std::sqrt(p * e)), std::sqrt(e * std::sqrt(p * e))};
}

// In the x-z plane a positive rotation about y turns z down.
template <class T>
void turn_over(Field<T>& f) {
  for (auto* matrix : {&f.A, &f.B, &f.C, &f.D, &f.stiffness}) {
    (*matrix)[1] = -(*matrix)[1];
    (*matrix)[2] = -(*matrix)[2];
  }
}

template <class T>
Field<T>& next_field(Fields<T>& fields, int first) {
  Field<T>& field = fields.of[to_index(fields.count++)];
  field.first = first;
  field.rigid = false;
  field.spring = T(1.0);
  return field;
}

}  // namespace

template <class T>
void set_fields(const BeamLaw& law, const Frequency<T>& at, Fields<T>& fields) {
  fields.count = 0;
  const Real<T> l = Real<T>(law.length) / law.slices;
  // E (1 + eta s) and G (1 + eta s).
  const T stiffer = law.kelvin_voigt * at.s + 1.0;
  const T pA = at.s2 * law.rho_A + at.s * law.viscous + law.foundation;
  if (law.axial >= 0) set_wave(pA, stiffer * law.EA, l, next_field(fields, law.axial));
  if (law.torsion >= 0) set_wave(at.s2 * law.rho_Ip, stiffer * law.GJ, l, next_field(fields, law.torsion));
  if (law.bend_y >= 0) {
    set_bending(pA, at.s2 * law.rho_Iz, stiffer * law.EIz, T(law.shear_y) / stiffer, law.shear_y > 0 || law.rho_Iz > 0,
                l, next_field(fields, law.bend_y));
  }
  if (law.bend_z >= 0) {
    Field<T>& field = next_field(fields, law.bend_z);
    set_bending(pA, at.s2 * law.rho_Iy, stiffer * law.EIy, T(law.shear_z) / stiffer, law.shear_z > 0 || law.rho_Iy > 0,
                l, field);
    turn_over(field);
  }
}

template <class T>
void set_fields(const HingeLaw& law, const Frequency<T>& at, Fields<T>& fields) {
  fields.count = 0;
  const int n = static_cast<int>(law.stiffness.size());
  for (int k = 0; k < n; ++k) {
    Field<T>& field = next_field(fields, k);
    field.size = 1;
    field.rigid = k >= law.elastic;
    const auto i = to_index(k);
    // (M4) of a joint: A = D = 1, C = 0, B = 1 / (k + c s), or 0 where it is rigid.
    if (!field.rigid) field.spring = at.s * law.damping[i] + law.stiffness[i];
    field.A[0] = T(1.0);
    field.B[0] = field.rigid ? T(0.0) : T(1.0) / field.spring;
    field.C[0] = T(0.0);
    field.D[0] = T(1.0);
    field.stiffness[0] = field.spring;
    field.impedance[0] = magnitude(field.spring);
  }
}

int slices_for(const BeamLaw& whole, double largest_s) {
  // The largest |p_A| of all |s| up to there, since each summand grows with |s|.
  const double pA = whole.rho_A * largest_s * largest_s + whole.viscous * largest_s + whole.foundation;
  double most = 1;
  const auto wave = [&](bool there, double p, double stiffness, double longest) {
    if (there && stiffness > 0) most = std::max(most, whole.length * std::sqrt(p / stiffness) / longest);
  };
  wave(whole.axial >= 0, pA, whole.EA, kWave);
  wave(whole.torsion >= 0, whole.rho_Ip * largest_s * largest_s, whole.GJ, kWave);
  const auto bend = [&](bool there, double EI, double rho_I, double shear) {
    if (!there) return;
    most = std::max(most, whole.length * elementary::pow(pA / EI, 0.25) / kBend);
    // Shear and rotary inertia are waves of their own, and bounded as such.
    wave(true, pA * shear, 1, kShear);
    wave(true, rho_I * largest_s * largest_s, EI, kShear);
  };
  bend(whole.bend_y >= 0, whole.EIz, whole.rho_Iz, whole.shear_y);
  bend(whole.bend_z >= 0, whole.EIy, whole.rho_Iy, whole.shear_z);
  return static_cast<int>(std::ceil(most));
}

double uncut_upto(const Beam& beam) {
  double upto = std::numeric_limits<double>::infinity();
  const auto wave = [&](double inertia, double stiffness, double longest) {
    if (inertia > 0 && stiffness > 0) upto = std::min(upto, longest / beam.length * std::sqrt(stiffness / inertia));
  };
  if (beam.axial) wave(beam.rho_A, beam.EA, kWave);
  if (beam.torsion) wave(beam.rho_Ip, beam.GJ, kWave);
  const auto bend = [&](double EI, double rho_I, double shear) {
    if (beam.rho_A > 0) {
      const double wave_number = kBend / beam.length;
      upto = std::min(upto, wave_number * wave_number * std::sqrt(EI / beam.rho_A));
    }
    wave(beam.rho_A * shear, 1, kShear);
    wave(rho_I, EI, kShear);
  };
  if (beam.bend_y) bend(beam.EIz, beam.rho_Iz, beam.shear_y);
  if (beam.bend_z) bend(beam.EIy, beam.rho_Iy, beam.shear_z);
  // A little below, so that rounding of the same formula in other units cuts no beam in two.
  return upto * (1 - 1e-9);
}

#define ESPALIER_INSTANTIATE(T)                                                 \
  template void set_fields<T>(const BeamLaw&, const Frequency<T>&, Fields<T>&); \
  template void set_fields<T>(const HingeLaw&, const Frequency<T>&, Fields<T>&);
ESPALIER_INSTANTIATE(double)
ESPALIER_INSTANTIATE(std::complex<double>)
ESPALIER_INSTANTIATE(math::DoubleDouble)
ESPALIER_INSTANTIATE(Dual<double>)
ESPALIER_INSTANTIATE(Dual<math::DoubleDouble>)
ESPALIER_INSTANTIATE(Dual<std::complex<double>>)
#undef ESPALIER_INSTANTIATE

}  // namespace espalier::modes::detail
