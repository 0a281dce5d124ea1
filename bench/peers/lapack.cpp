#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <Eigen/Dense>

#include "bench/peers/eigen_solvers.hpp"

extern "C" {
void dsygv_(const int* type, const char* job, const char* triangle, const int* n, double* a, const int* lda, double* b,
            const int* ldb, double* w, double* work, const int* lwork, int* info);
void dggev_(const char* left, const char* right, const int* n, double* a, const int* lda, double* b, const int* ldb,
            double* re, double* im, double* over, double* vl, const int* ldvl, double* vr, const int* ldvr,
            double* work, const int* lwork, int* info);
}

namespace bench {
namespace {

void check(int info, const char* name) {
  if (info == 0) return;
  std::fprintf(stderr, "bench: %s failed with %d\n", name, info);
  std::exit(1);
}

}  // namespace

std::vector<double> lapack_frequencies(const Pencil& pencil, int count) {
  Eigen::MatrixXd M = pencil.M, K = pencil.K;
  const int n = static_cast<int>(M.rows()), type = 1;
  Eigen::VectorXd inverse(n);
  std::vector<double> work(1);
  int info = 0;
  for (int size = -1; info == 0; size = static_cast<int>(work.size())) {
    dsygv_(&type, "N", "L", &n, M.data(), &n, K.data(), &n, inverse.data(), work.data(), &size, &info);
    if (size > 0) break;
    work.resize(static_cast<std::size_t>(work[0]));
  }
  check(info, "dsygv");
  std::vector<double> omega;
  for (int k = n - 1; k >= std::max(0, n - count); --k) omega.push_back(1 / std::sqrt(inverse[k]));
  return omega;
}

// [0 I; -K -C] z = s [I 0; 0 M] z with z = [u; s u]; upside down as well.
std::vector<std::complex<double>> lapack_eigenvalues(const Pencil& pencil, int count) {
  const int half = static_cast<int>(pencil.M.rows()), n = 2 * half, one = 1;
  // Scaled so that s is of order 1 where it is looked for.
  const double scale = std::sqrt(pencil.K.norm() / pencil.M.norm());
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n), b = a;
  const double unit = 1 / pencil.K.norm();
  a.topRightCorner(half, half).setIdentity();
  a.bottomLeftCorner(half, half) = -unit * Eigen::MatrixXd(pencil.K);
  a.bottomRightCorner(half, half) = -unit * scale * Eigen::MatrixXd(pencil.C);
  b.topLeftCorner(half, half).setIdentity();
  b.bottomRightCorner(half, half) = unit * scale * scale * Eigen::MatrixXd(pencil.M);
  Eigen::VectorXd re(n), im(n), over(n);
  std::vector<double> work(1);
  int info = 0;
  for (int size = -1; info == 0; size = static_cast<int>(work.size())) {
    dggev_("N", "N", &n, b.data(), &n, a.data(), &n, re.data(), im.data(), over.data(), nullptr, &one, nullptr, &one,
           work.data(), &size, &info);
    if (size > 0) break;
    work.resize(static_cast<std::size_t>(work[0]));
  }
  check(info, "dggev");
  std::vector<std::complex<double>> found;
  for (int k = 0; k < n; ++k) {
    const std::complex<double> inverse(re[k], im[k]);
    if (inverse == 0.0) continue;
    const std::complex<double> s = scale * over[k] / inverse;
    if (s.imag() > 0) found.push_back(s);
  }
  std::sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return std::abs(x) < std::abs(y); });
  found.resize(std::min(found.size(), static_cast<std::size_t>(count)));
  std::sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.imag() < y.imag(); });
  return found;
}

}  // namespace bench
