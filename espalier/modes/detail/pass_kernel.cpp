#include "espalier/modes/detail/pass_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"

namespace espalier::modes::detail {
namespace {

using math::DoubleDouble;

template <class T>
void copy(const View<T>& from, const View<T>& to) {
  for (int i = 0; i < to.rows; ++i) std::copy_n(from.row(i), to.columns, to.row(i));
}

}  // namespace

template <class T>
void Pivots<T>::multiply(const T& determinant) {
  mantissa *= determinant;
  const double size = magnitude(mantissa);
  // What is 0 or not a number has no exponent to take out.
  if (!(size > 0) || !std::isfinite(size)) return;
  int shift = 0;
  std::frexp(size, &shift);
  // By a power of 2, which rounds nothing.
  mantissa = mantissa * std::ldexp(1.0, -shift);
  exponent += shift;
}

template <class T>
void Pivots<T>::multiply(const Product<T>& determinant) {
  exponent += determinant.exponent;
  multiply(determinant.mantissa);
}

template <class T>
Inertia Pivots<T>::count(const View<Real<T>>& symmetric) {
  const Inertia found = inertia(symmetric);
  negative += found.negative;
  margin = std::min(margin, found.margin);
  noise = std::max(noise, found.noise);
  return found;
}

template <class T>
PassKernel<T>::PassKernel(const PassProgram& program, int loads) : program_(program), loads_(loads) {
  if constexpr (std::is_same_v<Real<T>, double>) {
    constants_ = program.constants.data();
  } else {
    // All maps again from the same numbers: rounded to double they would agree to 1e-16 only.
    long_constants_ = precise_constants(program);
    constants_ = long_constants_.data();
  }
  std::size_t fronts = 0, kept = 0, rows = 0;
  int widest = 1;
  for (const Step& of : program.steps) {
    // All memory is laid out once: a search makes thousands of passes of the same program.
    const int size = of.d + of.closing + of.carried + loads;
    front_at_.push_back(fronts);
    fronts += size_of(size, size);
    load_at_.push_back(load_size_);
    load_size_ += to_index(of.d);
    row_at_.push_back(rows);
    size_at_.push_back(sizes_.size());
    sizes_.resize(sizes_.size() + to_index(of.d + of.closing + of.carried));
    rows += to_index(of.closing + of.carried);
    // An upper bound of what the way back needs; without loads none of it is made.
    kept += size_of(of.closing, rest_size(of)) + size_of(of.d, rest_size(of));
    for (const Hop& hop : of.hops) {
      kept += size_of(of.n, of.n + others(of)) * to_index(slices_of(hop) + 1);
      load_size_ += to_index(&hop == &of.hops.front() ? 0 : of.n);
    }
    kept += size_of(of.d + of.closing + of.n, loads);
    widest = std::max(widest, size + 3 * of.n);
  }
  fronts_.resize(fronts);
  margins_.resize(program.steps.size(), 1);
  scratch_.resize(10 * size_of(widest, widest));
  values_.resize(3 * size_of(widest, widest));
  order_.resize(to_index(widest));
  squares_.resize(to_index(widest));
  blurs_ = find_blurred(program);
  // Counts and evaluations go up the tree alone; what follows is for the way back.
  if (loads == 0) return;
  kept_.resize(kept);
  kept_at_.resize(program.steps.size());
  loads_on_.resize(load_size_ * to_index(loads));
  coordinates_.resize(load_size_);
  lambda_.resize(rows);
  x_.resize(to_index(widest));
  next_.resize(to_index(widest));
}

template <class T>
View<T> PassKernel<T>::front(int s) {
  const int size = step(s).d + step(s).closing + step(s).carried + loads_;
  return {fronts_.data() + front_at_[to_index(s)], size, size, size};
}

template <class T>
View<T> PassKernel<T>::scratch(int rows, int columns) {
  const View<T> view{scratch_.data() + scratch_used_, rows, columns, columns};
  scratch_used_ += size_of(rows, columns);
  ESPALIER_CHECK(scratch_used_ <= scratch_.size(), "scratch memory of a pass is too small");
  // Products are added up into scratch memory.
  set_zero(view);
  return view;
}

template <class T>
void PassKernel<T>::set_load(int load, std::span<const T> force) {
  T* on = loads_on_.data() + to_index(load) * load_size_;
  const auto add = [&](int vertex, const Constant& basis) {
    for (int i = 0; i < basis.columns; ++i, ++on) {
      *on = T{};
      if (vertex < 0) continue;
      for (int k = 0; k < 6; ++k) *on += force[to_index(6 * vertex + k)] * basis(k, i);
    }
  };
  for (const Step& of : program_.steps) {
    add(of.vertex, constant(of.basis, 6, of.d));
    for (std::size_t k = 1; k < of.hops.size(); ++k) add(of.hops[k].vertex, constant(of.hops[k].basis, 6, of.n));
  }
}

// One pass from the tips to the root; equations are those of docs/theory/modes.md. Phases of a step, which is a vertex
// where something branches together with the way to its parent:
//   1. its front: masses, springs and dampers of the vertex beside what its children have added, and its loads
//   2. rows whose two ways meet here are eliminated, (M7); at the root together with its coordinates
//   3. coordinates that the way to the parent does not see are eliminated
//   4. the frame [e; t] = Y x starts, (M6), and goes over each vertex and element of the way
//   5. at the parent the frame becomes a stiffness once more, S = T E^-1, and is added to the parent's front
// Pivots of all phases make the determinant, and their signs the count (M8), less one for each row of a cut.
template <class T>
void PassKernel<T>::run(const Frequency<T>& at, int blur) {
  pivots_ = {};
  blur_ = blur;
  if (blur_ != 0) std::fill(sizes_.begin(), sizes_.end(), 0.0);
  kept_end_ = 0;
  // Children add to the fronts of their parents, which therefore begin empty.
  std::fill(fronts_.begin(), fronts_.end(), T{});
  add_rows(at);
  for (int s = 0; s < static_cast<int>(program_.steps.size()); ++s) {
    const Step& of = step(s);
    scratch_used_ = 0;
    if (loads_ > 0) kept_at_[to_index(s)] = kept_end_;
    // 1.
    const View<T> f = front(s);
    add_law(of.mass, of.stiffness, of.damping, at, f.block(0, 0, of.d, of.d));
    add_loads(s, f);
    blur_front(s, at, f);
    if (of.hops.empty()) {
      eliminate_root(s, f);
      continue;
    }
    // 2. Before the way to the parent, so that closed rows need not be carried along.
    const View<T> rest = scratch(rest_size(of), rest_size(of));
    close_rows(s, f, rest);
    // 3.
    const View<T> seen = scratch(of.seen + others(of), of.seen + others(of));
    hide_unseen(s, rest, seen);
    // 4.
    const View<T> frame = start_frame(s, seen);
    std::size_t load_at = load_at_[to_index(s)] + to_index(of.d);
    for (const Hop& hop : of.hops) {
      const bool first = &hop == &of.hops.front();
      if (!first) {
        enter_hop(s, hop, at, load_at, frame);
        load_at += to_index(of.n);
      }
      cross_hop(s, hop, at, first, seen, frame);
    }
    // 5.
    if (of.parent < 0) {
      end_at_root(s, frame);
    } else {
      end_at_parent(s, frame);
    }
  }
  // (M8) A border of open rows adds one negative pivot each, by Sylvester's law.
  pivots_.negative -= static_cast<int>(program_.rows.size());
}

// The force of a row is spring * lambda. Of an elastic one lambda is then how far it is stretched, and no number grows
// without bound where the spring is soft.
template <class T>
void PassKernel<T>::add_rows(const Frequency<T>& at) {
  for (const CutRow& row : program_.rows) {
    // A rigid row may be counted in any unit; that of a typical spring keeps its numbers like those beside it.
    const T spring = row.rigid ? T(program_.row_stiffness) : at.s * row.damping + row.stiffness;
    // Bordered like this, the determinant has the spring as a factor, which is no zero of the structure.
    if (!row.rigid) pivots_.multiply(T(1.0) / spring);
    for (int side = 0; side < 2; ++side) {
      const CutRow::Side& end = row.sides[side];
      const View<T> f = front(end.step);
      const int d = step(end.step).d;
      const int r = d + end.place;
      for (int i = 0; i < d; ++i) {
        const T g = spring * constants_[end.along + to_index(i)];
        f(i, r) += g;
        f(r, i) += g;
      }
      if (side == 0 && !row.rigid) {
        f(r, r) -= spring;
        if (blur_ != 0) size(end.step, r) += magnitude(spring);
      }
    }
  }
}

template <class T>
void PassKernel<T>::add_law(Offset mass, Offset stiffness, Offset damping, const Frequency<T>& at,
                            const View<T>& S) const {
  const Constant m = constant(mass, S.rows, S.rows), k = constant(stiffness, S.rows, S.rows);
  const Constant c = constant(damping, S.rows, S.rows);
  for (int i = 0; i < S.rows; ++i) {
    for (int j = 0; j < S.rows; ++j) S(i, j) += at.s2 * m(i, j) + at.s * c(i, j) + k(i, j);
  }
}

// A load is one more column: what the vertex needs beyond S e + G lambda.
template <class T>
void PassKernel<T>::add_loads(int s, const View<T>& f) {
  for (int load = 0; load < loads_; ++load) {
    const T* on = loads_on_.data() + to_index(load) * load_size_ + load_at_[to_index(s)];
    const int column = f.columns - loads_ + load;
    for (int i = 0; i < step(s).d; ++i) {
      f(i, column) -= on[i];
      f(column, i) -= on[i];
    }
  }
}

// b := a^-1 b with its pivots noted; the solution is kept where find_displacements() will ask for it.
template <class T>
Inertia PassKernel<T>::eliminate(const View<T>& a, const View<T>& b) {
  Inertia found;
  if constexpr (kCountsSigns<T>) {
    const View<Real<T>> values{values_.data(), a.rows, a.rows, a.rows};
    for (int i = 0; i < a.rows; ++i) {
      for (int j = 0; j < a.rows; ++j) values(i, j) = value_of(a(i, j));
    }
    found = pivots_.count(values);
  }
  pivots_.multiply(solve_in_place(a, b));
  keep(b);
  return found;
}

template <class T>
void PassKernel<T>::note(int s, const Inertia& found) {
  margins_[to_index(s)] = found.margin;
}

template <class T>
void PassKernel<T>::keep(const View<T>& solution) {
  if (loads_ == 0) return;
  copy(solution, View<T>{kept_.data() + kept_end_, solution.rows, solution.columns, solution.columns});
  kept_end_ += size_of(solution.rows, solution.columns);
}

template <class T>
void PassKernel<T>::eliminate_root(int s, const View<T>& f) {
  const int size = step(s).d + step(s).closing;
  // At a root closed rows and coordinates are eliminated together: nothing is attached to it that would need them.
  const View<T> b = scratch(size, loads_);
  copy(f.block(0, size, size, loads_), b);
  const View<T> a = scratch(size, size);
  copy(f.block(0, 0, size, size), a);
  note(s, eliminate(a, b));
}

// (M7) Rows whose two ways have met, r = 0: lambda = -H^-1 (G' e + ...).
template <class T>
void PassKernel<T>::close_rows(int s, const View<T>& f, const View<T>& rest) {
  const Step& of = step(s);
  const auto place = [&](int i) { return i < of.d ? i : i + of.closing; };
  for (int i = 0; i < rest.rows; ++i) {
    for (int j = 0; j < rest.rows; ++j) rest(i, j) = f(place(i), place(j));
  }
  if (of.closing == 0) return;
  const View<T> a = scratch(of.closing, of.closing);
  // H of the closing rows is singular where they are not independent, which settle_rows() has seen to.
  copy(f.block(of.d, of.d, of.closing, of.closing), a);
  const View<T> b = scratch(of.closing, rest.rows);
  const View<T> beside = scratch(of.closing, rest.rows);
  for (int i = 0; i < of.closing; ++i) {
    for (int j = 0; j < rest.rows; ++j) b(i, j) = beside(i, j) = f(of.d + i, place(j));
  }
  eliminate(a, b);
  subtract_transposed_product(beside, b, rest);
  blur_product(s, beside, b, rest);
}

// Coordinates that the element to the parent does not feel, as about a released hinge.
template <class T>
void PassKernel<T>::hide_unseen(int s, const View<T>& rest, const View<T>& seen) {
  const Step& of = step(s);
  const int hidden = of.d - of.seen;
  if (hidden == 0) return copy(rest, seen);
  const Constant axes = constant(of.axes, of.d, of.d);
  const View<T> half = scratch(of.d, rest.rows);
  // Q' S Q, so that what is seen and what is not stand in blocks of their own.
  add_transposed_product(axes, rest.block(0, 0, of.d, rest.rows), half);
  const View<T> turned = scratch(of.d, rest.rows);
  add_product(half.block(0, 0, of.d, of.d), axes, turned.block(0, 0, of.d, of.d));
  copy(half.block(0, of.d, of.d, others(of)), turned.block(0, of.d, of.d, others(of)));
  blur_turned(s, rest, turned);
  const auto place = [&](int i) { return i < of.seen ? i : i + hidden; };
  for (int i = 0; i < seen.rows; ++i) {
    for (int j = 0; j < seen.rows; ++j) {
      // Forces of open rows and loads are not turned: they are numbers and have no axes.
      if (i < of.seen) {
        seen(i, j) = turned(i, place(j));
      } else {
        seen(i, j) = j < of.seen ? turned(j, place(i)) : rest(place(i), place(j));
      }
    }
  }
  const View<T> a = scratch(hidden, hidden);
  copy(turned.block(of.seen, of.seen, hidden, hidden), a);
  const View<T> b = scratch(hidden, seen.rows);
  const View<T> beside = scratch(hidden, seen.rows);
  for (int i = 0; i < hidden; ++i) {
    for (int j = 0; j < seen.rows; ++j) b(i, j) = beside(i, j) = turned(of.seen + i, place(j));
  }
  note(s, eliminate(a, b));
  subtract_transposed_product(beside, b, seen);
  blur_product(s, beside, b, seen);
}

// (M6) Rows of Y: e, t, r of the carried rows, and with loads the numbers x that the frame was last chosen with.
template <class T>
View<T> PassKernel<T>::start_frame(int s, const View<T>& seen) {
  const Step& of = step(s);
  const int n = of.n, y = of.seen, more = others(of);
  const View<T> frame = scratch(2 * n + of.carried + (loads_ > 0 ? n : 0), n + more);
  const Constant into = constant(of.into, n, y), reaction = constant(of.reaction, n, n - y);
  for (int i = 0; i < n; ++i) {
    // Of what the element sees, displacements are free and forces follow; of the rest the forces are free.
    for (int j = 0; j < y; ++j) frame(i, j) = T(into(i, j));
    for (int j = 0; j < n - y; ++j) frame(n + i, y + j) = T(reaction(i, j));
  }
  const Constant load = constant(of.load, n, y);
  // t = S e at the start of the way, in the directions of the element.
  add_product(load, seen.block(0, 0, y, y), frame.block(n, 0, n, y));
  add_product(load, seen.block(0, y, y, more), frame.block(n, n, n, more));
  for (int k = 0; k < of.carried; ++k) {
    for (int j = 0; j < y; ++j) frame(2 * n + k, j) = seen(j, y + k);
    for (int j = 0; j < more; ++j) frame(2 * n + k, n + j) = seen(y + k, y + j);
  }
  return frame;
}

// Over a vertex that only two elements hold.
template <class T>
void PassKernel<T>::enter_hop(int s, const Hop& hop, const Frequency<T>& at, std::size_t load_at,
                              const View<T>& frame) {
  const int n = step(s).n;
  const std::size_t before = scratch_used_;
  const View<T> e = frame.block(0, 0, n, frame.columns), t = frame.block(n, 0, n, frame.columns);
  // e and t turn by maps that are the transposed inverse of each other, so that their work stays the same.
  if (!hop.straight) {
    const View<T> turned = scratch(2 * n, frame.columns);
    add_product(constant(hop.axes, n, n), e, turned.block(0, 0, n, frame.columns));
    add_product(constant(hop.axes_force, n, n), t, turned.block(n, 0, n, frame.columns));
    copy(turned, frame.block(0, 0, 2 * n, frame.columns));
  }
  // t += (s^2 M + s C + K) e of the vertex: no elimination, and no pole.
  if (!hop.bare) {
    const View<T> S = scratch(n, n);
    add_law(hop.mass, hop.stiffness, hop.damping, at, S);
    add_product(S, e, t);
  }
  for (int load = 0; load < loads_; ++load) {
    const T* on = loads_on_.data() + to_index(load) * load_size_ + load_at;
    for (int i = 0; i < n; ++i) t(i, frame.columns - loads_ + load) -= on[i];
  }
  keep(e);
  scratch_used_ = before;
}

template <class T>
void PassKernel<T>::cross_hop(int s, const Hop& hop, const Frequency<T>& at, bool first, const View<T>& seen,
                              const View<T>& frame) {
  if (hop.element < 0) return;
  const Step& of = step(s);
  if (hop.is_beam) {
    set_fields(hop.beam, at, fields_);
  } else {
    set_fields(hop.hinge, at, fields_);
    // A spring of stiffness k stands as 1 / k in B of (M4), so that its determinant lacks a factor k.
    for (int k = 0; k < fields_.count; ++k) pivots_.multiply(fields_.of[to_index(k)].spring);
  }
  const bool last = &hop == &of.hops.back();
  const int slices = slices_of(hop);
  for (int slice = 0; slice < slices; ++slice) {
    if (first && slice == 0) {
      count_first(of, seen.block(0, 0, of.seen, of.seen));
    } else {
      count_slice(of.n, frame);
    }
    advance(of.n, frame);
    // The end of the way chooses by itself: displacements at a parent, nothing at a root.
    if (last && slice + 1 == slices) return;
    // Displacements and forces are weighed by what comes next, so that neither swallows the digits of the other.
    if (slice + 1 == slices) stiffen_impedances(of.n, *(&hop + 1), at);
    choose_again(of, false, frame, order_);
  }
}

template <class T>
void PassKernel<T>::advance(int n, const View<T>& frame) {
  // (M4) for each field by itself, since fields do not mix.
  for (int k = 0; k < fields_.count; ++k) {
    const Field<T>& f = fields_.of[to_index(k)];
    const int i = f.first;
    for (int j = 0; j < frame.columns; ++j) {
      const T e = frame(i, j), t = frame(n + i, j);
      if (f.size == 1) {
        frame(i, j) = f.A[0] * e + f.B[0] * t;
        frame(n + i, j) = f.C[0] * e + f.D[0] * t;
        continue;
      }
      const T e1 = frame(i + 1, j), t1 = frame(n + i + 1, j);
      frame(i, j) = f.A[0] * e + f.A[1] * e1 + f.B[0] * t + f.B[1] * t1;
      frame(i + 1, j) = f.A[2] * e + f.A[3] * e1 + f.B[2] * t + f.B[3] * t1;
      frame(n + i, j) = f.C[0] * e + f.C[1] * e1 + f.D[0] * t + f.D[1] * t1;
      frame(n + i + 1, j) = f.C[2] * e + f.C[3] * e1 + f.D[2] * t + f.D[3] * t1;
    }
  }
}

// The next vertex has a law of its own, and a displacement that is not one of the numbers x would cost its whole force.
template <class T>
void PassKernel<T>::stiffen_impedances(int n, const Hop& next, const Frequency<T>& at) {
  if (next.bare) return;
  const Constant m = constant(next.mass, n, n), c = constant(next.damping, n, n), k = constant(next.stiffness, n, n);
  const auto law = [&](int i) { return magnitude(at.s2 * m(i, i) + at.s * c(i, i) + k(i, i)); };
  double largest = 0;
  // Where axes turn, any direction of the next vertex may come to lie in any of these.
  for (int i = 0; i < n && !next.straight; ++i) largest = std::max(largest, law(i));
  for (int j = 0; j < fields_.count; ++j) {
    Field<T>& f = fields_.of[to_index(j)];
    for (int i = 0; i < f.size; ++i) {
      double& z = f.impedance[to_index(i)];
      z = std::max(z, next.straight ? law(f.first + i) : largest);
    }
  }
}

// New numbers x: n of the displacements and forces, `order` says which; or all the displacements. By elimination on the
// columns, whose pivots are the determinant of the change.
template <class T>
void PassKernel<T>::choose_again(const Step& of, bool displacements, const View<T>& frame, std::vector<int>& order) {
  const int n = of.n;
  const int kept = 2 * n + of.carried;
  if (loads_ > 0) {
    const View<T> x = frame.block(kept, 0, n, frame.columns);
    set_zero(x);
    // What the old numbers are in terms of the new ones, for the way back.
    for (int i = 0; i < n; ++i) x(i, i) = T(1.0);
  }
  std::array<double, 12> weight{};
  for (int i = 0; i < n; ++i) weight[to_index(i)] = 1;
  if (!displacements) {
    for (int k = 0; k < fields_.count; ++k) {
      const Field<T>& f = fields_.of[to_index(k)];
      for (int i = 0; i < f.size; ++i) {
        const double z = f.impedance[to_index(i)];
        // Forces in units of displacements.
        weight[to_index(n + f.first + i)] = z > 0 ? 1 / z : 0;
      }
    }
  }
  Product<T> determinant;
  for (int j = 0; j < n; ++j) {
    // Each row once, also where all that is left is 0 or not a number.
    int pivot = -1;
    double largest = -1;
    for (int i = 0; i < (displacements ? n : 2 * n); ++i) {
      if (weight[to_index(i)] < 0) continue;
      const double size = weight[to_index(i)] * magnitude(frame(i, j));
      if (size > largest || pivot < 0) largest = size, pivot = i;
    }
    order[to_index(j)] = pivot;
    // Taken: below every weight that is still to be chosen from.
    weight[to_index(pivot)] = -2;
    const T value = frame(pivot, j);
    determinant.multiply(value);
    for (int i = 0; i < frame.rows; ++i) frame(i, j) = frame(i, j) / value;
    for (int c = 0; c < frame.columns; ++c) {
      if (c == j) continue;
      const T factor = frame(pivot, c);
      // Fields that do not mix have zeros in each other's columns.
      if (magnitude(factor) == 0) continue;
      for (int i = 0; i < frame.rows; ++i) frame(i, c) -= factor * frame(i, j);
    }
  }
  pivots_.multiply(determinant);
  if (!displacements) keep(frame.block(kept, 0, loads_ > 0 ? n : 0, frame.columns));
}

// At a vertex where several ways meet all speak of its displacements.
template <class T>
void PassKernel<T>::end_at_parent(int s, const View<T>& frame) {
  const Step& of = step(s);
  const Step& parent = step(of.parent);
  const int n = of.n, more = others(of);
  choose_again(of, true, frame, order_);
  // Column j stands for displacement order_[j]: sort them, each exchange turns the sign.
  for (int j = 0; j < n; ++j) {
    while (order_[to_index(j)] != j) {
      const int target = order_[to_index(j)];
      for (int i = 0; i < frame.rows; ++i) std::swap(frame(i, j), frame(i, target));
      std::swap(order_[to_index(j)], order_[to_index(target)]);
      pivots_.multiply(T(-1.0));
    }
  }
  if (loads_ > 0) keep(frame.block(2 * n + of.carried, 0, n, frame.columns));
  const View<T> S = frame.block(n, 0, n, n);
  // S = T E^-1 is symmetric except for rounding.
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) S(i, j) = S(j, i) = (S(i, j) + S(j, i)) * 0.5;
  }
  note_sizes(s, frame);
  const View<T> f = front(of.parent);
  const Constant onto = constant(of.onto, n, parent.d);
  const View<T> half = scratch(n, parent.d);
  // The parent sees the far end through its own coordinates: P' S P, and P' G for rows and loads.
  add_product(S, onto, half);
  add_transposed_product(onto, half, f.block(0, 0, parent.d, parent.d));
  const View<T> G = scratch(parent.d, more);
  add_transposed_product(onto, frame.block(n, n, n, more), G);
  // Rows keep their own places in the parent's front, loads stand at its end.
  const auto place = [&](int k) {
    return k < of.carried ? parent.d + of.row_place[to_index(k)] : f.columns - loads_ + (k - of.carried);
  };
  for (int k = 0; k < more; ++k) {
    for (int i = 0; i < parent.d; ++i) {
      f(i, place(k)) += G(i, k);
      f(place(k), i) += G(i, k);
    }
  }
  for (int k = 0; k < of.carried; ++k) {
    for (int l = 0; l < more; ++l) {
      f(place(k), place(l)) += frame(2 * n + k, n + l);
      // Of two rows both orders are met by the loops; a load has one row only.
      if (l >= of.carried) f(place(l), place(k)) += frame(2 * n + k, n + l);
    }
  }
}

