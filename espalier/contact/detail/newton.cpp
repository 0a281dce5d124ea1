#include "espalier/contact/detail/newton.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "espalier/contact/detail/block_lu.hpp"
#include "espalier/contact/detail/smooth_law.hpp"

namespace espalier::contact::detail {
namespace {

constexpr double kRegularised = 1e-6;  // added to W, of the same: redundant contacts make it singular
constexpr double kReduction = 0.1;     // of the smoothing, once C is this small against it:
constexpr double kNear = 0.01;         // 0.1 is hasty: half as many iterations again where it is hard

struct Workspace {
  std::vector<double> rho;
  std::vector<detail::Linearised> laws;
  std::vector<Eigen::Matrix3d> blocks;
  std::vector<Eigen::Vector3d> direction, scratch, trial, best;
  detail::BlockLu lu;
};

Workspace make_workspace(const LocalProblem& problem, double stiffness, std::span<const Eigen::Vector3d> R) {
  Workspace w;
  for (const int k : problem.diagonal) w.rho.push_back(stiffness * 3 / problem.block[k].trace());
  w.laws.resize(problem.rows.size());
  w.blocks.resize(problem.block.size());
  w.direction.resize(problem.rows.size());
  w.scratch.resize(problem.rows.size());
  w.trial.assign(R.begin(), R.end());
  w.best = w.trial;
  w.lu = detail::make_block_lu(problem.begin, problem.column);
  return w;
}

// Sum of |C|^2 / rho [J], and all linearised laws.
double linearise_all(const LocalProblem& problem, std::span<const Eigen::Vector3d> R, double smoothing, Workspace& w) {
  ExactSum sum;
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const Eigen::Vector3d U = velocity_of(problem, static_cast<int>(i), R);
    w.laws[i] = detail::linearise(problem.rows[i], U, R[i], problem.step, w.rho[i], smoothing);
    sum.add(w.laws[i].C.squaredNorm() / w.rho[i]);
  }
  return sum.value();
}

// (by_U W + by_R) dR = -C.
bool find_direction(const LocalProblem& problem, double stiffness, Workspace& w) {
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const detail::Linearised& law = w.laws[i];
    for (int k = problem.begin[i]; k < problem.begin[i + 1]; ++k) {
      w.blocks[k].noalias() = law.by_U.lazyProduct(problem.block[k]);
    }
    w.blocks[problem.diagonal[i]] += law.by_R + (kRegularised * stiffness / w.rho[i]) * law.by_U;
    w.direction[i] = -law.C;
  }
  if (!detail::factorise(problem.begin, problem.column, w.blocks, w.lu)) return false;
  detail::solve_blocks(w.lu, w.direction, w.scratch);
  return true;
}

// Halves the step until C has become smaller; R moves there. Leaves the laws linearised at R. Returns the new size of
// C, or the old one where no step does.
double search_line(const LocalProblem& problem, double smoothing, double size, std::span<Eigen::Vector3d> R,
                   Workspace& w) {
  double step = 1;
  for (int halving = 0; halving < 12; ++halving, step *= 0.5) {
    for (std::size_t i = 0; i < problem.rows.size(); ++i) w.trial[i] = R[i] + step * w.direction[i];
    const double found = linearise_all(problem, w.trial, smoothing, w);
    if (found < (1 - 1e-4 * step) * size) {
      std::copy(w.trial.begin(), w.trial.end(), R.begin());
      return found;
    }
  }
  return size;
}

}  // namespace

// 1. The smoothing begins at the size of what is left at the start.
// 2. Newton's method with a line search; the smoothing falls tenfold whenever C is small against it.
// 3. Where no step helps, it is back to the best so far with a smoothing a hundred times larger each time: far from
//    the answer a rounder problem shows the way.
NewtonResult solve_newton(const LocalProblem& problem, const NewtonOptions& options, std::span<Eigen::Vector3d> R) {
  NewtonResult result = {.converged = false, .iterations = 0, .accuracy = measure(problem, R)};
  Workspace w = make_workspace(problem, options.stiffness, R);
  const double rows = static_cast<double>(problem.rows.size());
  // 1. Smooth as much as is wrong.
  double start = options.roundness * linearise_all(problem, R, 0, w) / rows, smoothing = start;
  double size = linearise_all(problem, R, smoothing, w);
  while (result.accuracy.natural > options.tolerance && result.iterations < options.max_iterations) {
    ++result.iterations;
    // 2. A step along Newton's direction.
    const bool found = find_direction(problem, options.stiffness, w);
    const double smaller = found ? search_line(problem, smoothing, size, R, w) : size;
    if (smaller < size) {
      size = smaller;
      if (const Accuracy accuracy = measure(problem, R); accuracy.natural < result.accuracy.natural) {
        result.accuracy = accuracy;
        std::copy(R.begin(), R.end(), w.best.begin());
      }
      // Near the zero of the smooth problem: on to one that is less smooth.
      if (size > kNear * rows * smoothing) continue;
      smoothing *= kReduction;
    } else {
      // 3. Back to the best, with a rounder problem.
      std::copy(w.best.begin(), w.best.end(), R.begin());
      w.trial.assign(R.begin(), R.end());
      smoothing = start *= 100;
    }
    size = linearise_all(problem, R, smoothing, w);
  }
  std::copy(w.best.begin(), w.best.end(), R.begin());
  result.converged = result.accuracy.natural <= options.tolerance;
  return result;
}

}  // namespace espalier::contact::detail
