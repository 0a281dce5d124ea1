#pragma once

// Dense matrices of at most a few dozen rows, by rows in memory that their owner has made: what a pass does at each
// vertex. Over the scalar of the pass.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "espalier/modes/detail/dual.hpp"

namespace espalier::modes::detail {

// A view of rows x columns numbers whose rows are `stride` apart.
template <class T>
struct View {
  T* data = nullptr;
  int rows = 0, columns = 0, stride = 0;

  T& operator()(int i, int j) const { return data[static_cast<std::ptrdiff_t>(i) * stride + j]; }
  T* row(int i) const { return data + static_cast<std::ptrdiff_t>(i) * stride; }
  View block(int i, int j, int r, int c) const { return {row(i) + j, r, c, stride}; }
};

// A product m 2^e: that of a few dozen pivots leaves the range of double.
template <class T>
struct Product {
  T mantissa{1.0};
  std::int64_t exponent = 0;

  void multiply(const T& factor) {
    mantissa *= factor;
    const double size = magnitude(mantissa);
    // 0 and what is no number stay what they are.
    if ((size > 1e-60 && size < 1e60) || !(size > 0) || !std::isfinite(size)) return;
    int shift = 0;
    std::frexp(size, &shift);
    mantissa = mantissa * std::ldexp(1.0, -shift);
    exponent += shift;
  }
};

template <class T>
void set_zero(const View<T>& a) {
  for (int i = 0; i < a.rows; ++i) std::fill_n(a.row(i), a.columns, T{});
}

// c += a b, where a or b may hold constants.
template <class A, class B, class T>
void add_product(const View<A>& a, const View<B>& b, const View<T>& c) {
  for (int i = 0; i < c.rows; ++i) {
    for (int k = 0; k < a.columns; ++k) {
      const auto x = a(i, k);
      for (int j = 0; j < c.columns; ++j) c(i, j) += x * b(k, j);
    }
  }
}
// c += a^T b.
template <class A, class B, class T>
void add_transposed_product(const View<A>& a, const View<B>& b, const View<T>& c) {
  for (int k = 0; k < a.rows; ++k) {
    for (int i = 0; i < c.rows; ++i) {
      const auto x = a(k, i);
      for (int j = 0; j < c.columns; ++j) c(i, j) += x * b(k, j);
    }
  }
}
// c -= a^T b.
template <class A, class B, class T>
void subtract_transposed_product(const View<A>& a, const View<B>& b, const View<T>& c) {
  for (int k = 0; k < a.rows; ++k) {
    for (int i = 0; i < c.rows; ++i) {
      const auto x = a(k, i);
      for (int j = 0; j < c.columns; ++j) c(i, j) -= x * b(k, j);
    }
  }
}

// b := a^-1 b by elimination with partial pivoting; a is used up. Returns det a; a zero pivot makes the result infinite
// or NaN, which the determinant 0 tells.
template <class T>
Product<T> solve_in_place(const View<T>& a, const View<T>& b) {
  const int n = a.rows;
  Product<T> determinant;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (magnitude(a(i, k)) > magnitude(a(pivot, k))) pivot = i;
    }
    if (pivot != k) {
      for (int j = k; j < n; ++j) std::swap(a(k, j), a(pivot, j));
      for (int j = 0; j < b.columns; ++j) std::swap(b(k, j), b(pivot, j));
      determinant.mantissa = -determinant.mantissa;
    }
    determinant.multiply(a(k, k));
    for (int i = k + 1; i < n; ++i) {
      const T factor = a(i, k) / a(k, k);
      for (int j = k + 1; j < n; ++j) a(i, j) -= factor * a(k, j);
      for (int j = 0; j < b.columns; ++j) b(i, j) -= factor * b(k, j);
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = 0; j < b.columns; ++j) {
      T sum = b(k, j);
      for (int i = k + 1; i < n; ++i) sum -= a(k, i) * b(i, j);
      b(k, j) = sum / a(k, k);
    }
  }
  return determinant;
}

// Inertia of a symmetric matrix, which is used up.
struct Inertia {
  int negative = 0;
  double margin = 1;  // smallest pivot, where the largest number of each row is about 1
  double noise = 0;   // by how much it is not symmetric, in the same measure: what rounding has done to it so far
};
template <class T>
Inertia inertia(const View<T>& a);

}  // namespace espalier::modes::detail
