#include "espalier/modes/detail/rational.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>

#include "espalier/base/index.hpp"

namespace espalier::modes::detail {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;

// Each support point costs a singular value decomposition; few poles are left to be found by the time of a fit.
constexpr Index kMostSupport = 40;

// r(z) = sum w f / (z - p) / sum w / (z - p).
struct Barycentric {
  VectorXcd support, value, weight;
};

// The weights with the smallest linearised error on the samples that are no support points.
VectorXcd best_weights(const MatrixXcd& loewner) {
  const Eigen::BDCSVD<MatrixXcd> svd(loewner, Eigen::ComputeThinV);
  return svd.matrixV().col(loewner.cols() - 1);
}

// [Nakatsukasa18], step by step:
//   1. the sample with the largest error becomes a support point, where r takes its value exactly
//   2. a row of the Loewner matrix per sample that is left: its error, linear in the weights
//   3. the weights that make these errors least are the last right singular vector
//   4. r at the samples that are left, for the next step
Barycentric fit(std::span<const Complex> points, std::span<const Complex> values, double tolerance) {
  const auto size = static_cast<Index>(points.size());
  const Eigen::Map<const VectorXcd> z(points.data(), size), f(values.data(), size);
  std::vector<Index> chosen, others;
  for (Index k = 0; k < size; ++k) others.push_back(k);
  VectorXcd r = VectorXcd::Constant(size, f.mean());
  const double largest = f.cwiseAbs().maxCoeff();
  Barycentric fitted;
  while (static_cast<Index>(chosen.size()) < std::min(size / 2, kMostSupport)) {
    // 1.
    const auto worst = std::max_element(
        others.begin(), others.end(), [&](Index a, Index b) { return std::abs(f[a] - r[a]) < std::abs(f[b] - r[b]); });
    if (std::abs(f[*worst] - r[*worst]) <= tolerance * largest) break;
    chosen.push_back(*worst);
    others.erase(worst);
    fitted.support = z(chosen);
    fitted.value = f(chosen);
    // 2.
    MatrixXcd cauchy(others.size(), chosen.size()), loewner(others.size(), chosen.size());
    for (Index i = 0; i < cauchy.rows(); ++i) {
      for (Index j = 0; j < cauchy.cols(); ++j) {
        const Index k = others[to_index(i)];
        cauchy(i, j) = 1.0 / (z[k] - fitted.support[j]);
        loewner(i, j) = (f[k] - fitted.value[j]) * cauchy(i, j);
      }
    }
    // 3.
    fitted.weight = best_weights(loewner);
    // 4.
    const VectorXcd above = cauchy * fitted.weight.cwiseProduct(fitted.value), below = cauchy * fitted.weight;
    r = f;
    for (Index i = 0; i < cauchy.rows(); ++i) r[others[to_index(i)]] = above[i] / below[i];
  }
  return fitted;
}

}  // namespace

std::vector<Pole> find_poles(std::span<const Complex> points, std::span<const Complex> values, double tolerance) {
  const Barycentric r = fit(points, values, tolerance);
  const Index m = r.support.size();
  // One support point is a constant, which has no pole.
  if (m < 2) return {};
  // Poles: eigenvalues of an arrow with one infinite pair; inverted about a point none of them is at.
  MatrixXcd arrow = MatrixXcd::Zero(m + 1, m + 1), unit = MatrixXcd::Zero(m + 1, m + 1);
  const Complex shift = r.support.mean() + Complex(0.013, 0.0071) * r.support.cwiseAbs().maxCoeff();
  arrow.row(0).tail(m) = r.weight.transpose();
  arrow.col(0).tail(m).setOnes();
  for (Index j = 0; j < m; ++j) {
    arrow(j + 1, j + 1) = r.support[j] - shift;
    unit(j + 1, j + 1) = 1;
  }
  const MatrixXcd inverted = arrow.partialPivLu().solve(unit);
  const Eigen::ComplexEigenSolver<MatrixXcd> solver(inverted, false);
  std::vector<Pole> poles;
  for (Index k = 0; k <= m; ++k) {
    const Complex mu = solver.eigenvalues()[k];
    // The infinite pair, inverted: it is at 0 except for rounding.
    if (!(std::abs(mu) * r.support.cwiseAbs().maxCoeff() > 1e-9)) continue;
    const Complex at = shift + 1.0 / mu;
    // The residue of a quotient at a simple zero of its denominator: numerator over slope of the denominator.
    const VectorXcd near = (at - r.support.array()).inverse();
    const Complex numerator = (near.array() * r.weight.array() * r.value.array()).sum();
    const Complex slope = -(near.array().square() * r.weight.array()).sum();
    poles.push_back({at, numerator / slope});
  }
  return poles;
}

}  // namespace espalier::modes::detail
