#pragma once

// Numbers in files are rounded: a hinge turned by 1.5708 in place of half pi is parallel to its neighbours but for 4e-6
// rad. Where equations of loops repeat each other such axes lock the mechanism, or leave gaps that no motion closes.
// Found here: the smallest change of the joints' frames with which the equations agree again, in this pose and along
// the motion. See docs/theory/dynamics.md, What files round off.

#include <span>
#include <vector>

#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {

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
