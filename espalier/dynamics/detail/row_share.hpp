#pragma once

#include <span>

namespace espalier::dynamics {
class System;
class Workspace;
}  // namespace espalier::dynamics

namespace espalier::dynamics::detail {

// Chosen equations of which one keeps less than this part of its mobility are compared with another choice, which is
// taken where it leaves so many times as much. Where plenty is left the next look may wait for some steps.
inline constexpr double kLeastShare = 1e-2;
inline constexpr double kBetterShare = 2;
inline constexpr double kPlentyShare = 0.1;
inline constexpr double kRowsWait = 3;
inline constexpr double kRowsWaitInVain = 16;

// How far the chosen rows are from implying each other at q: the smallest part of its mobility that the rows before it
// leave to a row, in (0, 1]; 0 where one is implied. Costs an evaluation, and its memory.
double least_row_share(const System& system, double time, std::span<const double> q, Workspace& work);

// Chooses the rows anew at q, which must be closed. False where the choice stays: there is no other, or the other has
// fewer rows (where a loop is singular that would let go of it), or leaves less than `share`.
bool choose_better_rows(const System& system, double time, std::span<const double> q, double share, Workspace& work);

}  // namespace espalier::dynamics::detail
