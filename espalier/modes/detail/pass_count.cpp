// The sign counts of a pass.

#include <algorithm>
#include <type_traits>

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/pass_kernel.hpp"

namespace espalier::modes::detail {

// The sign count of the first slice: what is behind it together with its own stiffness, its far end held.
template <class T>
void PassKernel<T>::count_first(const Step& of, const View<T>& S) {
  if constexpr (kCountsSigns<T>) {
    // Held at its far end, the first slice adds its own stiffness A B^-1 to what is behind it (M8).
    const int size = S.rows;
    const View<Real<T>> p{values_.data(), size, size, size};
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) p(i, j) = value_of(S(i, j));
    }
    const Constant into = constant(of.into, of.n, of.seen);
    for (int k = 0; k < fields_.count; ++k) {
      const Field<T>& f = fields_.of[to_index(k)];
      // A rigid row has no stiffness to add; it takes motions away below.
      for (int i = 0; i < f.size && !f.rigid; ++i) {
        for (int l = 0; l < f.size; ++l) {
          const Real<T> x = value_of(f.stiffness[to_index(i * 2 + l)]);
          for (int r = 0; r < size; ++r) {
            for (int c = 0; c < size; ++c) p(r, c) += x * into(f.first + i, r) * into(f.first + l, c);
          }
        }
      }
    }
    // Without rigid rows every motion that is seen takes part.
    if (of.free == of.seen) {
      pivots_.count(p);
      return;
    }
    // Rigid rows hold some combinations of those seen.
    const Constant basis = constant(of.free_basis, of.seen, of.free);
    const View<Real<T>> half{values_.data() + size * size, size, of.free, of.free};
    set_zero(half);
    add_product(p, basis, half);
    const View<Real<T>> held{values_.data() + 2 * size * size, of.free, of.free, of.free};
    set_zero(held);
    add_transposed_product(basis, half, held);
    pivots_.count(held);
  }
}

// (M8) The same for the others: e' (t + K e), which has the signs of S + K and no poles.
template <class T>
void PassKernel<T>::count_slice(int n, const View<T>& frame) {
  if constexpr (kCountsSigns<T>) {
    const View<Real<T>> t{values_.data() + n * n, n, n, n};
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) t(i, j) = value_of(frame(n + i, j));
    }
    for (int k = 0; k < fields_.count; ++k) {
      const Field<T>& f = fields_.of[to_index(k)];
      for (int i = 0; i < f.size; ++i) {
        for (int l = 0; l < f.size; ++l) {
          const Real<T> x = value_of(f.stiffness[to_index(i * 2 + l)]);
          for (int j = 0; j < n; ++j) t(f.first + i, j) += x * value_of(frame(f.first + l, j));
        }
      }
    }
    const View<Real<T>> p{values_.data(), n, n, n};
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        p(i, j) = 0;
        // E' (T + K E) is congruent to S + K, with the signs and without the poles of S = T E^-1.
        for (int k = 0; k < n; ++k) p(i, j) += value_of(frame(k, i)) * t(k, j);
      }
    }
    pivots_.count(p);
  }
}

template class PassKernel<double>;
template class PassKernel<math::DoubleDouble>;
template class PassKernel<std::complex<double>>;
template class PassKernel<Dual<double>>;
template class PassKernel<Dual<math::DoubleDouble>>;
template class PassKernel<Dual<std::complex<double>>>;

}  // namespace espalier::modes::detail
