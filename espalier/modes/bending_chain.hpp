#pragma once

// A chain of beam pieces that bend in one plane, clamped at its first and free at its last end: the literature's damped
// beam, and the example of where products of transfer matrices fail. Two determinants with the same zeros:
//   plain     of the product. A difference of products of growing solutions; at mode j it has lost about
//             (j - 1/2) pi / ln 10 digits, however many pieces there are
//   compound  of the products' minors, carried along as unknowns of their own: nothing cancels

#include <complex>
#include <optional>
#include <span>
#include <vector>

#include "espalier/modes/bending_piece.hpp"
#include "espalier/modes/structure.hpp"
#include "espalier/modes/sweep.hpp"
#include "espalier/modes/transfer.hpp"

namespace espalier::modes {

// The pieces in order from the support, where the structure is such a chain in the plane x-y of its pieces: Euler and
// Bernoulli's beams end to end, no masses, one support, the last end free.
std::optional<std::vector<BendingPiece>> find_bending_chain(const Structure& structure);

// u33 u44 - u34 u43 of the product: zero at an eigenvalue. About 0.1 microseconds a piece; does not allocate.
std::complex<double> plain_determinant(std::span<const BendingPiece> pieces, std::complex<double> s);
// The same at many s, as many at a time as the machine's registers hold: the same bits.
void plain_determinants(std::span<const BendingPiece> pieces, std::span<const std::complex<double>> s,
                        std::span<std::complex<double>> out);

// The product itself, of [y, rz, mz, qy]: what a part of a chain does to the state at its first end.
BendingTransfer plain_product(std::span<const BendingPiece> pieces, std::complex<double> s);

// The same number by the six minors of two columns, rescaled at each piece.
Scaled<std::complex<double>> compound_determinant(std::span<const BendingPiece> pieces, std::complex<double> s);

}  // namespace espalier::modes
