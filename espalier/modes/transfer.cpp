#include "espalier/modes/transfer.hpp"

#include <cmath>

#include <Eigen/LU>

#include "espalier/base/numbers.hpp"

namespace espalier::modes {
namespace {

using Matrix12 = Eigen::Matrix<double, 12, 12>;

// Up to here the power series is used: no digits are lost, and at s = 0 and s = -c / (rho A) nothing else is defined.
constexpr double kSeriesKrylov = 16;  // of |w|
constexpr double kSeriesGeneral = 4;  // of |P^2| l^2, |Q^2| l^2
constexpr double kDoubleRoot = 1e-2;  // of |P^2 - Q^2| / |P^2|
constexpr int kTermsKrylov = 8;       // 16^8 / 32! < 1e-25
constexpr int kTermsGeneral = 14;     // 4^14 / 28! < 1e-21

// sum of w^k / (4k + first)!, inner terms first.
Complex krylov_series(Complex w, int first) {
  Complex sum = 1;
  for (int k = kTermsKrylov; k >= 1; --k) {
    // Nested, so that no factorial is formed and the small terms are added first.
    const double n = 4 * k + first;
    sum = 1.0 + w * sum / (n * (n - 1) * (n - 2) * (n - 3));
  }
  return sum;
}

struct RodTransfer {
  Complex cosh;
  Complex sinh_over;  // sinh(kappa l) / kappa
};

RodTransfer rod_functions(Complex square, double length) {
  const Complex x = square * length * length;
  if (std::abs(x) > kSeriesGeneral) {
    const Complex kappa = std::sqrt(square);
    // Our own functions: those of the C library differ in their last bit from machine to machine.
    const elementary::ComplexSinhCosh both = elementary::sinh_cosh(kappa * length);
    return {both.cosh, both.sinh / kappa};
  }
  Complex even = 1, odd = 1;
  for (int k = kTermsGeneral; k >= 1; --k) {
    even = 1.0 + x * even / (2.0 * k * (2 * k - 1));
    odd = 1.0 + x * odd / (2.0 * k * (2 * k + 1));
  }
  return {even, length * odd};
}

// The coefficients of exp(A l) = c0 + c1 A + c2 A^2 + c3 A^3 where A^4 = sum A^2 - product.
struct Coefficients {
  std::array<Complex, 4> c;
};

// By the series of exp: A^2k = h_(k-1) A^2 - product h_(k-2), h the complete symmetric polynomials of P^2 and Q^2.
Coefficients series_coefficients(Complex sum, Complex product, double length) {
  Coefficients out{{1, length, 0, 0}};
  const double square = length * length;
  Complex h = 1, before = 0;
  double even = 1;  // l^2k / (2k)!
  for (int k = 1; k <= kTermsGeneral; ++k) {
    even *= square / (2.0 * k * (2 * k - 1));
    const double odd = even * length / (2 * k + 1);
    out.c[2] += h * even;
    out.c[3] += h * odd;
    out.c[0] -= product * before * even;
    out.c[1] -= product * before * odd;
    const Complex next = sum * h - product * before;
    before = h;
    h = next;
  }
  return out;
}

Coefficients closed_coefficients(Complex P2, Complex Q2, double length) {
  const RodTransfer p = rod_functions(P2, length), q = rod_functions(Q2, length);
  const Complex difference = P2 - Q2;
  return {{(P2 * q.cosh - Q2 * p.cosh) / difference, (P2 * q.sinh_over - Q2 * p.sinh_over) / difference,
           (p.cosh - q.cosh) / difference, (p.sinh_over - q.sinh_over) / difference}};
}

BendingTransfer polynomial(const BendingTransfer& A, const Coefficients& coefficients) {
  const std::array<Complex, 4>& c = coefficients.c;
  const BendingTransfer square = A * A;
  const BendingTransfer cube = square * A;
  BendingTransfer U = c[1] * A + c[2] * square + c[3] * cube;
  // exp(A l) by Cayley and Hamilton: four coefficients and no eigenvectors, which fail at double roots.
  U.diagonal().array() += c[0];
  return U;
}

// Writes a two-state transfer into the rows and columns `a` and `b`.
void set_pair(Transfer& U, int a, int b, Complex aa, Complex ab, Complex ba, Complex bb) {
  U(a, a) = aa;
  U(a, b) = ab;
  U(b, a) = ba;
  U(b, b) = bb;
}

// Bending in a plane, its four states at `rows`; those of x-z turn the other way round about y.
void set_bending(Transfer& U, const BendingTransfer& bending, const std::array<int, 4>& rows, double rotation) {
  const std::array<double, 4> sign = {1, rotation, rotation, 1};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) U(rows[i], rows[j]) = sign[i] * sign[j] * bending(i, j);
  }
}

