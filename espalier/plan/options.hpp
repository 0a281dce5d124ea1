#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "espalier/base/index.hpp"

namespace espalier::plan {

// What an evaluation of the equations of motion consists of, and how long each part takes on one machine.

// The parts of the elimination of loop_elimination.hpp. With f coordinates of a joint, o equations of loops that pass
// it, and a loop of m equations that is coupled to r others when it is eliminated:
enum class Work {
  kJoint,              // 1 a joint of the tree: kinematics, articulated inertia, acceleration
  kCoordinate,         // f
  kLoop,               // 1 a loop
  kRow,                // m: building the wrenches
  kCarriedRow,         // o: the rows handed over the joint
  kCarriedCoordinate,  // o f
  kCoupling,           // o (o + 1) / 2 f: what the joint adds between the rows
  kFlop,               // of eliminating the loop, see elimination_flops
  kPair,               // 1 a loop that it is coupled to
};
inline constexpr std::size_t kWorkKinds = 9;
// As in the file of a machine, in this order.
std::span<const std::string_view, kWorkKinds> work_names();

struct WorkCount {
  std::array<double, kWorkKinds> amount{};  // [-]

  double& operator[](Work work) { return amount[to_index(work)]; }
  double operator[](Work work) const { return amount[to_index(work)]; }
  WorkCount& operator+=(const WorkCount& other);
  bool operator==(const WorkCount&) const = default;
};

// Where the ways of a loop's ends meet, which is where the loop is eliminated.
enum class Meeting { kOnBody, kAtWorld };

// Multiplications to factorise m pivots, to solve with them, to update what they are coupled to, and to substitute
// back: the r rows, and where the loop does not close at the world the six components of an acceleration.
double elimination_flops(int m, int r, Meeting meeting);

// Measured by `espalier plan --calibrate`; the defaults are those of one core of a Xeon at 2.8 GHz.
struct MachineConstants {
  std::array<double, kWorkKinds> seconds = {50e-9, 37.5e-9, 0, 0, 10.3e-9, 1.95e-9, 0.29e-9, 0.67e-9, 15e-9};
  // Handing work between two threads that wait for each other: a fork or a join, at best [s].
  double synchronisation = 100e-9;

  double operator[](Work work) const { return seconds[to_index(work)]; }
  bool operator==(const MachineConstants&) const = default;
};

// One step of a recursion over a joint of so many coordinates, in units of a hinge's, by the constants of a machine
// [-].
double step_length(int freedom, const MachineConstants& machine = {});

// One worker does one part after the other [s].
double time_of(const WorkCount& work, const MachineConstants& machine);

// What can be asked of a plan: an objective, a method, and the wishes that narrow the choice.

// What makes one tree better than another. L is the length of its critical branch, the longest way from the root to a
// leaf; W is its weight, the sum of w over its edges; meaning_of() says the same to a program.
enum class Objective {
  kMccst,       // L + beta W
  kMwst,        // W
  kScbst,       // L
  kScbmwst,     // W among the trees of smallest L
  kMwscbst,     // L among the trees of smallest W
  kBcbmwst,     // W where L <= max_length
  kBwscbst,     // L where W <= max_weight
  kBcbbwst,     // is there a tree with L <= max_length and W <= max_weight?
  kSequential,  // N(T), the number of equations, eq. (2)
  kTime,        // predicted time of one evaluation, schedule.hpp [s]
};

// Where an objective's limit on L or on W comes from.
enum class Limit {
  kNone,
  kAsked,     // PlanOptions::max_length or max_weight
  kSmallest,  // the smallest value that any tree has
};

// An objective in terms of L and W: minimise length_factor L + weight_factor W under the limits. (P1)
struct Meaning {
  enum class Unit {
    kLengthAndWeight,
    kYesOrNo,    // whether any tree keeps both limits; both factors are 0, and W is what is shown
    kEquations,  // N(T), which is smallest where the sum of f over the tree is: W with the weights f
    kSeconds,    // predicted time of one evaluation; neither L nor W
  };
  Unit unit = Unit::kLengthAndWeight;
  double length_factor = 0;
  double weight_factor = 0;
  Limit length_limit = Limit::kNone;
  Limit weight_limit = Limit::kNone;

  bool operator==(const Meaning&) const = default;
};
Meaning meaning_of(Objective objective, double beta = 1);

enum class Method {
  kAuto,      // tries the others, proves what it can within a set amount of work
  kExact,     // branch and bound to the end
  kSearch,    // many starts and exchanges, for graphs of any size
  kA1,        // shortest-path tree of smallest radius
  kA2,        // kExchange from the SCBST, nearest leaves first
  kA3,        // kExchange from the SCBST, farthest leaves first
  kExchange,  // the family of [Liu99] 6.1, by `start` and `sweep`
  kDfs,
  kBfs,
  kPrim,
  kKruskal,
};

// The tree that kExchange begins with, and the order in which it discusses vertices.
enum class Start { kScbst, kMwst };
enum class Sweep {
  kNear,       // the leaf nearest to the centre first
  kFar,        // the leaf farthest from the centre first
  kCentreOut,  // all vertices, from the centre towards the leaves, again until a round changes nothing
};

// What the method of [Liu99] 6 did, where it was asked for.
struct ExchangeCount {
  int rounds = 0;
  int discussed = 0;
  int exchanges = 0;
};

// Where a long search stands.
struct Progress {
  double best = std::numeric_limits<double>::infinity();  // cost of the best tree so far
  double bound = 0;                                       // no tree costs less
  std::int64_t nodes = 0;                                 // of branch and bound
};

struct PlanOptions {
  Objective objective = Objective::kMccst;
  Method method = Method::kAuto;
  double beta = 1;                        // > 0 [-]. What a unit of W is worth in units of L.
  std::optional<double> max_length = {};  // K2
  std::optional<double> max_weight = {};  // K1
  bool free_root = false;                 // leave the ground as root even where there is one
  int root = -1;                          // this vertex, in its piece; -1: the ground, or else the best one
  std::vector<int> pin = {};              // edges never cut
  std::vector<int> cut = {};              // edges always cut
  std::vector<int> cut_body = {};         // edges kept where their body is cut: 6 equations, no coordinate lost
  Start start = Start::kScbst;            // for kExchange
  Sweep sweep = Sweep::kFar;              // for kExchange
  bool front = false;                     // find the whole Pareto front (L, W) as well
  double exponent = 2.5;                  // P of eqs. (4) and (16), 2 < P < 3
  double time_limit = 0;                  // [s]. 0: no clock is read, so that every machine makes the same plan.
  std::function<void(const Progress&)> watch = {};  // told now and then where branch and bound stands
  std::uint64_t seed = 1;                           // for kSearch
  MachineConstants machine = {};                    // for kTime
  int workers = 1;                                  // for kTime
};

// The words of the command line.
const char* to_string(Objective objective);
const char* to_string(Method method);

}  // namespace espalier::plan
