#pragma once

// Rows of a problem that is here as a whole, and one pass of Gauss-Seidel over some rows.

#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/contact/detail/solve_row.hpp"
#include "espalier/contact/local_problem.hpp"

namespace espalier::contact::detail {

// What the driver of gauss_seidel.hpp asks of its rows; those of a problem that is here as a whole. Columns beyond the
// rows stay as they are given.
class BlockRows {
 public:
  explicit BlockRows(const LocalProblem& problem) : problem_(problem) {}

  int size() const { return static_cast<int>(problem_.rows.size()); }
  double step() const { return problem_.step; }
  const Row& law(int i) const { return problem_.rows[to_index(i)]; }
  const Eigen::Vector3d& free_velocity(int i) const { return problem_.B[to_index(i)]; }
  const Eigen::Matrix3d& own_block(int i) const { return problem_.block[to_index(problem_.diagonal[to_index(i)])]; }

  // Of row i: B + W R, the same without its own impulse, and what is to be done once R_i has changed.
  Eigen::Vector3d velocity(int i, std::span<const Eigen::Vector3d> R) const { return velocity_of(problem_, i, R); }
  Eigen::Vector3d velocity_of_others(int i, std::span<const Eigen::Vector3d> R) const;
  void add_change(int, const Eigen::Vector3d&) {}

  // Between ranks: impulses of a colour; of all rows; before a measure; sums that decide.
  void exchange_colour(int, std::span<Eigen::Vector3d>) {}
  void exchange_all(std::span<Eigen::Vector3d>) {}
  void refresh(std::span<const Eigen::Vector3d>) {}
  void add_up(std::span<ExactSum* const>) const {}

 private:
  const LocalProblem& problem_;
};

inline Eigen::Vector3d BlockRows::velocity_of_others(int i, std::span<const Eigen::Vector3d> R) const {
  // Written out in numbers: this is where iterations over blocks spend their time.
  double x = problem_.B[to_index(i)].x(), y = problem_.B[to_index(i)].y(), z = problem_.B[to_index(i)].z();
  auto add = [&](int from, int to) {
    for (int k = from; k < to; ++k) {
      const double* w = problem_.block[to_index(k)].data();
      const double* r = R[to_index(problem_.column[to_index(k)])].data();
      x += w[0] * r[0] + w[3] * r[1] + w[6] * r[2];
      y += w[1] * r[0] + w[4] * r[1] + w[7] * r[2];
      z += w[2] * r[0] + w[5] * r[1] + w[8] * r[2];
    }
  };
  add(problem_.begin[to_index(i)], problem_.diagonal[to_index(i)]);
  add(problem_.diagonal[to_index(i)] + 1, problem_.begin[to_index(i) + 1]);
  return {x, y, z};
}

// Solves these rows, one after the other, and writes their R. Adds |dR|^2 and |R|^2 to the sums, where there are any.
// A template, as its driver, so that what it asks of each row is inlined.
template <class Rows>
void solve_rows(Rows& rows, std::span<const int> which, std::span<Eigen::Vector3d> R, AccuracySums* sums) {
  for (const int i : which) {
    Eigen::Vector3d& r = R[to_index(i)];
    const Eigen::Vector3d of_others = rows.velocity_of_others(i, R);
    const Eigen::Vector3d solved = solve_row(rows.law(i), rows.own_block(i), of_others, rows.step(), r);
    const Eigen::Vector3d change = solved - r;
    if (sums != nullptr) {
      sums->change.add(change.squaredNorm());
      sums->size.add(solved.squaredNorm());
    }
    r = solved;
    rows.add_change(i, change);
  }
}

}  // namespace espalier::contact::detail
