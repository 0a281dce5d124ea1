#pragma once

// S1 and S2 of one evaluation over a scalar R, a double or a pack with one state a lane: the same operations in the
// same order, so that every lane gives the bits of the single evaluation.
//
//   angles    sines and cosines of all coordinates
//   forward   poses, motion columns S, angular velocities w, and the drift: the acceleration that velocities and
//             gravity alone would bring, with qdd = 0 everywhere
//   rows      wrenches K and biases k of the loops at the links they act on
//   backward  articulated inertias IA and biases pA, tips first; D = S^T IA S; open loops pass the joint, closing ones
//             are eliminated
//   outward   accelerations a beyond the drift, coordinates qdd, multipliers lambda, root first
//
// World axes. A link's motion is (alpha, a): angular acceleration, and acceleration of its reference point o as a
// material point. With r from the parent's point to the link's:
//   drift_ang_i = drift_ang_p + zeta_ang,  drift_lin_i = drift_lin_p + drift_ang_p x r + zeta_lin
//   alpha_i = alpha_p + S_ang qdd,         a_i = a_p + alpha_p x r + S_lin qdd        beyond the drift
//   moment  = I alpha + m c x a + w x I w, force = m a + alpha x m c + w x (w x m c)  of drift and these together
// Gravity is an upward acceleration of the world, so a part of the drift.
//
// The joint with U = IA S, D = S^T U, u = tau - S^T pA, (D5) and (D6) of docs/theory/dynamics.md:
//   IA' = IA - U D^-1 U^T            pA' = pA + U D^-1 u
//   K'  = K - U D^-1 W,  W = S^T K   k'  = k + W^T D^-1 u
//   M  += W^T D^-1 W                 qdd = D^-1 (u + W lambda - U^T X a_p)
// The closing loop c, coupled to loops d, e, (D7) and (D8):
//   lambda_c = -M_cc^-1 (K_c^T a + k_c + M_cd lambda_d)
//   IA += K_c M_cc^-1 K_c^T,  pA += K_c M_cc^-1 k_c,  K_d -= K_c M_cc^-1 M_cd,  M_de -= M_dc M_cc^-1 M_ce, ...

#include <array>
#include <cstddef>
#include <vector>

#include "espalier/dynamics/detail/program.hpp"

namespace espalier::dynamics::detail {

template <class R>
struct LinkState {
  Turn<R> turn;
  Vec<R> o;
  Vec<R> r;  // from the parent's o
  Vec<R> w;
  Vec<R> velocity;  // of o
  Pair<R> drift;
  Pair<R> outer;         // wrench from outside, about o
  Articulated<R> up;     // IA' about the parent's o
  Pair<R> bias_up;       // pA' about the parent's o
  Pair<R> acceleration;  // (alpha, a) beyond the drift
};

// A pivot may shrink to this part of its first value: a loop in a singular position keeps its equations, softened.
inline constexpr double kPivotFloor = 1e-13;

// How equations that others imply are found, by row of the kernel (in the order of its multipliers).
struct Selection {
  std::vector<double> mobility;  // the most that the joints on its ways could move it
  std::vector<bool> dropped;
  bool strikes = true;  // false: rows stay as they are, `least` alone is wanted
  double least = 1;     // smallest part of its mobility that the rows before it leave to a row that is kept
};
// Part of the mobility that must be left of an equation for it to be independent. The square of the tolerance on the
// rows themselves, 1e-5: position errors of stages stay below, the smallest true pivots known above.
inline constexpr double kRowTolerance = 1e-10;

// The memory an evaluation works on. Of doubles, or of packs: then each number is kLanes doubles, one a lane.
struct KernelMemory {
  const Program* program = nullptr;
  void* links = nullptr;           // LinkState<R> by link; 0 is the world and has to be set up
  void* scratch = nullptr;         // R, Program::scratch of them
  Selection* selection = nullptr;  // of doubles only: the next factor notes rows that others imply
  int failed = -1;                 // link whose joint has no inertia to accelerate, after factor
};

// The passes over links [begin, end), compiled for one instruction set. All give the same bits. q, v, effort and qdd
// are whole vectors of R.
struct KernelTable {
  const char* name = "";
  // Sines and cosines of angles [begin, end); before forward. `begin` is a whole number of packs.
  void (*angles)(KernelMemory&, int begin, int end, const void* q);
  // Poses and velocities.
  void (*forward)(KernelMemory&, int begin, int end, const void* q, const void* v);
  // K and k of terms [begin, end). A drive adds its own -value''(t) to the k_b of its first term afterwards.
  void (*rows)(KernelMemory&, int begin, int end);
  // Inertias, biases, loops, from end - 1 down to begin; anchored links close the loops of the world. Blocks of M must
  // have been cleared.
  void (*factor)(KernelMemory&, int begin, int end, const void* effort);
  // The same with the factors at hand and no load but new k at the loops' terms.
  void (*resolve)(KernelMemory&, int begin, int end);
  // Accelerations and multipliers; anchored links solve the loops of the world.
  void (*outward)(KernelMemory&, int begin, int end, void* qdd);
};

// The best this machine can run, for doubles and for packs.
const KernelTable& single_kernel();
const KernelTable& batch_kernel();
// The fewest states that a batch computes faster than one after the other; more than kLanes where none is. Whole runs
// with the Jacobian in lanes: with AVX-512 up to 2.0 times as fast, with AVX2 0.8 to 1.2, with SSE2 0.8 to 1.0 times.
int least_batch();

// For tests: all that this machine can run, the plainest first.
std::vector<const KernelTable*> single_kernels();
std::vector<const KernelTable*> batch_kernels();

}  // namespace espalier::dynamics::detail
