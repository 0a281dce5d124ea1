#pragma once

// The passes of Kernel; see kernel.hpp for the formulas.

#include "espalier/dynamics/detail/kernel.hpp"

namespace espalier::dynamics::detail {

// R from a quaternion w x y z, of any length.
template <class R>
Turn<R> turn_from(const R* q) {
  const R s = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const R wx = s * q[0] * q[1], wy = s * q[0] * q[2], wz = s * q[0] * q[3];
  const R xx = s * q[1] * q[1], xy = s * q[1] * q[2], xz = s * q[1] * q[3];
  const R yy = s * q[2] * q[2], yz = s * q[2] * q[3], zz = s * q[3] * q[3];
  return {
      {1.0 - (yy + zz), xy + wz, xz - wy}, {xy - wz, 1.0 - (xx + zz), yz + wx}, {xz + wy, yz - wx, 1.0 - (xx + yy)}};
}
template <class R>
Turn<R> compose(const Turn<R>& a, const Turn<R>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
template <class R>
Turn<R> about_z(const Turn<R>& A, const R& angle) {
  R s, c;
  sin_cos(angle, s, c);
  return {A.x * c + A.y * s, A.y * c - A.x * s, A.z};
}

template <class R>
void Kernel<R>::forward_link(std::size_t i, const R* q, const R* v) {
  const LinkProgram& link = program_.links[i];
  const LinkState<R>& parent = links_[static_cast<std::size_t>(link.parent)];
  LinkState<R>& state = links_[i];
  const Turn<R> A = link.turned ? apply(parent.turn, link.turn) : parent.turn;
  set_motion(link, state, parent, A, apply(parent.turn, link.at), q + link.q, v + link.v);
}

template <class R>
void Kernel<R>::set_motion(const LinkProgram& link, LinkState<R>& state, const LinkState<R>& parent, const Turn<R>& A,
                           const Vec<R>& at, const R* q, const R* v) {
  using model::JointType;
  const Vec<R> zero{};
  Pair<R>* s = pairs(link.joint);
  Vec<R> slide = zero, spin = zero;  // S_lin v and S_ang v
  state.r = at;
  switch (link.type) {
    case JointType::kRevolute:
      state.turn = about_z(A, q[0]);
      s[0] = {A.z, zero};
      spin = A.z * v[0];
      break;
    case JointType::kPrismatic:
      state.turn = A;
      state.r += A.z * q[0];
      s[0] = {zero, A.z};
      slide = A.z * v[0];
      break;
    case JointType::kScrew:
      state.turn = about_z(A, q[0]);
      state.r += A.z * (q[0] * link.lead);
      s[0] = {A.z, A.z * (R{} + link.lead)};
      spin = A.z * v[0];
      slide = spin * (R{} + link.lead);
      break;
    case JointType::kCylindrical:
      state.turn = about_z(A, q[1]);
      state.r += A.z * q[0];
      s[0] = {zero, A.z}, s[1] = {A.z, zero};
      slide = A.z * v[0];
      spin = A.z * v[1];
      break;
    case JointType::kUniversal: {
      R s0, c0, s1, c1;
      sin_cos(q[0], s0, c0);
      sin_cos(q[1], s1, c1);
      const Vec<R> y = A.y * c0 + A.z * s0, z = A.z * c0 - A.y * s0;
      state.turn = {A.x * c1 - z * s1, y, z * c1 + A.x * s1};
      s[0] = {A.x, zero}, s[1] = {y, zero};
      spin = A.x * v[0] + y * v[1];
      break;
    }
    case JointType::kSpherical:
      state.turn = compose(A, turn_from(q));
      s[0] = {state.turn.x, zero}, s[1] = {state.turn.y, zero}, s[2] = {state.turn.z, zero};
      spin = state.turn * Vec<R>{v[0], v[1], v[2]};
      break;
    case JointType::kPlanar:
      state.turn = about_z(A, q[2]);
      state.r += A.x * q[0] + A.y * q[1];
      s[0] = {zero, A.x}, s[1] = {zero, A.y}, s[2] = {A.z, zero};
      slide = A.x * v[0] + A.y * v[1];
      spin = A.z * v[2];
      break;
    case JointType::kFree:
      state.turn = compose(A, turn_from(q + 3));
      state.r += A * Vec<R>{q[0], q[1], q[2]};
      s[0] = {zero, A.x}, s[1] = {zero, A.y}, s[2] = {zero, A.z};
      s[3] = {state.turn.x, zero}, s[4] = {state.turn.y, zero}, s[5] = {state.turn.z, zero};
      slide = A * Vec<R>{v[0], v[1], v[2]};
      spin = state.turn * Vec<R>{v[3], v[4], v[5]};
      break;
    case JointType::kFixed:
      break;
  }
  state.o = parent.o + state.r;
  state.w = parent.w + spin;
  const Vec<R> carried = cross(parent.w, state.r);
  state.velocity = parent.velocity + carried + slide;
  // Axes fixed in A turn with the parent; the second axis of a universal joint turns with the first as well.
  state.zeta.angular = cross(parent.w, spin);
  if (link.type == JointType::kUniversal) state.zeta.angular += cross(s[0].angular, s[1].angular) * (v[0] * v[1]);
  state.zeta.linear = cross(parent.w, carried + slide + slide);
}

template <class R>
void Kernel<R>::make_rows(const Term& term) {
  using model::JointType;
  const LinkState<R>& a = links_[static_cast<std::size_t>(term.a)];
  const LinkState<R>& b = links_[static_cast<std::size_t>(term.b)];
  const Turn<R> A = apply(a.turn, term.turn_a);
  const Vec<R> arm_a = apply(a.turn, term.at_a);
  // The point all lines of force go through: the origin of A, as a point of both bodies.
  const Vec<R> point = a.o + arm_a;
  const Vec<R> arm_b = point - b.o;
  const Vec<R> spin = b.w - a.w;
  const Vec<R> slide = b.velocity + cross(b.w, arm_b) - a.velocity - cross(a.w, arm_a);
  const Vec<R> swing_a = cross(a.w, cross(a.w, arm_a)), swing_b = cross(b.w, cross(b.w, arm_b));
  const Vec<R> line_bias = swing_b - swing_a - cross(a.w + b.w, slide);
  const Vec<R> turn_bias = cross(b.w, a.w);
  Pair<R>* K_a = pairs(term.K_a);
  Pair<R>* K_b = pairs(term.K_b);
  R* k_a = scratch(term.k_a);
  R* k_b = scratch(term.k_b);
  const auto line = [&](int r, const Vec<R>& u) {
    K_b[r] = {cross(arm_b, u), u};
    K_a[r] = {-cross(arm_a, u), -u};
    k_b[r] = dot(u, line_bias);
  };
  const auto couple = [&](int r, const Vec<R>& u) {
    K_b[r] = {u, Vec<R>{}};
    K_a[r] = {-u, Vec<R>{}};
    k_b[r] = dot(u, turn_bias);
  };
  for (int r = 0; r < term.rows; ++r) {
    k_a[r] = R{};
    if (term.drive) {
      const R ratio = *scratch(term.ratio_at);
      term.slides ? line(r, A.z * ratio) : couple(r, A.z * ratio);
      continue;
    }
    const int row = term.row[static_cast<std::size_t>(r)];
    const Vec<R>* axis = &A.x;
    switch (term.type) {
      case JointType::kRevolute:
      case JointType::kSpherical:
      case JointType::kFixed:
        row < 3 ? line(r, axis[row]) : couple(r, axis[row - 3]);
        break;
      case JointType::kPrismatic:
      case JointType::kCylindrical:
        row < 2 ? line(r, axis[row]) : couple(r, axis[row - 2]);
        break;
      case JointType::kPlanar:
        row < 1 ? line(r, A.z) : couple(r, axis[row - 1]);
        break;
      case JointType::kScrew:
        if (row < 2) {
          line(r, axis[row]);
        } else if (row < 4) {
          couple(r, axis[row - 2]);
        } else {
          line(r, A.z);
          const R lead = R{} + term.lead;
          K_b[r].angular -= A.z * lead;
          K_a[r].angular += A.z * lead;
          k_b[r] -= lead * dot(A.z, turn_bias);
        }
        break;
      case JointType::kUniversal:
        if (row < 3) {
          line(r, axis[row]);
        } else {
          const Vec<R> y = apply(b.turn, term.turn_b).y;
          couple(r, cross(A.x, y));
          k_b[r] = dot(cross(cross(a.w, A.x), y) + cross(A.x, cross(b.w, y)), spin);
        }
        break;
      case JointType::kFree:
        break;
    }
  }
}

template <class R>
template <bool kMatrices>
void Kernel<R>::backward_link(std::size_t i, const R* effort) {
  const LinkProgram& link = program_.links[i];
  const LinkState<R>& state = links_[i];
  Articulated<R> IA{};
  Pair<R> pA{};
  if constexpr (kMatrices) {
    const Vec<R> mc = apply(state.turn, link.moment);
    IA.A = turned(state.turn, link.inertia);
    IA.B = {{R{}, -mc.z, mc.y}, {mc.z, R{}, -mc.x}, {-mc.y, mc.x, R{}}};
    const R mass = R{} + link.mass;
    IA.C = {mass, R{}, R{}, mass, R{}, mass};
    pA.angular = cross(state.w, IA.A * state.w) - state.outer.angular;
    pA.linear = cross(state.w, cross(state.w, mc)) - state.outer.linear;
  }
  for (int c = link.children.begin; c < link.children.end; ++c) {
    const LinkState<R>& child = links_[static_cast<std::size_t>(program_.children[static_cast<std::size_t>(c)])];
    if constexpr (kMatrices) {
      IA.A = IA.A + child.up.A;
      IA.B = IA.B + child.up.B;
      IA.C = IA.C + child.up.C;
    }
    pA += child.bias_up;
  }
  eliminate<kMatrices, false>(i, &IA, &pA);
  switch (link.freedom) {
    case 1:
      return backward_joint<kMatrices, 1>(i, IA, pA, effort);
    case 2:
      return backward_joint<kMatrices, 2>(i, IA, pA, effort);
    case 3:
      return backward_joint<kMatrices, 3>(i, IA, pA, effort);
    default:
      return backward_joint<kMatrices, 6>(i, IA, pA, effort);
  }
}

// D^-1 by the factors L D L^T.
template <class R>
template <int F>
void Kernel<R>::invert(Joint<F>& joint, const double* armature, std::size_t i) {
  R L[F][F], d[F];
  for (int r = 0; r < F; ++r) {
    for (int c = 0; c <= r; ++c) {
      R sum = dot(joint.s[r], joint.u[c]);
      if (r == c) sum += armature[r];
      for (int k = 0; k < c; ++k) sum -= L[r][k] * L[c][k] * d[k];
      if (r == c) {
        d[r] = sum;
        if (!all_positive(sum)) failed = static_cast<int>(i);
      } else {
        L[r][c] = sum / d[c];
      }
    }
  }
  for (int c = 0; c < F; ++c) {
    R x[F];
    for (int r = 0; r < F; ++r) {
      R sum = R{} + (r == c ? 1.0 : 0.0);
      for (int k = c; k < r; ++k) sum -= L[r][k] * x[k];
      x[r] = sum;
    }
    for (int r = F - 1; r >= c; --r) {
      R sum = x[r] / d[r];
      for (int k = r + 1; k < F; ++k) sum -= L[k][r] * x[k];
      x[r] = sum;
      joint.inverse[r * (r + 1) / 2 + c] = x[r];
    }
  }
}

template <class R>
template <bool kMatrices, int F>
void Kernel<R>::backward_joint(std::size_t i, const Articulated<R>& IA, const Pair<R>& pA, const R* effort) {
  const LinkProgram& link = program_.links[i];
  LinkState<R>& state = links_[i];
  Joint<F>& j = joint<F>(i);
  if constexpr (kMatrices) {
    for (int k = 0; k < F; ++k) j.u[k] = IA * j.s[k];
    invert<F>(j, link.armature.data(), i);
  }
  R over[F];  // D^-1 u
  for (int k = 0; k < F; ++k) j.load[k] = (kMatrices ? effort[link.v + k] : R{}) - dot(j.s[k], pA);
  for (int k = 0; k < F; ++k) {
    over[k] = j.inv(k, 0) * j.load[0];
    for (int l = 1; l < F; ++l) over[k] += j.inv(k, l) * j.load[l];
  }
  Pair<R> bias = pA;
  for (int k = 0; k < F; ++k) {
    bias.angular += j.u[k].angular * over[k];
    bias.linear += j.u[k].linear * over[k];
  }
  if constexpr (kMatrices) {
    Articulated<R> rest = IA;
    for (int k = 0; k < F; ++k) {
      Pair<R> ud{j.u[0].angular * j.inv(k, 0), j.u[0].linear * j.inv(k, 0)};
      for (int l = 1; l < F; ++l) {
        ud.angular += j.u[l].angular * j.inv(k, l);
        ud.linear += j.u[l].linear * j.inv(k, l);
      }
      subtract_outer(rest.A, ud.angular, j.u[k].angular);
      subtract_outer(rest.B, ud.angular, j.u[k].linear);
      subtract_outer(rest.C, ud.linear, j.u[k].linear);
    }
    bias += rest * state.zeta;
    state.up = shifted(rest, state.r);
  }
  state.bias_up = {bias.angular + cross(state.r, bias.linear), bias.linear};

  R driven[F];  // u - U^T zeta
  for (int k = 0; k < F; ++k) driven[k] = kMatrices ? j.load[k] - dot(j.u[k], state.zeta) : j.load[k];
  for (int p = link.passes.begin; p < link.passes.end; ++p) {
    const Pass& pass = program_.passes[static_cast<std::size_t>(p)];
    const Pair<R>* K = pairs(pass.K);
    Pair<R>* K_up = pairs(pass.K_up);
    const R* k = scratch(pass.k);
    R* k_up = scratch(pass.k_up);
    R* W = scratch(pass.W);
    R* WD = scratch(pass.WD);
    for (int r = 0; r < pass.rows; ++r) {
      if constexpr (kMatrices) {
        for (int c = 0; c < F; ++c) W[r * F + c] = dot(j.s[c], K[r]);
        Pair<R> up = K[r];
        for (int c = 0; c < F; ++c) {
          R sum = j.inv(c, 0) * W[r * F];
          for (int l = 1; l < F; ++l) sum += j.inv(c, l) * W[r * F + l];
          WD[r * F + c] = sum;
          up.angular -= j.u[c].angular * sum;
          up.linear -= j.u[c].linear * sum;
        }
        K_up[r] = {up.angular + cross(state.r, up.linear), up.linear};
      }
      R sum = kMatrices ? k[r] + dot(K[r], state.zeta) : k[r];
      for (int c = 0; c < F; ++c) sum += WD[r * F + c] * driven[c];
      k_up[r] = sum;
    }
  }
  if constexpr (kMatrices && std::is_same_v<R, double>) {
    if (selection_ != nullptr) add_mobility(link);
  }
  if constexpr (kMatrices) {
    for (int p = link.pairs.begin; p < link.pairs.end; ++p) {
      const CoupledPair& pair = program_.pairs[static_cast<std::size_t>(p)];
      const R* W = scratch(pair.W);
      const R* WD = scratch(pair.WD);
      R* M = scratch(pair.M);
      for (int r = 0; r < pair.rows_c; ++r) {
        for (int s = 0; s < pair.rows_d; ++s) {
          R sum = W[r * F] * WD[s * F];
          for (int c = 1; c < F; ++c) sum += W[r * F + c] * WD[s * F + c];
          M[r * pair.rows_d + s] += sum;
        }
      }
    }
  }
}

template <class R>
template <bool kMatrices, bool kWorld>
void Kernel<R>::eliminate(std::size_t i, Articulated<R>* IA, Pair<R>* pA) {
  const LinkProgram& link = program_.links[i];
  for (int g = link.gathers.begin; g < link.gathers.end; ++g) {
    const Gather& gather = program_.gathers[static_cast<std::size_t>(g)];
    for (int s = gather.sources.begin; s < gather.sources.end; ++s) {
      const Source& source = program_.sources[static_cast<std::size_t>(s)];
      const bool first = s == gather.sources.begin;
      if constexpr (kMatrices) {
        for (int n = 0; n < 6 * gather.rows; ++n)
          *scratch(gather.K + n) = first ? *scratch(source.K + n) : *scratch(gather.K + n) + *scratch(source.K + n);
      }
      for (int n = 0; n < gather.rows; ++n)
        *scratch(gather.k + n) = first ? *scratch(source.k + n) : *scratch(gather.k + n) + *scratch(source.k + n);
    }
  }
  if constexpr (kMatrices) {
    for (int m = link.merges.begin; m < link.merges.end; ++m) {
      const Merge& merge = program_.merges[static_cast<std::size_t>(m)];
      for (int f = merge.from.begin; f < merge.from.end; ++f) {
        const R* from = scratch(program_.merge_sources[static_cast<std::size_t>(f)]);
        for (int n = 0; n < merge.size; ++n) *scratch(merge.to + n) += from[n];
      }
    }
  }
  for (int c = link.closes.begin; c < link.closes.end; ++c)
    eliminate_loop<kMatrices, kWorld>(program_.closes[static_cast<std::size_t>(c)], IA, pA);
}

// M = L D L^T in place: D on the diagonal, L below it.
template <class R>
void Kernel<R>::factor_block(R* M, int n) const {
  for (int c = 0; c < n; ++c) {
    const R floor = M[c * n + c] * kPivotFloor;
    R pivot = M[c * n + c];
    for (int k = 0; k < c; ++k) pivot -= M[c * n + k] * M[c * n + k] * M[k * n + k];
    pivot = larger(pivot, floor);
    M[c * n + c] = pivot;
    for (int r = c + 1; r < n; ++r) {
      R sum = M[r * n + c];
      for (int k = 0; k < c; ++k) sum -= M[r * n + k] * M[c * n + k] * M[k * n + k];
      M[r * n + c] = sum / pivot;
    }
  }
}
template <class R>
void Kernel<R>::solve_block(const R* M, int n, R* x, int stride) const {
  for (int r = 1; r < n; ++r) {
    for (int k = 0; k < r; ++k) x[r * stride] -= M[r * n + k] * x[k * stride];
  }
  for (int r = n - 1; r >= 0; --r) {
    x[r * stride] = x[r * stride] / M[r * n + r];
    for (int k = r + 1; k < n; ++k) x[r * stride] -= M[k * n + r] * x[k * stride];
  }
}

// No row can move the joint by more than this: |S| |K|, angular and linear parts each.
template <class R>
void Kernel<R>::add_mobility(const LinkProgram& link) {
  const Pair<R>* s = pairs(link.joint);
  const auto length = [](const Vec<R>& v) { return std::sqrt(dot(v, v)); };
  for (int p = link.passes.begin; p < link.passes.end; ++p) {
    const Pass& pass = program_.passes[static_cast<std::size_t>(p)];
    for (int r = 0; r < pass.rows; ++r) {
      const Pair<R>& K = pairs(pass.K)[r];
      R& sum = selection_->mobility[static_cast<std::size_t>(pass.lambda - program_.lambdas.begin + r)];
      for (int c = 0; c < link.freedom; ++c) {
        const R inverse = *scratch(link.joint + 12 * link.freedom + c * (c + 1) / 2 + c);
        const R most = length(s[c].angular) * length(K.angular) + length(s[c].linear) * length(K.linear);
        sum += most * most * inverse;
      }
    }
  }
}

// Takes the rows of a closing loop in the order of what is left of their mobility. A row of which nothing is left is
// implied by those before it: it is struck out.
template <class R>
void Kernel<R>::select_rows(const Close& close) {
  const int n = close.rows;
  const auto first = static_cast<std::size_t>(close.lambda - program_.lambdas.begin);
  R* M = scratch(close.M);
  std::array<R, 36> left;
  std::copy(M, M + n * n, left.begin());
  std::array<bool, 6> taken{};
  for (int step = 0; step < n; ++step) {
    int best = -1;
    R most = kRowTolerance;
    for (int r = 0; r < n; ++r) {
      const R pivot =
          left[static_cast<std::size_t>(r * n + r)] / selection_->mobility[first + static_cast<std::size_t>(r)];
      if (!taken[static_cast<std::size_t>(r)] && pivot > most) best = r, most = pivot;
    }
    if (best < 0) break;
    taken[static_cast<std::size_t>(best)] = true;
    const R pivot = left[static_cast<std::size_t>(best * n + best)];
    for (int r = 0; r < n; ++r) {
      const R part = left[static_cast<std::size_t>(r * n + best)] / pivot;
      if (taken[static_cast<std::size_t>(r)]) continue;
      for (int c = 0; c < n; ++c) {
        if (!taken[static_cast<std::size_t>(c)])
          left[static_cast<std::size_t>(r * n + c)] -= part * left[static_cast<std::size_t>(best * n + c)];
      }
    }
  }
  for (int r = 0; r < n; ++r) {
    if (taken[static_cast<std::size_t>(r)]) continue;
    selection_->dropped[first + static_cast<std::size_t>(r)] = true;
    strike_out(close, r);
  }
}

template <class R>
void Kernel<R>::strike_out(const Close& close, int row) {
  const int n = close.rows;
  for (int c = 0; c < n; ++c) *scratch(close.M + row * n + c) = *scratch(close.M + c * n + row) = R{};
  *scratch(close.M + row * n + row) = R{} + 1.0;
  for (int m = 0; m < 6; ++m) *scratch(close.K + 6 * row + m) = R{};
  *scratch(close.k + row) = R{};
  for (int d = close.near.begin; d < close.near.end; ++d) {
    const Near& near = program_.nears[static_cast<std::size_t>(d)];
    for (int s = 0; s < near.rows; ++s) *scratch(near.M + (near.transposed ? s * n + row : row * near.rows + s)) = R{};
  }
}

template <class R>
template <bool kMatrices, bool kWorld>
void Kernel<R>::eliminate_loop(const Close& close, Articulated<R>* IA, Pair<R>* pA) {
  const int n = close.rows;
  R* M = scratch(close.M);
  const Pair<R>* K = pairs(close.K);
  R* k = scratch(close.k);
  R* yk = scratch(close.yk);
  if constexpr (kMatrices) {
    if constexpr (std::is_same_v<R, double>) {
      if (selection_ != nullptr) select_rows(close);
    }
    factor_block(M, n);
    if constexpr (!kWorld) {
      R* yK = scratch(close.yK);
      for (int m = 0; m < 6 * n; ++m) yK[m] = *scratch(close.K + m);
      for (int m = 0; m < 6; ++m) solve_block(M, n, yK + m, 6);
    }
    for (int d = close.near.begin; d < close.near.end; ++d) {
      const Near& near = program_.nears[static_cast<std::size_t>(d)];
      const R* from = scratch(near.M);
      R* Y = scratch(near.Y);
      for (int r = 0; r < n; ++r) {
        for (int s = 0; s < near.rows; ++s)
          Y[r * near.rows + s] = near.transposed ? from[s * n + r] : from[r * near.rows + s];
      }
      for (int s = 0; s < near.rows; ++s) solve_block(M, n, Y + s, near.rows);
    }
    for (int u = close.updates.begin; u < close.updates.end; ++u) {
      const Update& update = program_.updates[static_cast<std::size_t>(u)];
      const Near& first = program_.nears[static_cast<std::size_t>(update.first)];
      const Near& second = program_.nears[static_cast<std::size_t>(update.second)];
      const R* from = scratch(first.M);
      const R* Y = scratch(second.Y);
      R* to = scratch(update.M);
      for (int s = 0; s < first.rows; ++s) {
        for (int t = 0; t < second.rows; ++t) {
          R sum = R{};
          for (int r = 0; r < n; ++r)
            sum += (first.transposed ? from[s * n + r] : from[r * first.rows + s]) * Y[r * second.rows + t];
          (update.transposed ? to[t * first.rows + s] : to[s * second.rows + t]) -= sum;
        }
      }
    }
  }
  for (int r = 0; r < n; ++r) yk[r] = k[r];
  if constexpr (kWorld) {
    // The world's acceleration is known: its part of the rows becomes a number.
    const Pair<R>& a = links_[0].acceleration;
    for (int r = 0; r < n; ++r) yk[r] += kMatrices ? dot(K[r], a) : R{};
    for (int r = 0; r < n; ++r) k[r] = yk[r];
  }
  solve_block(M, n, yk, 1);
  for (int d = close.near.begin; d < close.near.end; ++d) {
    const Near& near = program_.nears[static_cast<std::size_t>(d)];
    const R* Y = scratch(near.Y);
    R* k_d = scratch(near.k);
    for (int s = 0; s < near.rows; ++s) {
      for (int r = 0; r < n; ++r) k_d[s] -= k[r] * Y[r * near.rows + s];
    }
    if constexpr (kMatrices && !kWorld) {
      Pair<R>* K_d = pairs(near.K);
      for (int s = 0; s < near.rows; ++s) {
        for (int r = 0; r < n; ++r) {
          K_d[s].angular -= K[r].angular * Y[r * near.rows + s];
          K_d[s].linear -= K[r].linear * Y[r * near.rows + s];
        }
      }
    }
  }
  if constexpr (!kWorld) {
    const Pair<R>* yK = pairs(close.yK);
    for (int r = 0; r < n; ++r) {
      if constexpr (kMatrices) {
        subtract_outer(IA->A, -yK[r].angular, K[r].angular);
        subtract_outer(IA->B, -yK[r].angular, K[r].linear);
        subtract_outer(IA->C, -yK[r].linear, K[r].linear);
      }
      pA->angular += yK[r].angular * k[r];
      pA->linear += yK[r].linear * k[r];
    }
  }
}

template <class R>
void Kernel<R>::solve_loops(std::size_t i) {
  const LinkProgram& link = program_.links[i];
  const Pair<R>& a = links_[i].acceleration;
  for (int c = link.closes.end - 1; c >= link.closes.begin; --c) {
    const Close& close = program_.closes[static_cast<std::size_t>(c)];
    R* lambda = scratch(close.lambda);
    const R* yk = scratch(close.yk);
    for (int r = 0; r < close.rows; ++r) {
      lambda[r] = -yk[r];
      if (i > 0) lambda[r] -= dot(pairs(close.yK)[r], a);
    }
    for (int d = close.near.begin; d < close.near.end; ++d) {
      const Near& near = program_.nears[static_cast<std::size_t>(d)];
      const R* Y = scratch(near.Y);
      const R* other = scratch(near.lambda);
      for (int r = 0; r < close.rows; ++r) {
        for (int s = 0; s < near.rows; ++s) lambda[r] -= Y[r * near.rows + s] * other[s];
      }
    }
  }
}

template <class R>
template <bool kWithBias>
void Kernel<R>::outward_link(std::size_t i, R* qdd) {
  switch (program_.links[i].freedom) {
    case 1:
      outward_joint<kWithBias, 1>(i, qdd);
      break;
    case 2:
      outward_joint<kWithBias, 2>(i, qdd);
      break;
    case 3:
      outward_joint<kWithBias, 3>(i, qdd);
      break;
    default:
      outward_joint<kWithBias, 6>(i, qdd);
  }
  if (program_.links[i].closes.begin < program_.links[i].closes.end) solve_loops(i);
}

template <class R>
template <bool kWithBias, int F>
void Kernel<R>::outward_joint(std::size_t i, R* qdd) {
  const LinkProgram& link = program_.links[i];
  LinkState<R>& state = links_[i];
  const Pair<R>& above = links_[static_cast<std::size_t>(link.parent)].acceleration;
  Joint<F>& j = joint<F>(i);
  Pair<R> a{above.angular, above.linear + cross(above.angular, state.r)};
  if constexpr (kWithBias) a += state.zeta;
  R load[F];
  for (int k = 0; k < F; ++k) load[k] = j.load[k] - dot(j.u[k], a);
  for (int p = link.passes.begin; p < link.passes.end; ++p) {
    const Pass& pass = program_.passes[static_cast<std::size_t>(p)];
    const R* W = scratch(pass.W);
    const R* lambda = scratch(pass.lambda);
    for (int r = 0; r < pass.rows; ++r) {
      for (int k = 0; k < F; ++k) load[k] += W[r * F + k] * lambda[r];
    }
  }
  for (int k = 0; k < F; ++k) {
    R sum = j.inv(k, 0) * load[0];
    for (int l = 1; l < F; ++l) sum += j.inv(k, l) * load[l];
    qdd[link.v + k] = sum;
    a.angular += j.s[k].angular * sum;
    a.linear += j.s[k].linear * sum;
  }
  state.acceleration = a;
}

}  // namespace espalier::dynamics::detail