BendingTransfer beam_bending(const Beam& beam, double EI, double rotary, double shear, Complex s) {
  const Complex stiffening = 1.0 + beam.kelvin_voigt * s;
  const Complex load = (beam.rho_A * s + beam.viscous) * s + beam.foundation;
  // Without them one function of one number is enough, and loses no digits anywhere.
  if (rotary == 0 && shear == 0) return bending_transfer(beam.length, EI * stiffening, load);
  return bending_transfer(beam.length, EI * stiffening, load, rotary * s * s, shear / stiffening);
}

Directions beam_releases(const Beam& beam) {
  return {!beam.axial, !beam.bend_y, !beam.bend_z, !beam.torsion, !beam.bend_z, !beam.bend_y};
}

}  // namespace

Krylov krylov(Complex w) {
  if (std::abs(w) <= kSeriesKrylov) {
    return {krylov_series(w, 0), krylov_series(w, 1), krylov_series(w, 2) / 2.0, krylov_series(w, 3) / 6.0};
  }
  const Complex z = std::sqrt(std::sqrt(w));  // the branch with |arg z| <= pi / 4: sinh z does not cancel
  const auto [S, C] = elementary::sinh_cosh(z);
  const auto [s, c] = elementary::sin_cos(z);
  // |w| > 16 keeps C - c and S - s from cancelling.
  return {0.5 * (C + c), 0.5 * (S + s) / z, 0.5 * (C - c) / (z * z), 0.5 * (S - s) / (z * z * z)};
}

BendingTransfer bending_transfer(double length, Complex EI, Complex load) {
  const double l = length;
  // (M3) with g = p_I = 0: w = (lambda l)^4.
  const Complex w = -load / EI * (l * l * l * l);
  const Krylov k = krylov(w);
  const Complex T = l * k.T, U = l * l * k.U, V = l * l * l * k.V;
  const Complex up = w / (l * l * l * l);  // lambda^4
  BendingTransfer out;
  out << k.S, T, U / EI, V / EI,         //
      up * V, k.S, T / EI, U / EI,       //
      EI * up * U, EI * up * V, k.S, T,  //
      EI * up * T, EI * up * U, up * V, k.S;
  return out;
}

BendingTransfer bending_transfer(double length, Complex EI, Complex load, Complex moment, Complex shear) {
  // (M3), with the shear force q = -f of [Rui14].
  BendingTransfer A = BendingTransfer::Zero();
  A(0, 1) = 1;
  A(0, 3) = -shear;
  A(1, 2) = 1.0 / EI;
  A(2, 1) = moment;
  A(2, 3) = 1;
  A(3, 0) = -load;
  const Complex a = load * shear, b = moment / EI;
  const Complex sum = a + b, product = a * b + load / EI;
  // The larger root by the formula, the other from the product: their difference would lose the smaller one.
  const Complex root = std::sqrt(sum * sum - 4.0 * product);
  const Complex P2 = 0.5 * (std::real(std::conj(sum) * root) >= 0 ? sum + root : sum - root);
  const double size = std::abs(P2) * length * length;
  if (size <= kSeriesGeneral) return polynomial(A, series_coefficients(sum, product, length));
  const Complex Q2 = product / P2;
  if (std::abs(P2 - Q2) > kDoubleRoot * std::abs(P2)) return polynomial(A, closed_coefficients(P2, Q2, length));
  // Near a double root the quotients above are 0 / 0: a short slice by the series, doubled.
  const int doublings = 1 + static_cast<int>(std::ceil(0.5 * elementary::log2(size / kSeriesGeneral)));
  BendingTransfer U = polynomial(A, series_coefficients(sum, product, std::ldexp(length, -doublings)));
  for (int k = 0; k < doublings; ++k) U = (U * U).eval();
  return U;
}

