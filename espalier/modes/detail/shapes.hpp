#pragma once

// Mode shapes by inverse iteration: forces at random under which the structure, at an eigenvalue, moves in its mode.
// Never by products of transfer matrices, which lose all digits of high modes.

#include <complex>

#include "espalier/modes/mode_set.hpp"
#include "espalier/modes/pass.hpp"

namespace espalier::modes::detail {

// `multiplicity` independent shapes at an eigenfrequency. The same numbers everywhere.
std::vector<Shape> find_shapes(const Structure& structure, const Pass& pass, double omega, int multiplicity);
std::vector<Shape> find_shapes(const Structure& structure, const Pass& pass, std::complex<double> s, int multiplicity);

}  // namespace espalier::modes::detail
