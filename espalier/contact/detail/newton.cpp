#include "espalier/contact/detail/newton.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "espalier/base/numbers.hpp"
#include "espalier/contact/detail/block_rows.hpp"
#include "espalier/contact/detail/path_system.hpp"

namespace espalier::contact::detail {
namespace {

// Lengths are in rooms of a row (C26): within a few of them the linearised laws are right.
constexpr double kReach = 2;          // what a correction may be in the end, and what steps aim at
constexpr double kLost = 20;          // beyond, corrections lead nowhere
constexpr double kContraction = 0.5;  // of one correction against that before
constexpr int kCorrections = 6;
constexpr double kOnPath = 1e-2, kLanded = 1e-6;  // what may be left of C, against rows x s
constexpr double kShortest = 1e-6;                // step
constexpr double kFall = 3, kRise = 2;            // most that log s changes by in a step

constexpr double kHidden = 1e-12;  // of the energy of the impulses
constexpr int kLandings = 8, kLandingIterations = 15, kHalvings = 8;
constexpr double kHigher = 100;  // smoothing of the next landing

constexpr double kPolished = 10;  // of the tolerance, from which Gauss-Seidel may do the rest
constexpr int kPolishingSweeps = 100;

// (e^x - 1) / x: R is nearly linear in s, and steps are measured in log s.
double growth(double x) { return std::abs(x) > 1e-8 ? (elementary::exp(x) - 1) / x : 1; }

// A point (R, s) that walks along the zeros of C(R, s), and the best R that it has met.
class Walk {
 public:
  Walk(const LocalProblem& problem, const NewtonOptions& options, std::span<const Eigen::Vector3d> R,
       const Accuracy& accuracy)
      : problem_(problem),
        options_(options),
        system_(problem, options.tolerance, R),
        R_(R.begin(), R.end()),
        best_(R_) {
    result_.accuracy = accuracy;
    for (Vectors* x : {&along_, &correction_, &slope_}) x->resize(problem.rows.size());
    order_.resize(problem.rows.size());
    std::iota(order_.begin(), order_.end(), 0);
  }

  // 1. Land on the path where the smoothing is large.
  // 2. Step along it until the laws hold without smoothing.
  NewtonResult run() {
    if (land()) {
      const double start = s_;
      set_out();
      while (!result_.converged && !is_spent() && length_ > kShortest && s_ <= kHigher * start) step();
    }
    result_.iterations = system_.factorisations();
    return result_;
  }
  const Vectors& best() const { return best_; }

 private:
  bool is_spent() const { return system_.factorisations() >= options_.max_iterations; }

  // Newton's method at one smoothing, and at a larger one where that does not get there.
  bool land() {
    const Vectors from = R_;
    // Not so little that rounding would hide it among what the impulses do.
    s_ = options_.start * std::max(system_.linearise(R_, 0) / system_.rows(), kHidden * system_.energy());
    for (int i = 0; i < kLandings && !is_spent(); ++i, s_ *= kHigher) {
      R_ = from;
      if (land_at()) return true;
    }
    return false;
  }

  bool land_at() {
    double left = system_.linearise(R_, s_);
    for (int i = 0; i < kLandingIterations && !is_spent(); ++i) {
      if (left <= kLanded * system_.rows() * s_) return true;
      if (!system_.factorise()) return false;
      system_.solve_residual(correction_);
      const double smaller = search_line(left);
      if (smaller >= left) return false;
      left = smaller;
    }
    return left <= kLanded * system_.rows() * s_;
  }

  // Halves the step until C has become smaller; R moves there.
  double search_line(double left) {
    const Vectors from = R_;
    double step = 1;
    for (int halving = 0; halving < kHalvings; ++halving, step *= 0.5) {
      move(from, -step, correction_);
      if (const double found = system_.linearise(R_, s_); found < (1 - 1e-4 * step) * left) return found;
    }
    return left;
  }

  void move(const Vectors& from, double by, const Vectors& direction) {
    for (std::size_t i = 0; i < direction.size(); ++i) R_[i] = from[i] + by * direction[i];
  }

  void set_out() {
    length_ = kFall;
    system_.linearise(R_, s_);
    turn();
  }