Transfer local_transfer(const Beam& beam, Complex s) {
  const Complex stiffening = 1.0 + beam.kelvin_voigt * s;
  const Complex load = (beam.rho_A * s + beam.viscous) * s + beam.foundation;
  Transfer U = Transfer::Identity();
  if (beam.axial) {
    // (M1) in closed form; the force of the state is -t.
    const Complex EA = beam.EA * stiffening;
    const RodTransfer f = rod_functions(load / EA, beam.length);
    set_pair(U, 0, 9, f.cosh, -f.sinh_over / EA, -load * f.sinh_over, f.cosh);
  }
  if (beam.torsion) {
    // (M2); the moment of the state is t itself.
    const Complex GJ = beam.GJ * stiffening, inertia = beam.rho_Ip * s * s;
    const RodTransfer f = rod_functions(inertia / GJ, beam.length);
    set_pair(U, 3, 6, f.cosh, f.sinh_over / GJ, inertia * f.sinh_over, f.cosh);
  }
  // (M3) in both planes.
  if (beam.bend_y) set_bending(U, beam_bending(beam, beam.EIz, beam.rho_Iz, beam.shear_y, s), {1, 5, 8, 10}, 1);
  if (beam.bend_z) set_bending(U, beam_bending(beam, beam.EIy, beam.rho_Iy, beam.shear_z, s), {2, 4, 7, 11}, -1);
  return U;
}

Transfer local_transfer(const Hinge& hinge, Complex s) {
  Transfer U = Transfer::Identity();
  for (int d = 0; d < 6; ++d) {
    if (hinge.kind[d] != Hinge::Kind::kElastic) continue;
    // (M4) with B = 1 / (k + c s).
    U(d, force_row(d)) = -force_sign(d) / (hinge.stiffness[d] + hinge.damping[d] * s);
  }
  return U;
}

Directions released(const Element& element) {
  if (const Beam* beam = std::get_if<Beam>(&element.law)) return beam_releases(*beam);
  Directions out{};
  const Hinge& hinge = std::get<Hinge>(element.law);
  for (int d = 0; d < 6; ++d) out[d] = hinge.kind[d] == Hinge::Kind::kReleased;
  return out;
}

Matrix12 port_transfer(const Matrix6& to_local) {
  // The power of the forces (q, -m) on the displacements is the same in both axes.
  const Matrix6 forces = to_local.inverse().transpose();
  Matrix12 out = Matrix12::Zero();
  out.topLeftCorner<6, 6>() = to_local;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) out(force_row(i), force_row(j)) = force_sign(i) * force_sign(j) * forces(i, j);
  }
  return out;
}

Matrix12 port_transfer_back(const Matrix6& to_local) { return port_transfer(to_local.inverse()); }

Transfer transfer(const Element& element, Complex s) {
  const Transfer U = std::visit([s](const auto& law) { return local_transfer(law, s); }, element.law);
  return port_transfer_back(element.to_local[1]).cast<Complex>() * U *
         port_transfer(element.to_local[0]).cast<Complex>();
}

Transfer transfer(const Vertex& vertex, Complex s) {
  Transfer U = Transfer::Identity();
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      const Complex impedance = (vertex.mass(i, j) * s + vertex.damping(i, j)) * s + vertex.stiffness(i, j);
      // Displacements stay the same; the force jumps by what the vertex needs to move.
      U(force_row(i), j) -= force_sign(i) * impedance;
    }
  }
  return U;
}

Matrix12 symplectic_form() {
  Matrix12 out = Matrix12::Zero();
  for (int d = 0; d < 6; ++d) {
    out(d, force_row(d)) = force_sign(d);
    out(force_row(d), d) = -force_sign(d);
  }
  return out;
}

}  // namespace espalier::modes
