#pragma once

// Closing the loops of a mechanism before anything is computed with it: from the drawn pose, or a keyframe, to the
// nearest pose in which every joint holds. Damped least squares on bodies that float, then a descent along closed poses
// to the nearest one, so that the pose is the same for every tree; equations that repeat each other do no harm. See
// docs/theory/dynamics.md.

#include <span>
#include <vector>

#include "espalier/dynamics/poses.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {

struct AssemblyOptions {
  double time = 0;           // for drives that prescribe positions [s]
  double tolerance = 1e-12;  // a loop is closed to this, times the model's extent where it is above 1 m [m, rad]
  double rounding = 1e-5;    // gaps up to this that no motion closes are put down to rounding in the file [m, rad]
  int max_iterations = 300;  // of one try
  bool limits = true;        // stay within limits of joints as far as loops can be closed so
  std::vector<model::JointId> pins;  // joints that must not move, in the tree or cut
  std::vector<math::Pose> drawing;   // X_WB of all bodies to stay near to; empty: as the coordinates say
  // Gaps that only a motion along directions which the equations hardly see would close stay open: what disagrees there
  // is the drawing (correction.hpp).
  bool gentle = false;
};

// A coordinate that stands outside its limits.
struct LimitBreak {
  model::JointId joint;
  int coordinate = 0;        // of the joint, from 0
  double value = 0;          // [rad or m]
  double low = 0, high = 0;  // the limits
  bool blocks = false;       // loops do not close from this start while the joint stays within
};

struct Assembly {
  enum class Outcome {
    kClosed,
    kRounded,  // closed but for a gap below AssemblyOptions::rounding that no motion removes
    kOpen,     // some loop stays open: its links do not reach, or a pin holds it
  };
  Outcome outcome = Outcome::kClosed;
  std::vector<double> q;  // as near to closed as was reached
  int iterations = 0;
  std::vector<JointGap> before, after;  // by cut joint, weld and drive, worst first
  std::vector<JointGap> moved;          // joints that moved by more than the tolerance, farthest first
  std::vector<LimitBreak> limits;       // in the order of the joints
};

// From the coordinates q. Each step is small against the links, so that the branch of the start is kept; a start from
// which no direction leads on (all links in line) is left to both sides of a random direction, the same every time. A
// closed start stays as it is, bit for bit. Sparse: a ladder of 5000 loops closes within seconds.
Assembly assemble(const System& system, std::span<const double> q, const AssemblyOptions& options = {});
// From the drawn pose.
Assembly assemble(const System& system, const AssemblyOptions& options = {});

}  // namespace espalier::dynamics