  // The direction of the path at a point of it, whose laws are linearised.
  void turn() {
    if (!system_.factorise()) {
      length_ = 0;
      return;
    }
    system_.solve_slope(s_, slope_);
    system_.measure_at(R_, s_);
    // (C28): on the way to s = 0 where the determinant is positive, back where it is not.
    const double towards = -system_.orientation() / std::sqrt(1 + system_.dot(slope_, slope_));
    if (towards > 0 && along_s_ < 0) ++result_.folds;
    along_s_ = towards;
    for (std::size_t i = 0; i < along_.size(); ++i) along_[i] = -along_s_ * slope_[i];
  }

  void step() {
    const Vectors base = R_;
    const double base_s = s_;
    // 1. Along the tangent.
    length_ = std::min(length_, along_s_ < 0 ? kFall / -along_s_ : kRise / along_s_);
    const double change = length_ * along_s_;
    s_ = base_s * elementary::exp(change);
    move(base, length_ * growth(change), along_);
    // 2. Back to the path, at right angles to it; or a shorter step.
    double first = 0;
    if (!correct(first)) {
      R_ = base;
      s_ = base_s;
      length_ *= 0.3;
      return;
    }
    look();
    if (result_.converged) return;
    // 3. Distances are those of the new point; corrections grow with the square of the step.
    turn();
    length_ *= std::clamp(std::sqrt(kReach / std::max(first, 1e-6)), 0.3, 2.0);
  }

  // Newton's method on C = 0 and (C27). `first`: the first correction.
  bool correct(double& first) {
    double left = system_.linearise(R_, s_), before = 0;
    for (int i = 0; i < kCorrections && !is_spent(); ++i) {
      if (!system_.factorise()) return false;
      system_.solve_residual(correction_);
      system_.solve_slope(s_, slope_);
      const double change = system_.dot(along_, correction_) / (along_s_ - system_.dot(along_, slope_));
      if (!(std::abs(change) < kFall)) return false;
      const double share = change * growth(change);
      for (std::size_t k = 0; k < slope_.size(); ++k) correction_[k] += share * slope_[k];
      for (std::size_t k = 0; k < slope_.size(); ++k) R_[k] -= correction_[k];
      s_ *= elementary::exp(change);
      left = system_.linearise(R_, s_);
      const double size = std::sqrt(system_.largest(correction_) + change * change);
      if (i == 0) first = size;
      if (size > kLost || (i > 0 && size > kContraction * before)) return false;
      before = size;
      if (size <= kReach && left <= kOnPath * system_.rows() * s_) return true;
    }
    return false;
  }

  // How good R is; near the tolerance a few iterations of Gauss-Seidel take off what the smoothing has left.
  void look() {
    judge(R_);
    if (result_.converged || result_.accuracy.natural > kPolished * options_.tolerance) return;
    Vectors polished = R_;
    BlockRows rows(problem_);
    for (int i = 0; i < kPolishingSweeps; ++i) solve_rows(rows, order_, polished, nullptr);
    judge(polished);
  }

  void judge(const Vectors& R) {
    const Accuracy accuracy = measure(problem_, R);
    if (!(accuracy.natural < result_.accuracy.natural)) return;
    result_.accuracy = accuracy;
    result_.converged = accuracy.natural <= options_.tolerance;
    best_ = R;
  }

  const LocalProblem& problem_;
  const NewtonOptions& options_;
  PathSystem system_;
  Vectors R_, best_;
  double s_ = 0;
  Vectors along_, correction_, slope_;  // the tangent; of R
  double along_s_ = -1, length_ = 0;    // the tangent, of log s; of the next step
  std::vector<int> order_;              // of the rows, for Gauss-Seidel
  NewtonResult result_;
};

}  // namespace

NewtonResult solve_newton(const LocalProblem& problem, const NewtonOptions& options, std::span<Eigen::Vector3d> R) {
  const Accuracy accuracy = measure(problem, R);
  if (accuracy.natural <= options.tolerance) return {.converged = true, .iterations = 0, .accuracy = accuracy};
  Walk walk(problem, options, R, accuracy);
  const NewtonResult result = walk.run();
  std::copy(walk.best().begin(), walk.best().end(), R.begin());
  return result;
}

}  // namespace espalier::contact::detail
