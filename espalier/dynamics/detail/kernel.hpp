#pragma once

// S1 and S2 of one evaluation over a scalar R, a double or a pack with one state a lane: the same operations in the
// same order, so that every lane gives the bits of the single evaluation.
//
//   forward   poses, motion columns S, angular velocities w, the velocity-dependent accelerations zeta
//   rows      wrenches K and biases k of the loops at the links they act on
//   backward  articulated inertias IA and biases pA, tips first; D = S^T IA S; open loops pass the joint, closing ones
//             are eliminated
//   outward   accelerations a, coordinates qdd, multipliers lambda, root first
//
// World axes. A link's motion is (alpha, a): angular acceleration, and acceleration of its reference point o as a
// material point. With r from the parent's point to the link's:
//   alpha_i = alpha_p + zeta_ang + S_ang qdd,  a_i = a_p + alpha_p x r + zeta_lin + S_lin qdd
//   moment  = I alpha + m c x a + w x I w,     force = m a + alpha x m c + w x (w x m c)
// Gravity is an upward acceleration of the world.
//
// The joint with U = IA S, D = S^T U, u = tau - S^T pA:
//   IA' = IA - U D^-1 U^T                      pA' = pA + IA' zeta + U D^-1 u
//   K'  = K - U D^-1 W,  W = S^T K             k'  = k + K^T zeta + W^T D^-1 (u - U^T zeta)
//   M  += W^T D^-1 W                           qdd = D^-1 (u + W lambda - U^T (X a_p + zeta))
// The closing loop c, coupled to loops d, e:
//   lambda_c = -M_cc^-1 (K_c^T a + k_c + M_cd lambda_d)
//   IA += K_c M_cc^-1 K_c^T,  pA += K_c M_cc^-1 k_c,  K_d -= K_c M_cc^-1 M_cd,  M_de -= M_dc M_cc^-1 M_ce, ...

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "espalier/dynamics/detail/program.hpp"

namespace espalier::dynamics::detail {

template <class R>
struct LinkState {
  Turn<R> turn;
  Vec<R> o;
  Vec<R> r;  // from the parent's o
  Vec<R> w;
  Vec<R> velocity;  // of o
  Pair<R> zeta;
  Pair<R> outer;         // wrench from outside, about o
  Articulated<R> up;     // IA' about the parent's o
  Pair<R> bias_up;       // pA' about the parent's o
  Pair<R> acceleration;  // (alpha, a), gravity as upward acceleration
};

// What the arithmetic of lanes needs beyond + - * /. Packs overload these.
inline void sin_cos(double x, double& s, double& c) {
  const SinCos both = sin_cos(x);
  s = both.sin, c = both.cos;
}
inline double larger(double a, double b) { return a > b ? a : b; }
inline bool all_positive(double a) { return a > 0; }

// A pivot may shrink to this part of its first value: a loop in a singular position keeps its equations, softened.
inline constexpr double kPivotFloor = 1e-13;

// How equations that others imply are found, by row of the kernel (in the order of its multipliers).
struct Selection {
  std::vector<double> mobility;  // the most that the joints on its ways could move it
  std::vector<bool> dropped;
};
// Part of the mobility that must be left of an equation for it to be independent. The square of the tolerance on the
// rows themselves, 1e-5: position errors of stages stay below, the smallest true pivots known above.
inline constexpr double kRowTolerance = 1e-10;

template <class R>
class Kernel {
 public:
  explicit Kernel(const Program& program)
      : program_(program), links_(program.links.size()), scratch_(static_cast<std::size_t>(program.scratch)) {
    links_[0] = LinkState<R>{};
    links_[0].turn = {{R{} + 1.0, R{}, R{}}, {R{}, R{} + 1.0, R{}}, {R{}, R{}, R{} + 1.0}};
    for (LinkState<R>& link : links_) link.outer = {};
    for (const Term& term : program.terms) {
      if (term.drive) *scratch(term.ratio_at) = R{} + term.ratio;
    }
  }

  const Program& program() const { return program_; }
  LinkState<R>& link(std::size_t i) { return links_[i]; }
  const LinkState<R>& link(std::size_t i) const { return links_[i]; }
  R* scratch(int at) { return scratch_.data() + at; }
  const R* scratch(int at) const { return scratch_.data() + at; }

