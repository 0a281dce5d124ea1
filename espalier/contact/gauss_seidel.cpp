#include "espalier/contact/gauss_seidel.hpp"

#include <algorithm>

#include "espalier/contact/solve_row.hpp"

namespace espalier::contact {
namespace {

// b = B + sum of W R over the other rows.
Eigen::Vector3d velocity_of_others(const LocalProblem& problem, int row, std::span<const Eigen::Vector3d> R) {
  double x = problem.B[row].x(), y = problem.B[row].y(), z = problem.B[row].z();
  auto add = [&](int from, int to) {
    for (int k = from; k < to; ++k) {
      const double* w = problem.block[k].data();
      const double* r = R[problem.column[k]].data();
      x += w[0] * r[0] + w[3] * r[1] + w[6] * r[2];
      y += w[1] * r[0] + w[4] * r[1] + w[7] * r[2];
      z += w[2] * r[0] + w[5] * r[1] + w[8] * r[2];
    }
  };
  add(problem.begin[row], problem.diagonal[row]);
  add(problem.diagonal[row] + 1, problem.begin[row + 1]);
  return {x, y, z};
}

}  // namespace

std::vector<int> colour_rows(const LocalProblem& problem) {
  const int rows = static_cast<int>(problem.rows.size());
  std::vector<int> colour(static_cast<std::size_t>(rows), -1);
  std::vector<int> taken_by;  // the last row that found this colour at a neighbour
  for (int i = 0; i < rows; ++i) {
    for (int k = problem.begin[i]; k < problem.begin[i + 1]; ++k) {
      if (const int j = problem.column[k]; j < i) taken_by[colour[j]] = i;
    }
    int free = 0;
    while (free < static_cast<int>(taken_by.size()) && taken_by[free] == i) ++free;
    if (free == static_cast<int>(taken_by.size())) taken_by.push_back(-1);
    colour[i] = free;
  }
  return colour;
}

ColourOrder order_by_colour(std::span<const int> colour) {
  ColourOrder order;
  int colours = 0;
  for (const int c : colour) colours = std::max(colours, c + 1);
  order.begin.assign(static_cast<std::size_t>(colours) + 1, 0);
  for (const int c : colour) ++order.begin[c + 1];
  for (int c = 0; c < colours; ++c) order.begin[c + 1] += order.begin[c];
  order.rows.resize(colour.size());
  std::vector<int> next(order.begin.begin(), order.begin.end() - 1);
  for (std::size_t i = 0; i < colour.size(); ++i) order.rows[next[colour[i]]++] = static_cast<int>(i);
  return order;
}

void sweep_rows(const LocalProblem& problem, std::span<const int> rows, std::span<Eigen::Vector3d> R,
                AccuracySums* sums) {
  for (const int i : rows) {
    const Eigen::Vector3d b = velocity_of_others(problem, i, R);
    const Eigen::Vector3d solved =
        solve_row(problem.rows[i], problem.block[problem.diagonal[i]], b, problem.step, R[i]);
    if (sums != nullptr) {
      sums->change.add((solved - R[i]).squaredNorm());
      sums->size.add(solved.squaredNorm());
    }
    R[i] = solved;
  }
}

void sweep(const LocalProblem& problem, const ColourOrder& order, std::span<Eigen::Vector3d> R, AccuracySums* sums) {
  for (int c = 0; c < order.colours(); ++c) sweep_rows(problem, order.of(c), R, sums);
}

}  // namespace espalier::contact
