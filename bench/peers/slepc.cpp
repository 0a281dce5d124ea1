#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <slepceps.h>
#include <slepcpep.h>

#include "bench/peers/eigen_solvers.hpp"

namespace bench {
namespace {

// Once, without arguments, on this process alone.
void start() {
  struct Slepc {
    Slepc() { SlepcInitializeNoArguments(); }
    ~Slepc() { SlepcFinalize(); }
  };
  static const Slepc slepc;
}

void check(PetscErrorCode code) {
  if (code == 0) return;
  std::fprintf(stderr, "bench: SLEPc failed with %d\n", static_cast<int>(code));
  std::exit(1);
}

// A matrix of SLEPc's as long as it is used.
struct Matrix {
  Mat mat = nullptr;
  explicit Matrix(const Eigen::SparseMatrix<double>& from) {
    const auto n = static_cast<PetscInt>(from.rows());
    // All matrices here are symmetric: columns are rows. Nonzeros are counted first, so that nothing moves.
    std::vector<PetscInt> longest(static_cast<std::size_t>(n));
    for (PetscInt i = 0; i < n; ++i) {
      longest[static_cast<std::size_t>(i)] = from.outerIndexPtr()[i + 1] - from.outerIndexPtr()[i];
    }
    check(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 0, longest.data(), &mat));
    std::vector<PetscInt> columns;
    for (PetscInt i = 0; i < n; ++i) {
      columns.assign(from.innerIndexPtr() + from.outerIndexPtr()[i],
                     from.innerIndexPtr() + from.outerIndexPtr()[i + 1]);
      check(MatSetValues(mat, 1, &i, static_cast<PetscInt>(columns.size()), columns.data(),
                         from.valuePtr() + from.outerIndexPtr()[i], INSERT_VALUES));
    }
    check(MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY));
  }
  ~Matrix() { MatDestroy(&mat); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
};

constexpr double kTolerance = 1e-12;

}  // namespace

std::vector<double> slepc_frequencies(const Pencil& pencil, int count) {
  start();
  const Matrix K(pencil.K), M(pencil.M);
  EPS eps = nullptr;
  check(EPSCreate(PETSC_COMM_SELF, &eps));
  check(EPSSetOperators(eps, K.mat, M.mat));
  check(EPSSetProblemType(eps, EPS_GHEP));
  check(EPSSetDimensions(eps, count, PETSC_DEFAULT, PETSC_DEFAULT));
  check(EPSSetTolerances(eps, kTolerance, PETSC_DEFAULT));
  check(EPSSetTarget(eps, 0));
  check(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
  ST st = nullptr;
  check(EPSGetST(eps, &st));
  check(STSetType(st, STSINVERT));
  check(EPSSolve(eps));
  PetscInt found = 0;
  check(EPSGetConverged(eps, &found));
  std::vector<double> omega;
  for (PetscInt k = 0; k < std::min<PetscInt>(found, count); ++k) {
    PetscScalar value = 0, unused = 0;
    check(EPSGetEigenvalue(eps, k, &value, &unused));
    omega.push_back(std::sqrt(value));
  }
  check(EPSDestroy(&eps));
  std::sort(omega.begin(), omega.end());
  return omega;
}

std::vector<std::complex<double>> slepc_eigenvalues(const Pencil& pencil, int count) {
  start();
  const Matrix K(pencil.K), C(pencil.C), M(pencil.M);
  PEP pep = nullptr;
  check(PEPCreate(PETSC_COMM_SELF, &pep));
  Mat all[3] = {K.mat, C.mat, M.mat};
  check(PEPSetOperators(pep, 3, all));
  check(PEPSetProblemType(pep, PEP_GENERAL));
  check(PEPSetDimensions(pep, 2 * count, PETSC_DEFAULT, PETSC_DEFAULT));
  check(PEPSetTolerances(pep, kTolerance, PETSC_DEFAULT));
  check(PEPSetScale(pep, PEP_SCALE_SCALAR, PETSC_DECIDE, nullptr, nullptr, PETSC_DECIDE, PETSC_DECIDE));
  check(PEPSetTarget(pep, 0));
  check(PEPSetWhichEigenpairs(pep, PEP_TARGET_MAGNITUDE));
  ST st = nullptr;
  check(PEPGetST(pep, &st));
  check(STSetType(st, STSINVERT));
  check(PEPSolve(pep));
  PetscInt found = 0;
  check(PEPGetConverged(pep, &found));
  std::vector<std::complex<double>> values;
  for (PetscInt k = 0; k < found; ++k) {
    PetscScalar re = 0, im = 0;
    check(PEPGetEigenpair(pep, k, &re, &im, nullptr, nullptr));
    if (im > 0) values.emplace_back(re, im);
  }
  check(PEPDestroy(&pep));
  std::sort(values.begin(), values.end(), [](const auto& x, const auto& y) { return x.imag() < y.imag(); });
  values.resize(std::min(values.size(), static_cast<std::size_t>(count)));
  return values;
}

}  // namespace bench
