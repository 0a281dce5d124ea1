#pragma once

// The bodies and constraints of one rank, and one step of them together.
//   owned body     its centre of mass lies in this rank's cell; this rank moves it (Solfec: parent)
//   copy           it reaches into this cell; its state is sent anew every step    (Solfec: child)
//   internal       a constraint whose point lies in this cell                      (its row of W is here)
//   external       a record of another rank's constraint on a body that is here
// No rank holds anything else; looks and joints travel with the bodies they belong to. A pair of bodies is tried
// wherever both are, and a contact kept where its point lies: the cell of a point that two bodies share has both, so
// nothing is found twice and nothing is negotiated.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "espalier/base/words.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/geometry/broad_phase.hpp"
#include "espalier/geometry/collide.hpp"
#include "espalier/contact/constraint.hpp"
#include "espalier/contact/partition.hpp"
#include "espalier/contact/scene.hpp"
#include "espalier/contact/solve.hpp"

namespace espalier::contact {

enum class Storage {
  kEfficient,  // bodies where they are needed
  kRedundant,  // all bodies on all ranks, as Solfec began
};
constexpr Words<Storage, 2> words(Storage) {
  return {{{"efficient", Storage::kEfficient}, {"redundant", Storage::kRedundant}}};
}

// What an object counts where space is shared out.
enum class Weighing {
  kMeasured,  // the time that bodies, their shapes and rows have been seen to take
  kFormula,   // (16) and (17) of [Koziara11] with Settings::weight_factor
  kCounted,   // a body 1 and a constraint 1
};
constexpr Words<Weighing, 3> words(Weighing) {
  return {{{"measured", Weighing::kMeasured}, {"formula", Weighing::kFormula}, {"counted", Weighing::kCounted}}};
}

// In which order Gauss-Seidel goes through the rows.
enum class Order {
  kKeys,   // colours of keys, told to neighbours colour by colour: the same bits on any number of ranks
  kRanks,  // each rank its own rows, told to neighbours after a sweep: faster, other bits, within the tolerance
};
constexpr Words<Order, 2> words(Order) { return {{{"keys", Order::kKeys}, {"ranks", Order::kRanks}}}; }

struct Settings {
  double step = 1e-3;             // [s]
  bool implicit = true;           // pseudo-rigid bodies by linearly implicit steps
  double correction = 0;          // of overlaps, share a step [-]
  double joint_correction = 0.1;  // of joints that drifted apart [-]
  SolveOptions solve;
  Storage storage = Storage::kEfficient;
  Bisection bisection = Bisection::kOwn;
  Order order = Order::kKeys;
  Weighing weighing = Weighing::kMeasured;
  double weight_factor = 1;  // (16), 0 to 1
  int balance_every = 5;     // steps between two partitions, or more
  double imbalance = 1.1;    // own time of the slowest rank against the mean, up to which nothing is shared out anew;
                             // below 1: always [-]
};

// A body here.
struct Present {
  Body body;
  geometry::Box reach;  // of its shapes and joints at mid step
  int owner = 0;
  std::vector<int> ranks;                           // that hold it, ascending; the owner is among them
  std::shared_ptr<const Look> look;                 // null: nothing to touch
  std::shared_ptr<const Look> stretched = nullptr;  // of a pseudo-rigid body at mid step
};

// What travels with bodies to ranks where they are new. Between two partitions some of it may stay where it is not
// needed any more.
struct Belongings {
  struct Worn {
    std::int32_t number = 0;
    bool stays = false;  // of an obstacle: a rank that has seen it keeps it
    std::shared_ptr<const Look> look;
  };
  std::vector<Worn> looks;                                      // ascending numbers
  std::vector<Link> links;                                      // ascending numbers
  std::vector<std::pair<std::int32_t, std::int32_t>> links_of;  // body, place in links; ascending
  std::vector<std::pair<std::int32_t, std::int32_t>> apart;     // bodies that never touch, named both ways; ascending
  std::vector<std::pair<std::int32_t, int>> told;               // looks sent since the last partition, and to whom
};

struct Reaction {
  Key key;
  std::array<double, 3> R{};
};

// Time that this rank has spent with the parts of a step, and with messages in any of them [s].
struct StepTimes {
  double balance = 0;   // sharing space out anew
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
  bool shared_out = false;  // space was cut anew before it
  double moved = 0;         // by that: share of bodies and constraints that changed ranks [-]
  StepTimes times;          // of this rank
};

// What has been measured since space was shared out.
struct Workload {
  int steps = 0;
  double most = 0, mean = 0;  // own time of the slowest rank and of all, added up [s]
  double cost = 0;            // of sharing out, the last time [s]
  double moved = 0;           // share of objects that changed ranks then [-]
  // Of this rank.
  double bodies = 0, detect = 0, rows = 0;  // [s]
  std::int64_t body_count = 0, pieces = 0;  // as many a step, added up
  double moved_by_rows = 0;                 // velocities of their bodies, the same
};

struct Domain {
  Settings settings;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  double margin = 0;                        // contacts are made within this gap [m]
  std::vector<BodyLoad> loads;              // of all bodies, ascending
  std::vector<model::Expression> formulas;  // of loads and links
  Cells cells;
  double time = 0;
  std::int64_t steps = 0;

  bool is_new = true;  // no body has been placed yet
  Workload load;

  std::vector<Present> bodies;          // ascending ids; copies as they were in the middle of the last step
  Belongings belongings;                // of these bodies
  std::vector<Constraint> constraints;  // internal and external, ascending keys
  std::vector<char> internal;           // by constraint
  std::vector<Reaction> reactions;      // of the last step, ascending keys: where the solver starts

  // Scratch.
  geometry::BroadPhase broad;
  std::vector<geometry::Touch> touches;
};

// Collective. The root has all of its scene until the first step, which shares it out; what other ranks name is not
// looked at.
Domain make_domain(const comm::Comm& comm, Scene scene, const Settings& settings);

// Collective. One step.
StepReport step(const comm::Comm& comm, Domain& domain);

}  // namespace espalier::contact
