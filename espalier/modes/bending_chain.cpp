#include "espalier/modes/bending_chain.hpp"

#include <array>
#include <cmath>

#include <Eigen/Core>

#include "espalier/modes/transfer.hpp"

namespace espalier::modes {
namespace {

// std::complex multiplies with a test for NaN that costs more than the product.
struct Number {
  double re = 0, im = 0;
};
Number operator*(Number a, Number b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Number operator*(double a, Number b) { return {a * b.re, a * b.im}; }
Number number(Complex c) { return {c.real(), c.imag()}; }
Complex complex(Number n) { return {n.re, n.im}; }

constexpr double kShort = 1;  // |w| up to which six terms of Krylov's series are exact: 1 / 24! < 1e-23
constexpr int kTerms = 6;

// 1 / (4k + first)!
constexpr std::array<std::array<double, kTerms>, 4> short_coefficients() {
  std::array<std::array<double, kTerms>, 4> out{};
  double factorial = 1;
  for (int n = 0; n < 4 * kTerms; ++n) {
    factorial *= n > 0 ? n : 1;
    out[n % 4][n / 4] = 1 / factorial;
  }
  return out;
}

struct Functions {
  std::array<Number, 4> of;  // S, T / z, U / z^2, V / z^3
};

Functions functions(Number w) {
  static constexpr std::array<std::array<double, kTerms>, 4> kCoefficients = short_coefficients();
  if (w.re * w.re + w.im * w.im > kShort * kShort) {
    const Krylov k = krylov(complex(w));
    return {{number(k.S), number(k.T), number(k.U), number(k.V)}};
  }
  Functions out;
  for (int f = 0; f < 4; ++f) {
    const double* c = kCoefficients[f].data();
    double re = c[kTerms - 1], im = 0;
    for (int k = kTerms - 2; k >= 0; --k) {
      const double next = re * w.re - im * w.im + c[k];
      im = re * w.im + im * w.re;
      re = next;
    }
    out.of[f] = {re, im};
  }
  return out;
}

using Column = std::array<Number, 4>;  // y, theta, m, q

// Forces divided by EI of the piece. Written out in real numbers: half of the time of a search is spent here.
void pass(const Functions& f, double l, Number up, Column& column) {
  const Number S = f.of[0], T = l * f.of[1], U = (l * l) * f.of[2], V = (l * l * l) * f.of[3];
  const Number uT = up * T, uU = up * U, uV = up * V;
  const Number matrix[4][4] = {{S, T, U, V}, {uV, S, T, U}, {uU, uV, S, T}, {uT, uU, uV, S}};
  const Number* z = column.data();
  Number out[4];
  for (int i = 0; i < 4; ++i) {
    double re = 0, im = 0;
    for (int j = 0; j < 4; ++j) {
      re += matrix[i][j].re * z[j].re - matrix[i][j].im * z[j].im;
      im += matrix[i][j].re * z[j].im + matrix[i][j].im * z[j].re;
    }
    out[i] = {re, im};
  }
  for (int i = 0; i < 4; ++i) column[i] = out[i];
}

using Minors = Eigen::Matrix<Complex, 6, 1>;  // of rows 12, 13, 14, 23, 24, 34 of [y, theta, m / EI, q / EI]

// How a piece passes the minors on. With Krylov's functions of -4w all entries are entire; up is lambda^4.
Eigen::Matrix<Complex, 6, 6> compound(double l, Complex up) {
  const Complex w = -4.0 * up * (l * l * l * l);
  const Krylov k = krylov(w);
  const Complex K = k.S, P = 0.5 * (1.0 + K), t = l * k.T, x = l * l * k.U, h = 2.0 * l * l * l * k.V;
  Complex N = 0.5 * (1.0 - K) / up;
  if (std::abs(w) < kShort) {  // (1 - K) would cancel: 2 l^4 times the sum of w^k / (4k + 4)!
    Complex sum = 1;
    for (int n = 4 * kTerms; n > 4; n -= 4) sum = 1.0 + w * sum / (1.0 * n * (n - 1) * (n - 2) * (n - 3));
    N = 2.0 * (l * l * l * l) / 24.0 * sum;
  }
  const Complex ut = up * t, ux = up * x, uh = up * h, uN = up * N;
  Eigen::Matrix<Complex, 6, 6> C;
  C << P, t, x, x, h, N,               //
      -uh, K, t, t, 2.0 * x, h,        //
      -ux, -uh, P, -uN, t, x,          //
      -ux, -uh, -uN, P, t, x,          //
      -ut, -2.0 * ux, -uh, -uh, K, t,  //
      up * uN, -ut, -ux, -ux, -uh, P;
  return C;
}

// The size of a number into its exponent.
void rescale(Minors& minors, std::int64_t& exponent) {
  int e = 0;
  std::frexp(minors.cwiseAbs().maxCoeff(), &e);
  minors *= std::ldexp(1.0, -e);
  exponent += e;
}

constexpr Directions kInPlane = {false, true, false, false, false, true};

// y and rz of the vertex are those of the piece.
bool in_plane(const Element& element) {
  for (const Matrix6& map : element.to_local) {
    if (map(1, 1) != 1 || map(1, 5) != 0 || map(5, 1) != 0 || map(5, 5) != 1) return false;
  }
  return true;
}

bool is_plain(const Vertex& vertex) {
  return vertex.moves == kInPlane && vertex.mass.isZero(0) && vertex.stiffness.isZero(0) && vertex.damping.isZero(0);
}

std::optional<BendingPiece> piece_of(const Element& element) {
  const Beam* beam = std::get_if<Beam>(&element.law);
  if (!beam || !beam->bend_y || beam->rho_Iz != 0 || beam->shear_y != 0 || !in_plane(element)) return std::nullopt;
  return BendingPiece{beam->length, beam->EIz, beam->rho_A, beam->viscous, beam->foundation, beam->kelvin_voigt};
}

// The element that starts at a vertex, or -1 where none or more than one does.
int only_element_from(const Structure& structure, int vertex) {
  int found = -1;
  for (int e = 0; e < static_cast<int>(structure.elements.size()); ++e) {
    if (structure.elements[e].vertex[0] != vertex) continue;
    if (found >= 0) return -1;
    found = e;
  }
  return found;
}

}  // namespace

std::optional<std::vector<BendingPiece>> find_bending_chain(const Structure& structure) {
  // As many elements as moving vertices behind one support, each used once: the walk below then has met them all.
  int at = -1;
  for (int v = 0; v < static_cast<int>(structure.vertices.size()); ++v) {
    if (is_plain(structure.vertices[v])) continue;
    if (at >= 0 || structure.vertices[v].moves != Directions{}) return std::nullopt;
    at = v;
  }
  if (at < 0 || structure.elements.size() + 1 != structure.vertices.size()) return std::nullopt;
  std::vector<BendingPiece> pieces;
  for (int e = only_element_from(structure, at); e >= 0 && pieces.size() < structure.elements.size();
       e = only_element_from(structure, at)) {
    const std::optional<BendingPiece> piece = piece_of(structure.elements[e]);
    if (!piece) return std::nullopt;
    pieces.push_back(*piece);
    at = structure.elements[e].vertex[1];
  }
  if (pieces.size() != structure.elements.size()) return std::nullopt;
  return pieces;
}

Complex plain_determinant(std::span<const BendingPiece> pieces, Complex s) {
  std::array<Column, 2> z = {Column{Number{}, Number{}, Number{1, 0}, Number{}},
                             Column{Number{}, Number{}, Number{}, Number{1, 0}}};
  Complex divided_by = 1;  // of the forces
  for (const BendingPiece& piece : pieces) {
    const double l = piece.length;
    const Complex EI = piece.EI * (1.0 + piece.eta * s);
    const Number change = number(divided_by / EI);
    divided_by = EI;
    const Number up = number(-((piece.rho_A * s + piece.viscous) * s + piece.foundation) / EI);
    const Functions f = functions((l * l * l * l) * up);
    for (Column& column : z) {
      column[2] = change * column[2];
      column[3] = change * column[3];
      pass(f, l, up, column);
    }
  }
  return (complex(z[0][2] * z[1][3]) - complex(z[1][2] * z[0][3])) * divided_by * divided_by;
}

Scaled<Complex> compound_determinant(std::span<const BendingPiece> pieces, Complex s) {
  Minors minors = Minors::Zero();
  minors[5] = 1;
  std::int64_t exponent = 0;
  Complex divided_by = 1;
  for (const BendingPiece& piece : pieces) {
    const Complex EI = piece.EI * (1.0 + piece.eta * s);
    const Complex change = divided_by / EI;
    divided_by = EI;
    minors.segment<4>(1) *= change;
    minors[5] *= change * change;
    const Complex up = -((piece.rho_A * s + piece.viscous) * s + piece.foundation) / EI;
    minors = (compound(piece.length, up) * minors).eval();
    rescale(minors, exponent);
  }
  Minors last = Minors::Zero();
  last[5] = minors[5] * divided_by * divided_by;
  if (last[5] == 0.0) return {0, 0};
  rescale(last, exponent);
  return {last[5], exponent};
}

}  // namespace espalier::modes
