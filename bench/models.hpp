#pragma once

// The mechanisms that are measured against other programs: seeded, the same numbers for every program. Each one is
// drawn in the state to evaluate: positions by its poses, velocities in its joints, efforts as loads on its joints.

#include "espalier/model/spec.hpp"

namespace bench {

// `joints` bodies in a row on random revolute joints, the first on the ground.
espalier::model::ModelSpec make_chain(int joints);
// The same bodies as a binary tree: body k hangs on body (k - 1) / 2.
espalier::model::ModelSpec make_tree(int joints);
// Pelvis on a free joint, two legs of 6, two arms of 7, torso 2, neck 2: 36 coordinates.
espalier::model::ModelSpec make_humanoid();
// [Gonzalez06] problem A02: `loops` four-bars side by side, all links 1 m and 1 kg, in the plane x-z. Joint 0 is the
// first crank's; it stands `angle` off the upright [rad] and turns at `rate` [rad/s].
espalier::model::ModelSpec make_ladder(int loops, double angle, double rate);
// 6-UPS platform at rest, 60 N in each leg. `free_platform` adds a free joint, the last one, between ground and
// platform: it changes nothing but the trees there are.
espalier::model::ModelSpec make_stewart(bool free_platform = false);
// A scissor lift at rest: `stages` pairs of crossed bars, the first one's feet on a pin and on a slider.
espalier::model::ModelSpec make_scissor_lift(int stages);

}  // namespace bench
