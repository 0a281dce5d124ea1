#pragma once

// One pass over a PassProgram, written over its scalar: double for s = i omega without damping, complex otherwise,
// DoubleDouble where the digits of a double do not prove anything, and Dual of each where the derivative is wanted too.
//
// On the way from vertex to vertex displacement e and force t are linear in n numbers x, the open rows lambda and the
// loads: a frame, [e; t; r] = Y [x; lambda; loads], r being how far the rows are open. x is chosen anew after every
// slice, as those displacements and forces that the others depend on least: a dynamic stiffness t = S e alone would
// have poles, where what lies behind resonates with the end held, and lose digits near them.

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/beam_fields.hpp"
#include "espalier/modes/detail/small_dense.hpp"
#include "espalier/modes/detail/pass_program.hpp"

namespace espalier::modes::detail {

inline std::size_t size_of(int rows, int columns) { return to_index(rows) * to_index(columns); }
inline int slices_of(const Hop& hop) { return hop.element < 0 ? 0 : (hop.is_beam ? hop.beam.slices : 1); }

// What all pivots together say.
template <class T>
struct Pivots {
  T mantissa{1.0};  // of the product of all determinants
  std::int64_t exponent = 0;
  int negative = 0;
  double margin = 1;  // the smallest pivot, and the largest asymmetry of what was counted (Inertia)
  double noise = 0;

  void multiply(const T& determinant);
  void multiply(const Product<T>& determinant);
  Inertia count(const View<Real<T>>& symmetric);
};

// By step: whether rounding there is more than a relative change of the numbers of elements (pass_blur.cpp).
std::vector<char> find_blurred(const PassProgram& program);

template <class T>
class PassKernel {
 public:
  // `loads`: right-hand sides of find_displacements().
  PassKernel(const PassProgram& program, int loads);

  // Fills pivots(). With loads, keeps what find_displacements() needs. `blur`: 1 stiffens and -1 softens all fronts by
  // more than their rounding (pass_blur.cpp); 0 leaves them as they are.
  void run(const Frequency<T>& at, int blur = 0);
  const Pivots<T>& pivots() const { return pivots_; }
  // By step: the smallest pivot of what it eliminates on its own, beside rows that close there.
  const std::vector<double>& margins() const { return margins_; }

  // Forces on the vertices of the structure, six numbers each, of one load; to be set before run().
  void set_load(int load, std::span<const T> force);
  // The displacements under it, after run().
  void find_displacements(int load, std::span<T> displacement);

 private:
  const Step& step(int s) const { return program_.steps[to_index(s)]; }
  View<T> front(int s);
  View<T> scratch(int rows, int columns);
  using Constant = View<const Real<T>>;
  Constant constant(Offset at, int rows, int columns) const { return {constants_ + at, rows, columns, columns}; }
  int rest_size(const Step& of) const { return of.d + of.carried + loads_; }
  int others(const Step& of) const { return of.carried + loads_; }

  void add_rows(const Frequency<T>& at);
  void add_law(Offset mass, Offset stiffness, Offset damping, const Frequency<T>& at, const View<T>& S) const;
  void add_loads(int s, const View<T>& front);
  void close_rows(int s, const View<T>& front, const View<T>& rest);
  void hide_unseen(int s, const View<T>& rest, const View<T>& seen);
  void eliminate_root(int s, const View<T>& front);
  Inertia eliminate(const View<T>& a, const View<T>& b);
  void note(int s, const Inertia& found);

  View<T> start_frame(int s, const View<T>& seen);
  void enter_hop(int s, const Hop& hop, const Frequency<T>& at, std::size_t load_at, const View<T>& frame);
  void cross_hop(int s, const Hop& hop, const Frequency<T>& at, bool first, const View<T>& seen, const View<T>& frame);
  void advance(int n, const View<T>& frame);
  void stiffen_impedances(int n, const Hop& next, const Frequency<T>& at);
  void choose_again(const Step& of, bool displacements, const View<T>& frame, std::vector<int>& order);
  void end_at_parent(int s, const View<T>& frame);
  void end_at_root(int s, const View<T>& frame);
  void count_first(const Step& of, const View<T>& S);
  void count_slice(int n, const View<T>& frame);
  void keep(const View<T>& solution);

  bool is_blurred(int s) const { return blur_ != 0 && blurs_[to_index(s)] != 0; }
  double& size(int s, int i) { return sizes_[size_at_[to_index(s)] + to_index(i)]; }
  void blur_front(int s, const Frequency<T>& at, const View<T>& front);
  void blur_turned(int s, const View<T>& rest, const View<T>& turned);
  void blur_product(int s, const View<T>& a, const View<T>& b, const View<T>& difference);
  void note_sizes(int s, const View<T>& frame);

  void find_step(int s, int load);
  void go_back(int s, int load, std::span<T> displacement);
  void find_rows(int s, int load);

  const PassProgram& program_;
  std::vector<Real<T>> long_constants_;  // where they are no doubles
  const Real<T>* constants_ = nullptr;
  int loads_;
  std::vector<std::size_t> front_at_;
  std::vector<T> fronts_;
  std::vector<T> scratch_;
  std::size_t scratch_used_ = 0;
  std::vector<Real<T>> values_;  // a matrix to count the signs of
  std::vector<int> order_;
  Fields<T> fields_;
  Pivots<T> pivots_;
  std::vector<double> margins_;

  // For blur.
  int blur_ = 0;
  std::vector<char> blurs_;  // by step
  std::vector<std::size_t> size_at_;
  std::vector<double> sizes_;  // by step and row of its front: of the summands on its diagonal
  std::vector<double> squares_;

  // For find_displacements.
  std::vector<T> kept_;
  std::size_t kept_end_ = 0;
  std::vector<std::size_t> kept_at_;  // by step: where what it has kept begins
  std::vector<std::size_t> load_at_, row_at_;
  std::vector<T> loads_on_;  // by load: of each step's coordinates, then of those of its hops
  std::size_t load_size_ = 0;
  std::vector<T> coordinates_, lambda_, x_, next_;
};

}  // namespace espalier::modes::detail
