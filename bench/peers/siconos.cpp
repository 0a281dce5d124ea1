// Siconos 4.4: non-smooth Gauss-Seidel, ADMM, proximal point with a semismooth Newton inside, each with its defaults
// but for the tolerance and room for iterations. Gauss-Seidel gets the matrix as blocks, the others as a sparse one.

#include <siconos/SiconosConfig.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>

#include <array>

#include "bench/peers/friction_peers.hpp"
#include "bench/timing.hpp"

namespace bench {
namespace {

using espalier::contact::LocalProblem;

constexpr std::array<int, 3> kPlace = {2, 0, 1};  // of its components in ours: the normal is its first

NumericsMatrix* make_matrix(const LocalProblem& problem, bool as_blocks) {
  const int size = 3 * static_cast<int>(problem.rows.size());
  NumericsMatrix* sparse = NM_create(NM_SPARSE, size, size);
  NM_triplet_alloc(sparse, static_cast<CS_INT>(9 * problem.block.size()));
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    for (int k = problem.begin[i]; k < problem.begin[i + 1]; ++k) {
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
          NM_entry(sparse, 3 * static_cast<int>(i) + r, 3 * problem.column[k] + c,
                   problem.block[k](kPlace[r], kPlace[c]));
        }
      }
    }
  }
  if (!as_blocks) return sparse;
  NumericsMatrix* blocks = NM_create(NM_SPARSE_BLOCK, size, size);
  SBM_from_csparse(3, NM_csc(sparse), blocks->matrix1);
  NM_free(sparse);
  return blocks;
}

int solve_with(int solver, bool as_blocks, int most, const LocalProblem& problem, double tolerance,
               std::span<Eigen::Vector3d> R, double& seconds) {
  const int contacts = static_cast<int>(problem.rows.size());
  std::vector<double> q(3 * problem.rows.size()), mu, r(q.size(), 0.0), u(q.size(), 0.0);
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    mu.push_back(problem.rows[i].friction);
    for (std::size_t k = 0; k < 3; ++k) q[3 * i + k] = problem.B[i](kPlace[k]);
  }
  NumericsMatrix* M = make_matrix(problem, as_blocks);
  FrictionContactProblem theirs = {3, contacts, M, q.data(), mu.data()};
  SolverOptions* options = solver_options_create(solver);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = most;
  const double begin = thread_seconds();
  fc3d_driver(&theirs, r.data(), u.data(), options);
  seconds = thread_seconds() - begin;
  const int iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) R[i](kPlace[k]) = r[3 * i + k];
  }
  solver_options_delete(options);
  NM_free(M);
  return iterations;
}

FrictionPeer peer(const char* name, int solver, bool as_blocks, int most) {
  return {name, [=](const LocalProblem& problem, double tolerance, std::span<Eigen::Vector3d> R, double& seconds) {
            return solve_with(solver, as_blocks, most, problem, tolerance, R, seconds);
          }};
}

}  // namespace

std::vector<FrictionPeer> friction_peers() {
  return {peer("NSGS", SICONOS_FRICTION_3D_NSGS, true, 20000), peer("ADMM", SICONOS_FRICTION_3D_ADMM, false, 5000),
          peer("PROX", SICONOS_FRICTION_3D_PROX, false, 1000)};
}

}  // namespace bench
