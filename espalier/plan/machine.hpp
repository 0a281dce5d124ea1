#pragma once

// What an evaluation of the equations of motion consists of, and how long each part takes on one machine.

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "espalier/base/index.hpp"

namespace espalier::plan {

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

}  // namespace espalier::plan