// The root needs no force: t = 0.
template <class T>
void PassKernel<T>::end_at_root(int s, const View<T>& frame) {
  const int n = step(s).n;
  if constexpr (kCountsSigns<T>) {
    // E' T has the signs of S = T E^-1, and no poles.
    const View<Real<T>> p{values_.data(), n, n, n};
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        p(i, j) = 0;
        for (int k = 0; k < n; ++k) p(i, j) += value_of(frame(k, i)) * value_of(frame(n + k, j));
      }
    }
    note(s, pivots_.count(p));
  }
  // T x = -loads: the numbers of the last frame under the loads.
  const View<T> a = scratch(n, n), b = scratch(n, loads_);
  copy(frame.block(n, 0, n, n), a);
  copy(frame.block(n, n, n, loads_), b);
  pivots_.multiply(solve_in_place(a, b));
  keep(b);
}

// Other files count with them (pass_count.cpp).
template struct Pivots<double>;
template struct Pivots<DoubleDouble>;
template struct Pivots<Dual<double>>;
template struct Pivots<Dual<DoubleDouble>>;

template class PassKernel<double>;
template class PassKernel<DoubleDouble>;
template class PassKernel<std::complex<double>>;
template class PassKernel<Dual<double>>;
template class PassKernel<Dual<DoubleDouble>>;
template class PassKernel<Dual<std::complex<double>>>;

}  // namespace espalier::modes::detail
