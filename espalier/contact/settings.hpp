#pragma once

// What a step of the contact engine is told, and what it reports.

#include <array>
#include <compare>
#include <cstdint>

#include "espalier/base/text.hpp"
#include "espalier/contact/solve.hpp"

namespace espalier::contact {

enum class Storage {
  kEfficient,  // bodies where they are needed
  kRedundant,  // all bodies on all ranks, as Solfec began
};
constexpr Words<Storage, 2> words(Storage) {
  return {{{"efficient", Storage::kEfficient}, {"redundant", Storage::kRedundant}}};
}

// Who cuts space into cells, one for each rank.
enum class Bisection {
  kOwn,     // always there
  kZoltan,  // Zoltan's RCB; ours where it is not built in, on one rank, and where points on lines or planes of a
            // lattice leave Zoltan with cells that overlap
};
constexpr Words<Bisection, 2> words(Bisection) { return {{{"own", Bisection::kOwn}, {"zoltan", Bisection::kZoltan}}}; }
bool has_zoltan();

// What an object weighs where space is divided among the ranks.
enum class Weighing {
  kMeasured,  // the time that bodies, their shapes and rows have been seen to take
  kFormula,   // (C20) and (C21) of docs/theory/contact.md with Settings::weight_factor
  kCounted,   // a body 1 and a constraint 1
};
constexpr Words<Weighing, 3> words(Weighing) {
  return {{{"measured", Weighing::kMeasured}, {"formula", Weighing::kFormula}, {"counted", Weighing::kCounted}}};
}

// In which order Gauss-Seidel goes through the rows.
enum class Order {
  kKeys,   // by colours of keys; neighbours exchange after each colour: the same bits on any number of ranks
  kRanks,  // each rank its own rows; neighbours exchange once per iteration: faster, other bits, the same tolerance
};
constexpr Words<Order, 2> words(Order) { return {{{"keys", Order::kKeys}, {"ranks", Order::kRanks}}}; }

struct Settings {
  double step = 1e-3;             // [s] Time between two impulses. Halving it halves what friction lags behind.
  bool implicit = true;           // Pseudo-rigid bodies take linearly implicit steps: stiff ones stay stable.
  double correction = 0.2;        // [-] Share of an overlap that is taken back per step by moving the bodies apart; it
                                  // gives them no speed. 0: overlaps stay.
  double joint_correction = 0.1;  // [-] Share of what a joint has drifted apart that is pulled back per step.
  SolveOptions solve;
  Storage storage = Storage::kEfficient;
  Bisection bisection = Bisection::kOwn;
  Order order = Order::kKeys;
  Weighing weighing = Weighing::kMeasured;
  double weight_factor = 1;  // [-] Of Weighing::kFormula, 0 to 1: how much a row's neighbours add to its weight.
  int balance_every = 5;     // Fewest steps between two partitions.
  double imbalance = 1.1;    // [-] Own time of the slowest rank against the mean above which space is cut again;
                             // below 1: always.
};

// Time that this rank has spent with the parts of a step, and with messages in any of them [s].
struct StepTimes {
  double balance = 0;   // cutting space again
  double bodies = 0;    // both halves of the step, reach
  double exchange = 0;  // bodies and constraints for the ranks that need them
  double broad = 0;     // which bodies are near each other
  double narrow = 0;    // contacts and joints
  double assemble = 0;  // rows, colours
  double solve = 0;
  double messages = 0;  // waiting for others included

  double own() const { return balance + bodies + exchange + broad + narrow + assemble + solve; }
};

struct StepReport {
  int contacts = 0;  // on all ranks
  int constraints = 0;
  int colours = 0;
  Solved solved;
  double penetration = 0;   // largest [m]
  double imbalance = 1;     // own time of the slowest rank against the mean [-]
  bool shared_out = false;  // space was cut again before it
  double moved = 0;         // by that: share of bodies and constraints that changed ranks [-]
  StepTimes times;          // of this rank
};

// The impulse of a constraint, by a name that is the same in every step and on every rank: what a run keeps of its
// constraints from one step to the next, and over a restart.

// The order of keys is the order of all sums.
struct Key {
  std::int32_t master = -1, slave = -1;  // bodies; slave is the ground where a joint holds one body alone
  std::uint32_t part = 0;                // contact: shapes of both, 16 bits each; joint: kJoint + 2 x its number + turn
  std::uint32_t feature = 0;             // of the narrow phase; joint: which of its rows
  friend auto operator<=>(const Key&, const Key&) = default;
};
inline constexpr std::uint32_t kJoint = 0x80000000u;

struct Reaction {
  Key key;
  std::array<double, 3> R{};  // along the axes of the constraint [N s]
};

}  // namespace espalier::contact
