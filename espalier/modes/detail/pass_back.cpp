#include <algorithm>

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/pass_kernel.hpp"

namespace espalier::modes::detail {

template <class T>
void PassKernel<T>::find_displacements(int load, std::span<T> displacement) {
  std::fill(displacement.begin(), displacement.end(), T{});
  // Against the order of the pass: what a step is attached to is known before the step.
  for (int s = static_cast<int>(program_.steps.size()) - 1; s >= 0; --s) {
    const Step& of = step(s);
    T* mine = coordinates_.data() + load_at_[to_index(s)];
    if (of.hops.empty()) {
      // A root needs nothing from above: its solution under the loads is kept whole.
      const View<T> b{kept_.data() + kept_at_[to_index(s)], of.d + of.closing, loads_, loads_};
      for (int i = 0; i < of.d; ++i) mine[i] = -b(i, load);
      for (int i = 0; i < of.closing; ++i) lambda_[row_at_[to_index(s)] + to_index(i)] = -b(of.d + i, load);
    } else {
      // First along the way to the step's own vertex, then its coordinates, then the rows that close there.
      go_back(s, load, displacement);
      find_step(s, load);
      find_rows(s, load);
    }
    if (of.vertex < 0) continue;
    const Constant basis = constant(of.basis, 6, of.d);
    // A virtual vertex has no place in the answer.
    for (int k = 0; k < 6; ++k) {
      T& u = displacement[to_index(6 * of.vertex + k)];
      for (int i = 0; i < of.d; ++i) u += mine[i] * basis(k, i);
    }
  }
}

// From the far end of the hops to their first slice: x_ holds the numbers of its frame at the end.
template <class T>
void PassKernel<T>::go_back(int s, int load, std::span<T> displacement) {
  const Step& of = step(s);
  const int n = of.n, hidden = of.d - of.seen, wide = n + others(of);
  T* mine = lambda_.data() + row_at_[to_index(s)];
  T* kept =
      kept_.data() + kept_at_[to_index(s)] + size_of(of.closing, rest_size(of)) + size_of(hidden, of.seen + others(of));
  // One block for each choice of numbers and one for each vertex passed, kept in the order of the pass.
  std::size_t blocks = of.hops.size() - 1;
  for (const Hop& hop : of.hops) blocks += to_index(slices_of(hop));
  const auto block = [&](std::size_t k) { return View<T>{kept + k * size_of(n, wide), n, wide, wide}; };
  if (of.parent < 0) {
    const View<T> b{kept + blocks * size_of(n, wide), n, loads_, loads_};
    for (int i = 0; i < n; ++i) x_[to_index(i)] = -b(i, load);
  } else {
    // Forces of rows that are still open here were found at the parent or above it.
    const T* above = lambda_.data() + row_at_[to_index(of.parent)];
    for (int k = 0; k < of.carried; ++k) mine[of.closing + k] = above[of.row_place[to_index(k)]];
    const Constant onto = constant(of.onto, n, step(of.parent).d);
    const T* e = coordinates_.data() + load_at_[to_index(of.parent)];
    for (int i = 0; i < n; ++i) {
      T& x = x_[to_index(i)];
      x = T{};
      for (int j = 0; j < onto.columns; ++j) x += e[j] * onto(i, j);
    }
  }
  // next_ = m [x_; lambda; load]
  const auto apply = [&](const View<T>& m) {
    for (int i = 0; i < n; ++i) {
      T sum = m(i, n + of.carried + load);
      for (int j = 0; j < n; ++j) sum += m(i, j) * x_[to_index(j)];
      for (int k = 0; k < of.carried; ++k) sum += m(i, n + k) * mine[of.closing + k];
      next_[to_index(i)] = sum;
    }
  };
  // Against the order of the pass, block by block: x of a slice from x of the next one, (M6).
  for (std::size_t k = of.hops.size(); k-- > 0;) {
    const Hop& hop = of.hops[k];
    for (int slice = 0; slice < slices_of(hop); ++slice) {
      apply(block(--blocks));
      std::swap(x_, next_);
    }
    if (k == 0) break;
    apply(block(--blocks));
    if (hop.vertex < 0) continue;
    const Constant basis = constant(hop.basis, 6, n);
    for (int i = 0; i < 6; ++i) {
      T& u = displacement[to_index(6 * hop.vertex + i)];
      for (int j = 0; j < n; ++j) u += next_[to_index(j)] * basis(i, j);
    }
  }
}

// The coordinates of the step from those that its first element sees.
template <class T>
void PassKernel<T>::find_step(int s, int load) {
  const Step& of = step(s);
  const int hidden = of.d - of.seen, wide = of.seen + others(of);
  T* mine = coordinates_.data() + load_at_[to_index(s)];
  if (hidden == 0) {
    // With all coordinates seen, the numbers of the first frame are the coordinates themselves.
    std::copy_n(x_.data(), of.d, mine);
    return;
  }
  const View<T> b{kept_.data() + kept_at_[to_index(s)] + size_of(of.closing, rest_size(of)), hidden, wide, wide};
  const T* lambda = lambda_.data() + row_at_[to_index(s)] + of.closing;
  std::copy_n(x_.data(), of.seen, next_.data());
  for (int i = 0; i < hidden; ++i) {
    T sum = -b(i, of.seen + of.carried + load);
    for (int j = 0; j < of.seen; ++j) sum -= b(i, j) * x_[to_index(j)];
    for (int k = 0; k < of.carried; ++k) sum -= b(i, of.seen + k) * lambda[k];
    next_[to_index(of.seen + i)] = sum;
  }
  const View<T> result{mine, of.d, 1, 1};
  set_zero(result);
  // Back from "seen, then hidden" to the coordinates of the step.
  add_product(constant(of.axes, of.d, of.d), View<T>{next_.data(), of.d, 1, 1}, result);
}

// Those rows that close at the step.
template <class T>
void PassKernel<T>::find_rows(int s, int load) {
  const Step& of = step(s);
  const int rest = rest_size(of);
  T* mine = lambda_.data() + row_at_[to_index(s)];
  const T* e = coordinates_.data() + load_at_[to_index(s)];
  const View<T> b{kept_.data() + kept_at_[to_index(s)], of.closing, rest, rest};
  // (M7) with r = 0: the solution of close_rows() applied to what is known by now.
  for (int i = 0; i < of.closing; ++i) {
    T sum = -b(i, of.d + of.carried + load);
    for (int j = 0; j < of.d; ++j) sum -= b(i, j) * e[j];
    for (int k = 0; k < of.carried; ++k) sum -= b(i, of.d + k) * mine[of.closing + k];
    mine[i] = sum;
  }
}

template void PassKernel<double>::find_displacements(int, std::span<double>);
template void PassKernel<std::complex<double>>::find_displacements(int, std::span<std::complex<double>>);

}  // namespace espalier::modes::detail
