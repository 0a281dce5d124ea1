#include "espalier/modes/detail/small_dense.hpp"

#include <algorithm>
#include <cmath>

namespace espalier::modes::detail {
namespace {

// (1 + sqrt(17)) / 8: below it a pair of rows is a safer pivot than one.
constexpr double kPairBelow = 0.6403882032022076;

template <class T>
void swap_rows(const View<T>& a, int p, int q) {
  if (p == q) return;
  for (int j = 0; j < a.rows; ++j) std::swap(a(p, j), a(q, j));
  for (int i = 0; i < a.rows; ++i) std::swap(a(i, p), a(i, q));
}

// Rows and columns are scaled so that the largest number of each is about 1, which changes no sign.
template <class T>
void equilibrate(const View<T>& a) {
  for (int i = 0; i < a.rows; ++i) {
    double largest = 0;
    for (int j = 0; j < a.rows; ++j) largest = std::max(largest, magnitude(a(i, j)));
    if (!(largest > 0)) continue;
    // From both sides, so that the matrix stays symmetric and keeps its inertia.
    const double factor = 1 / std::sqrt(largest);
    for (int j = 0; j < a.rows; ++j) a(i, j) *= factor;
    for (int j = 0; j < a.rows; ++j) a(j, i) *= factor;
  }
}

// The largest numbers of what is left from row k on.
struct Largest {
  int diagonal = 0, p = 0, q = 0;
};
template <class T>
Largest find_largest(const View<T>& a, int k) {
  // Of the whole rest: half of the cost goes here, and pays with pivots that never grow.
  Largest found{k, k, k};
  for (int i = k; i < a.rows; ++i) {
    if (magnitude(a(i, i)) > magnitude(a(found.diagonal, found.diagonal))) found.diagonal = i;
    for (int j = k; j < i; ++j) {
      if (found.p == found.q || magnitude(a(i, j)) > magnitude(a(found.p, found.q))) found.p = i, found.q = j;
    }
  }
  return found;
}

template <class T>
void eliminate_one(const View<T>& a, int k) {
  for (int i = k + 1; i < a.rows; ++i) {
    const T factor = a(i, k) / a(k, k);
    for (int j = k + 1; j < a.rows; ++j) a(i, j) -= factor * a(k, j);
  }
}

template <class T>
void eliminate_pair(const View<T>& a, int k) {
  const T det = a(k, k) * a(k + 1, k + 1) - a(k, k + 1) * a(k + 1, k);
  for (int i = k + 2; i < a.rows; ++i) {
    const T x = (a(i, k) * a(k + 1, k + 1) - a(i, k + 1) * a(k + 1, k)) / det;
    const T y = (a(i, k + 1) * a(k, k) - a(i, k) * a(k, k + 1)) / det;
    for (int j = k + 2; j < a.rows; ++j) a(i, j) -= x * a(k, j) + y * a(k + 1, j);
  }
}

// False where nothing can be divided by it.
bool note_pivot(double pivot, Inertia& result) {
  result.margin = std::min(result.margin, pivot);
  return pivot > 0;
}

// The same as for any size, in closed form: beams that bend in a plane have hardly any other.
template <class T>
Inertia inertia_of_two(const View<T>& m) {
  const T a = m(0, 0), b = m(1, 0), c = m(1, 1), square = b * m(0, 1);
  const auto or_one = [](double x) { return x > 0 ? x : 1; };
  const double first_row = or_one(std::max(magnitude(a), magnitude(m(0, 1)))), first_scale = std::sqrt(first_row);
  const double second_row = or_one(std::max(magnitude(b) / first_scale, magnitude(c)));
  // As equilibrate() would leave them.
  const double first = magnitude(a) / first_row, second = magnitude(c) / second_row;
  const double scale = first_scale * std::sqrt(second_row), beside = magnitude(b) / scale;
  Inertia result;
  result.noise = magnitude(b - m(0, 1)) / scale;
  // A pair of rows has one eigenvalue of either sign.
  if (std::max(first, second) < kPairBelow * beside) {
    note_pivot(beside, result);
    result.negative = 1;
    return result;
  }
  const bool from_top = first >= second;
  if (!note_pivot(std::max(first, second), result)) return result;
  // The second pivot, by the Schur complement of the first.
  const T rest = from_top ? (c - square / a) / second_row : (a - square / c) / first_row;
  result.negative = ((from_top ? a : c) < 0 ? 1 : 0) + (rest < 0 ? 1 : 0);
  note_pivot(magnitude(rest), result);
  return result;
}

template <class T>
double asymmetry(const View<T>& a) {
  double most = 0;
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < i; ++j) most = std::max(most, magnitude(a(i, j) - a(j, i)));
  }
  return most;
}

}  // namespace

// The method of Bunch and Parlett: the largest number left is the pivot, alone or as part of a pair. By Sylvester's law
// the pivots have the signs of the eigenvalues, and a pair brings one of either sign.
template <class T>
Inertia inertia(const View<T>& a) {
  if (a.rows == 2) return inertia_of_two(a);
  equilibrate(a);
  Inertia result;
  // Without rounding it would be 0.
  result.noise = asymmetry(a);
  for (int k = 0; k < a.rows;) {
    const Largest at = find_largest(a, k);
    const double alone = magnitude(a(at.diagonal, at.diagonal));
    const double beside = at.p == at.q ? 0 : magnitude(a(at.p, at.q));
    // The limit of Bunch and Parlett, at which both kinds of pivot let numbers grow by as much.
    const bool one = alone >= kPairBelow * beside;
    if (!note_pivot(one ? alone : beside, result)) break;
    if (one) {
      swap_rows(a, k, at.diagonal);
      result.negative += a(k, k) < 0 ? 1 : 0;
      eliminate_one(a, k++);
    } else {
      swap_rows(a, k, at.q);
      swap_rows(a, k + 1, at.p);
      ++result.negative;
      eliminate_pair(a, k);
      k += 2;
    }
  }
  return result;
}

template Inertia inertia(const View<double>&);
template Inertia inertia(const View<math::DoubleDouble>&);

}  // namespace espalier::modes::detail
