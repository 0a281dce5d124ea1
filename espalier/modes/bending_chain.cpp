#include "espalier/modes/transfer.hpp"

#include <cmath>

#include <Eigen/Core>

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/chain_kernel.hpp"

namespace espalier::modes {
namespace {

constexpr double kShort = 1;  // |w| up to which six terms of Krylov's series are exact: 1 / 24! < 1e-23
constexpr int kTerms = 6;

// The two numbers of a complex one stand side by side.
const double* pairs(const Complex* numbers) { return reinterpret_cast<const double*>(numbers); }
double* pairs(Complex* numbers) { return reinterpret_cast<double*>(numbers); }

using Minors = Eigen::Matrix<Complex, 6, 1>;  // of rows 12, 13, 14, 23, 24, 34 of [y, theta, m / EI, q / EI]

// How a segment passes the minors on. With Krylov's functions of -4w all entries are entire; up is lambda^4.
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
  // A minor of the product is a sum of minors times minors (Cauchy and Binet), so that these six are carried alone.
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
  // By a power of 2, which rounds nothing.
  minors *= std::ldexp(1.0, -e);
  exponent += e;
}

constexpr Directions kInPlane = {false, true, false, false, false, true};

// y and rz of the vertex are those of the segment.
bool in_plane(const Element& element) {
  for (const Matrix6& map : element.to_local) {
    if (map(1, 1) != 1 || map(1, 5) != 0 || map(5, 1) != 0 || map(5, 5) != 1) return false;
  }
  return true;
}

bool is_plain(const Vertex& vertex) {
  return vertex.moves == kInPlane && vertex.mass.isZero(0) && vertex.stiffness.isZero(0) && vertex.damping.isZero(0);
}

std::optional<BendingSegment> segment_of(const Element& element) {
  const Beam* beam = std::get_if<Beam>(&element.law);
  // Euler's beam in the plane x-y: what shears or carries rotary inertia has other functions.
  if (!beam || !beam->bend_y || beam->rho_Iz != 0 || beam->shear_y != 0 || !in_plane(element)) return std::nullopt;
  return BendingSegment{beam->length, beam->EIz, beam->rho_A, beam->viscous, beam->foundation, beam->kelvin_voigt};
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

std::optional<std::vector<BendingSegment>> find_bending_chain(const Structure& structure) {
  // As many elements as moving vertices behind one support, each used once: the walk below then has met them all.
  int at = -1;
  for (int v = 0; v < static_cast<int>(structure.vertices.size()); ++v) {
    if (is_plain(structure.vertices[v])) continue;
    if (at >= 0 || structure.vertices[v].moves != Directions{}) return std::nullopt;
    at = v;
  }
  if (at < 0 || structure.elements.size() + 1 != structure.vertices.size()) return std::nullopt;
  std::vector<BendingSegment> segments;
  for (int e = only_element_from(structure, at); e >= 0 && segments.size() < structure.elements.size();
       e = only_element_from(structure, at)) {
    const std::optional<BendingSegment> segment = segment_of(structure.elements[e]);
    if (!segment) return std::nullopt;
    segments.push_back(*segment);
    at = structure.elements[e].vertex[1];
  }
  if (segments.size() != structure.elements.size()) return std::nullopt;
  return segments;
}

Complex plain_determinant(std::span<const BendingSegment> segments, Complex s) {
  Complex out;
  detail::chain_kernel().determinant(segments.data(), static_cast<int>(segments.size()), pairs(&s), pairs(&out));
  return out;
}

void plain_determinants(std::span<const BendingSegment> segments, std::span<const Complex> s, std::span<Complex> out) {
  const detail::ChainKernel& kernel = detail::chain_kernel();
  const int count = static_cast<int>(segments.size());
  const auto lanes = to_index(kernel.lanes);
  std::size_t k = 0;
  for (; k + lanes <= s.size(); k += lanes) {
    kernel.determinants(segments.data(), count, pairs(&s[k]), pairs(&out[k]));
  }
  // What fills no register: the same arithmetic, and the same bits, one by one.
  for (; k < s.size(); ++k) kernel.determinant(segments.data(), count, pairs(&s[k]), pairs(&out[k]));
}

BendingTransfer plain_product(std::span<const BendingSegment> segments, Complex s) {
  BendingTransfer product;
  detail::chain_kernel().product(segments.data(), static_cast<int>(segments.size()), pairs(&s), pairs(product.data()));
  return product;
}

Scaled<Complex> compound_determinant(std::span<const BendingSegment> segments, Complex s) {
  Minors minors = Minors::Zero();
  // A clamp: the minor of both forces alone is not 0.
  minors[5] = 1;
  std::int64_t exponent = 0;
  Complex divided_by = 1;
  for (const BendingSegment& segment : segments) {
    const Complex EI = segment.EI * (1.0 + segment.eta * s);
    // Forces are divided by EI, which differs from segment to segment.
    const Complex change = divided_by / EI;
    divided_by = EI;
    minors.segment<4>(1) *= change;
    minors[5] *= change * change;
    const Complex up = -((segment.rho_A * s + segment.viscous) * s + segment.foundation) / EI;
    minors = (compound(segment.length, up) * minors).eval();
    rescale(minors, exponent);
  }
  Minors last = Minors::Zero();
  last[5] = minors[5] * divided_by * divided_by;
  // Zero has no mantissa of about 1.
  if (last[5] == 0.0) return {0, 0};
  rescale(last, exponent);
  return {last[5], exponent};
}

}  // namespace espalier::modes
