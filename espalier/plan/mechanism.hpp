#pragma once

// The mechanism as a graph: what plan/ works on, and what `espalier check` counts.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "espalier/graph/graph.hpp"
#include "espalier/model/model.hpp"

namespace espalier::plan {

// Bodies joined by fixed joints move as one: each such group is a vertex, each movable joint an edge. Welding does not
// change the number of independent loops.
struct Mechanism {
  graph::Graph graph;                              // vertex 0 holds the ground
  std::vector<int> vertex_of;                      // by body
  std::vector<std::vector<model::BodyId>> bodies;  // by vertex
  std::vector<model::JointId> joints;              // by edge
};

Mechanism make_mechanism(const model::Model& model);

struct Count {
  int bodies = 0;  // without the ground
  int groups = 0;  // after welding, without the ground's own
  int movable_joints = 0;
  int loops = 0;           // independent ones, of movable joints
  int floating = 0;        // pieces not joined to the ground: each brings six coordinates
  int coordinates = 0;     // sum of f over all movable joints, and 6 for each floating piece
  int planar_loops = 0;    // loops whose joints all move in one plane: these take 3 coordinates, the others 6
  int freedom = 0;         // degrees of freedom by count: coordinates - 3 or 6 a loop - couplings [Gruebler17]
  int blocked_joints = 0;  // movable joints between bodies that are welded together
};

Count count(const model::Model& model, const Mechanism& mechanism);

// The direction a joint turns about or slides along, in the drawn pose, as either of its bodies has it: they differ
// where the joint is drawn open.
struct JointAxis {
  enum class Kind { kHinge, kSlider, kOther };
  Kind kind = Kind::kOther;
  Eigen::Vector3d in_a = Eigen::Vector3d::UnitZ();
  Eigen::Vector3d in_b = Eigen::Vector3d::UnitZ();
};
JointAxis joint_axis(const model::Model& model, const model::Joint& joint);

// True if the joint moves in the plane with this normal: a hinge along it, a slider across it.
bool moves_in_plane(const JointAxis& axis, const Eigen::Vector3d& normal);

// True if every joint of the loop moves in one common plane: revolute joints along one direction, prismatic ones across
// it. Such a loop has three equations, and three more that are always fulfilled. Tested in the drawn pose.
bool is_planar(const model::Model& model, const std::vector<model::JointId>& loop);

// One loop a chord of the breadth-first forest, as joints in cyclic order; the first `most` of them. All loops of a
// large lattice together are far larger than the lattice.
std::vector<std::vector<model::JointId>> independent_loops(const Mechanism& mechanism, std::size_t most = SIZE_MAX);

}  // namespace espalier::plan
