#pragma once

// Closing the loops of a mechanism before anything is computed with it: from the drawn pose, or a keyframe, to the
// nearest pose in which every joint holds. Damped least squares on bodies that float, then a descent along closed poses
// to the nearest one, so that the pose is the same for every tree; equations that repeat each other do no harm. See
// docs/theory/dynamics.md.
//   In:     System, coordinates q to start from (the drawn pose, a keyframe), joints that must not move
//   Out:    Assembly: q of the closed pose, what moved and what stays open; Correction: frames that files rounded
//   Units   m, rad. Poses of bodies are X_WB, the same for every tree
//   Cost    sparse: a ladder of 5000 loops closes within seconds

#include <span>
#include <vector>

#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {

// How far a joint is from closed, or how far it moved; the joint is invalid for the weld of a cut body. Of a drive,
// what its coordinate lacks: that of its first joint.
struct JointGap {
  model::JointId joint;
  double distance = 0;  // [m]
  double angle = 0;     // [rad]
  int drive = -1;       // of the system
};

// Largest first, an angle of 1 rad counting as much as the distance `typical` [m]; ties keep their order.
void sort_gaps(std::vector<JointGap>& gaps, double typical);

// X_WB of the model's bodies at q.
std::vector<math::Pose> body_poses(const System& system, std::span<const double> q);
// How far each joint of the model is from closed at these poses X_WB, worst first; without fixed joints, which hold
// their bodies as drawn.
std::vector<JointGap> joint_gaps(const model::Model& model, std::span<const math::Pose> body);

// Poses X_WB of all bodies as drawn, and in a keyframe. Joints that the keyframe names stand as it says, as far as they
// form no loop among themselves; the others as drawn.
std::vector<math::Pose> drawn_poses(const model::Model& model);
std::vector<math::Pose> keyframe_poses(const model::Model& model, const model::Keyframe& keyframe);

struct AssemblyOptions {
  double time = 0;           // for drives that prescribe positions [s]
  double tolerance = 1e-12;  // a loop is closed to this, times the model's extent where it is above 1 m [m, rad]
  double rounding = 1e-5;    // gaps up to this that no motion closes are put down to rounding in the file [m, rad]
  int max_iterations = 300;  // of one try
  bool limits = true;        // stay within limits of joints as far as loops can be closed so
  std::vector<model::JointId> pins;  // joints that must not move, in the tree or cut
  std::vector<math::Pose> drawing;   // X_WB of all bodies to stay near to; empty: as the coordinates say
  // Gaps that only a motion along directions which the equations hardly see would close stay open: what disagrees there
  // is the drawing (find_correction).
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

// Numbers in files are rounded: a hinge turned by 1.5708 in place of half pi is parallel to its neighbours but for 4e-6
// rad. Where equations of loops repeat each other such axes lock the mechanism, or leave gaps that no motion closes.
// Found here: the smallest change of the joints' frames with which the equations agree again, in this pose and along
// the motion. See docs/theory/dynamics.md, What files round off.
struct CorrectionOptions {
  double angle = 1e-4;     // most that a joint's frames may be turned, what files lose [rad]
  double distance = 1e-5;  // most that they may be shifted; at most `angle` times the model's typical length [m]
};

// X_AF becomes X_AF on_a, X_BM becomes X_BM on_b.
struct JointCorrection {
  model::JointId joint;
  math::Pose on_a, on_b;
  double angle = 0;     // of both together [rad]
  double distance = 0;  // [m]
};

struct Correction {
  enum class Outcome {
    kNone,   // the equations agree as they are
    kFound,  // with the changes below they agree
    kLarge,  // they disagree, and no change of frames within the bounds mends it along the motion
  };
  Outcome outcome = Outcome::kNone;
  double angle = 0;                     // largest of all joints [rad]
  double distance = 0;                  // [m]
  double disagreement = 0;              // largest that is left open of an equation in this pose [m or rad]
  std::vector<JointCorrection> joints;  // in the order of the model's joints, those that change
};

// At q, closed but for what disagrees. The rank of the equations is taken for each gap in what is left of them, from
// the loosest on; the first for which frames within the bounds are found that hold in every pose tried along the motion
// counts. Sparse, O(loops) where they are local; nothing but two eliminations where the equations agree.
Correction find_correction(const System& system, double time, std::span<const double> q,
                           const CorrectionOptions& options = {});

// The model with these frames.
model::Model corrected(model::Model model, const Correction& correction);

}  // namespace espalier::dynamics
