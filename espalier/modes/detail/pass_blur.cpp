// Bounds of a count. Along a way every rounding is a small relative change of an element's own numbers, which moves
// eigenfrequencies by as small a part, and so is it where single coordinates are summed up. Not so where matrices are:
// next to a stiff direction the digits of a soft one are lost, in sums of several coordinates and where rows close.
// What is lost there is, by (M10) of docs/theory/modes.md, a symmetric matrix E with |E(i, j)| <= u l_i l_j, u being
// the unit of rounding and l_i^2 the size of the summands, and lies between -D and D with D = u dimension diag(l_i^2).
// Since inertia is monotonic, the count with all fronts less D is no smaller than the true one, and with all fronts
// plus D no greater.

#include <cmath>
#include <type_traits>

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/pass_kernel.hpp"

namespace espalier::modes::detail {
namespace {

using math::DoubleDouble;

// Some operations more than one stand behind each number.
template <class T>
inline constexpr double kRounding = std::is_same_v<T, double> ? 1e-15 : 1e-30;

// Squares of l so that |a(i, j)| <= l_i l_j. What a displacement and a row of a cut have in common goes to the row: the
// row may have hardly anything of its own, and a displacement made so much larger would drown.
template <class T>
void find_sizes(const View<T>& a, int displacements, std::vector<double>& squares) {
  const auto square = [&](int i) -> double& { return squares[to_index(i)]; };
  for (int i = 0; i < a.rows; ++i) square(i) = magnitude(a(i, i));
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < i; ++j) {
      const double off = std::max(magnitude(a(i, j)), magnitude(a(j, i)));
      if (off * off <= square(i) * square(j)) continue;
      const bool mixed = i >= displacements && j < displacements;
      if (square(i) > 0 && square(j) > 0 && !mixed) {
        const double factor = off / std::sqrt(square(i) * square(j));
        square(i) *= factor;
        square(j) *= factor;
      } else if (square(j) > 0) {
        square(i) = off * off / square(j);
      } else if (square(i) > 0) {
        square(j) = off * off / square(i);
      } else {
        square(i) = square(j) = off;
      }
    }
  }
}

template <class T>
inline constexpr bool kCounts = std::is_same_v<T, Real<T>>;

}  // namespace

// Nothing is summed up at the end of a branch.
std::vector<char> find_blurred(const PassProgram& program) {
  std::vector<char> blurred(program.steps.size(), 0);
  for (const Step& of : program.steps) {
    if (of.parent >= 0 && program.steps[to_index(of.parent)].d > 1) {
      blurred[to_index(of.parent)] = 1;
    }
  }
  for (std::size_t s = 0; s < blurred.size(); ++s) {
    if (program.steps[s].closing + program.steps[s].carried > 0) blurred[s] = 1;
  }
  return blurred;
}

template <class T>
void PassKernel<T>::blur_front(int s, const Frequency<T>& at, const View<T>& f) {
  if constexpr (kCounts<T>) {
    if (!is_blurred(s)) return;
    const Step& of = step(s);
    const int rows = of.d + of.closing + of.carried;
    const Constant m = constant(of.mass, of.d, of.d), k = constant(of.stiffness, of.d, of.d);
    for (int i = 0; i < of.d; ++i) size(s, i) += magnitude(at.s2 * m(i, i)) + magnitude(k(i, i));
    for (int i = 0; i < rows; ++i) f(i, i) += blur_ * kRounding<T> * rows * size(s, i);
  }
}

template <class T>
void PassKernel<T>::blur_turned(int s, const View<T>& rest, const View<T>& turned) {
  if constexpr (kCounts<T>) {
    if (!is_blurred(s)) return;
    const int d = step(s).d;
    const Constant axes = constant(step(s).axes, d, d);
    find_sizes(rest.block(0, 0, d, d), d, squares_);
    for (int a = 0; a < d; ++a) {
      double length = 0;
      for (int i = 0; i < d; ++i) length += magnitude(axes(i, a)) * std::sqrt(squares_[to_index(i)]);
      turned(a, a) += blur_ * kRounding<T> * d * length * length;
    }
  }
}

// difference = ... - a' b
template <class T>
void PassKernel<T>::blur_product(int s, const View<T>& a, const View<T>& b, const View<T>& difference) {
  if constexpr (kCounts<T>) {
    if (!is_blurred(s)) return;
    for (int i = 0; i < difference.rows; ++i) {
      double sum = magnitude(difference(i, i));
      for (int k = 0; k < a.rows; ++k) sum += magnitude(a(k, i) * b(k, i));
      difference(i, i) += blur_ * kRounding<T> * difference.rows * sum;
    }
  }
}

// Of what a way brings to its parent's front.
template <class T>
void PassKernel<T>::note_sizes(int s, const View<T>& frame) {
  if constexpr (kCounts<T>) {
    const Step& of = step(s);
    if (!is_blurred(of.parent)) return;
    const Step& parent = step(of.parent);
    const int n = of.n, all = n + of.carried;
    // [t; r] of the displacements and rows.
    find_sizes(frame.block(n, 0, all, all), n, squares_);
    const Constant onto = constant(of.onto, n, parent.d);
    for (int a = 0; a < parent.d; ++a) {
      double length = 0;
      for (int i = 0; i < n; ++i) length += magnitude(onto(i, a)) * std::sqrt(squares_[to_index(i)]);
      size(of.parent, a) += length * length;
    }
    for (int k = 0; k < of.carried; ++k) {
      size(of.parent, parent.d + of.row_place[to_index(k)]) += squares_[to_index(n + k)];
    }
  }
}

template class PassKernel<double>;
template class PassKernel<DoubleDouble>;
template class PassKernel<std::complex<double>>;
template class PassKernel<Dual<double>>;
template class PassKernel<Dual<DoubleDouble>>;
template class PassKernel<Dual<std::complex<double>>>;

}  // namespace espalier::modes::detail
