#pragma once

// One evaluation of a Structure at an s: the pass over its tree from the leaves to the root that eliminates one vertex
// after the other. A vertex carries the dynamic stiffness S of all that hangs on it; between two vertices displacements
// and forces are carried as a frame (detail/pass_kernel.hpp), which has no poles where S has some and keeps its digits
// where products of transfer matrices lose all of theirs. Loops are carried along as open rows, the forces at their
// cuts, and closed where their two ways meet.
// Cost: O(elements) for trees and for local loops; count_below and evaluate allocate nothing but at their first call
// with a workspace.

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes {

namespace detail {
struct PassProgram;
}

// A structure on its tree, ready for all |s| up to a bound: elements are cut so short that none of them resonates on
// its own below it. Then the determinant has no poles there, and its sign count needs no correction.
struct Pass {
  std::shared_ptr<const detail::PassProgram> program;
  double largest_s = 0;  // [1/s]
  int vertices = 0;      // of the structure
  int coordinates = 0;   // of all moving vertices
  int slices = 0;        // of elements, as they were cut
  int open_rows = 0;     // the most that are carried at a time
  int motions = 0;       // of all vertices, as far as rigid joints leave them free
  bool blurs = false;    // bounds of a count may differ from it
  bool precise = false;  // can be evaluated in double-double
  double slack = 0;      // of bounds, relative
  bool mixes = false;    // stiff and soft directions mix: counts in double prove nothing
};

// The error: something can move that has neither inertia nor stiffness.
Result<Pass> make_pass(const Structure& structure, const Tree& tree, double largest_s);

// A number m 2^e, since a determinant leaves the range of double.
template <class T>
struct Scaled {
  T mantissa{};  // 0, or of absolute value in [0.5, 2)
  std::int64_t exponent = 0;
};

struct Count {
  int below = 0;               // eigenfrequencies below omega [Wittrick71]
  double margin = 0;           // smallest pivot against its neighbours, in units of what rounding may have done to it
  double log_determinant = 0;  // ln |determinant|

  // Beyond doubt.
  bool is_safe() const { return margin > 1; }
};

struct Evaluation {
  Scaled<double> determinant;  // an entire function of s
  double log_derivative = 0;   // (d determinant / d omega) / determinant [s]
  Count count;
};

struct ComplexEvaluation {
  Scaled<std::complex<double>> determinant;
  std::complex<double> log_derivative;  // by s
};

// Memory of one thread.
struct PassWorkspace {
  explicit PassWorkspace(const Pass& pass);
  PassWorkspace(PassWorkspace&&) noexcept;
  ~PassWorkspace();
  struct Memory;
  std::unique_ptr<Memory> memory;
};

// What a count is. Rounding may spoil it very near an eigenfrequency; a bound it cannot.
inline constexpr double kBoundSlack = 1e-12;  // the least Pass::slack
enum class Bound {
  kNone,
  kUpper,  // no fewer than lie below omega (1 - slack)
  kLower,  // no more than lie below omega (1 + slack)
};

// s = i omega of a structure without damping, omega > 0. The first takes two thirds of the second's time.
Count count_below(const Pass& pass, double omega, PassWorkspace& work, Bound bound = Bound::kNone);
Evaluation evaluate(const Pass& pass, double omega, PassWorkspace& work);
// The same in double-double, some twenty times as long; of passes that are `precise`.
Count count_precisely(const Pass& pass, double omega, PassWorkspace& work, Bound bound = Bound::kNone);
Evaluation evaluate_precisely(const Pass& pass, double omega, PassWorkspace& work);
ComplexEvaluation evaluate(const Pass& pass, std::complex<double> s, PassWorkspace& work);

// Displacements under forces at the vertices: six numbers a vertex of the structure, those that do not move 0. Several
// loads may follow each other. Makes its own memory.
void solve(const Pass& pass, double omega, std::span<const double> force, std::span<double> displacement);
void solve(const Pass& pass, std::complex<double> s, std::span<const std::complex<double>> force,
           std::span<std::complex<double>> displacement);

}  // namespace espalier::modes
