#pragma once

// Other programs' eigenvalue solvers on the matrices of bench/fem.hpp. Each keeps to one thread.

#include <complex>
#include <vector>

#include "bench/fem.hpp"

namespace bench {

// The lowest `count` frequencies of K u = omega^2 M u, ascending [rad/s]. LAPACK's dsygv on dense matrices finds all;
// the pencil is taken upside down, by which the lowest keep their digits. SLEPc's Krylov-Schur method about 0 finds
// those asked for.
std::vector<double> lapack_frequencies(const Pencil& pencil, int count);
std::vector<double> slepc_frequencies(const Pencil& pencil, int count);

// With damping: the `count` eigenvalues nearest to 0 with Im s > 0, by increasing Im s. LAPACK's dggev on the companion
// form of twice the size; SLEPc's TOAR method about 0.
std::vector<std::complex<double>> lapack_eigenvalues(const Pencil& pencil, int count);
std::vector<std::complex<double>> slepc_eigenvalues(const Pencil& pencil, int count);

}  // namespace bench