  // Poses and velocities of all links.
  void forward(const R* q, const R* v) {
    for (std::size_t i = 1; i < links_.size(); ++i) forward_link(i, q, v);
  }

  // K and k of all loops. A drive adds its own -value''(t) to the k_b of its first term afterwards.
  void rows() {
    for (const Term& term : program_.terms) make_rows(term);
  }

  // Inertias, biases, loops. False where a joint has no inertia to accelerate; `failed` is then its link.
  bool factor(const R* effort) {
    std::fill(scratch(program_.zeroed.begin), scratch(program_.zeroed.end), R{});
    failed = -1;
    for (std::size_t i = links_.size(); i-- > 1;) backward_link<true>(i, effort);
    return failed < 0;
  }
  void close_world(bool matrices) {
    matrices ? eliminate<true, true>(0, nullptr, nullptr) : eliminate<false, true>(0, nullptr, nullptr);
  }

  // With the factors of the last factor() and new k at the loops' terms, and no other load: the smallest change of
  // velocities in the mass metric.
  void resolve() {
    for (std::size_t i = links_.size(); i-- > 1;) backward_link<false>(i, nullptr);
    close_world(false);
    links_[0].acceleration = {};
  }

  void set_upward(const Fixed& upward) {
    links_[0].acceleration.angular = {};
    links_[0].acceleration.linear = {R{} + upward.x, R{} + upward.y, R{} + upward.z};
  }

  template <bool kWithBias>
  void outward(R* qdd) {
    solve_loops(0);
    for (std::size_t i = 1; i < links_.size(); ++i) outward_link<kWithBias>(i, qdd);
  }

  // The next factor() looks for rows that others imply, and notes them.
  void set_selection(Selection* selection) { selection_ = selection; }

  int failed = -1;

 private:
  // Views of the scratch memory.
  Pair<R>* pairs(int at) { return reinterpret_cast<Pair<R>*>(scratch_.data() + at); }

  template <int F>
  struct Joint {
    Pair<R> s[F];
    Pair<R> u[F];
    R inverse[F * (F + 1) / 2];  // of D, lower triangle by rows
    R load[F];                   // u

    const R& inv(int i, int j) const { return i >= j ? inverse[i * (i + 1) / 2 + j] : inverse[j * (j + 1) / 2 + i]; }
  };
  template <int F>
  Joint<F>& joint(std::size_t i) {
    static_assert(sizeof(Joint<F>) == static_cast<std::size_t>(joint_scratch(F)) * sizeof(R));
    return *reinterpret_cast<Joint<F>*>(scratch_.data() + program_.links[i].joint);
  }

  void forward_link(std::size_t i, const R* q, const R* v);
  void set_motion(const LinkProgram& link, LinkState<R>& state, const LinkState<R>& parent, const Turn<R>& A,
                  const Vec<R>& at, const R* q, const R* v);
  void make_rows(const Term& term);
  template <bool kMatrices>
  void backward_link(std::size_t i, const R* effort);
  template <bool kMatrices, int F>
  void backward_joint(std::size_t i, const Articulated<R>& IA, const Pair<R>& pA, const R* effort);
  template <bool kMatrices, bool kWorld>
  void eliminate(std::size_t i, Articulated<R>* IA, Pair<R>* pA);
  template <bool kMatrices, bool kWorld>
  void eliminate_loop(const Close& close, Articulated<R>* IA, Pair<R>* pA);
  void add_mobility(const LinkProgram& link);
  void select_rows(const Close& close);
  void strike_out(const Close& close, int row);
  void factor_block(R* M, int n) const;
  void solve_block(const R* M, int n, R* x, int stride) const;
  template <int F>
  void invert(Joint<F>& joint, const double* armature, std::size_t i);
  void solve_loops(std::size_t i);
  template <bool kWithBias>
  void outward_link(std::size_t i, R* qdd);
  template <bool kWithBias, int F>
  void outward_joint(std::size_t i, R* qdd);

  const Program& program_;
  std::vector<LinkState<R>> links_;
  std::vector<R> scratch_;
  Selection* selection_ = nullptr;
};

}  // namespace espalier::dynamics::detail

#include "espalier/dynamics/detail/kernel_passes.hpp"
