#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/graph/graph.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/options.hpp"

namespace espalier::plan {

// The mechanism as a graph: what plan/ works on, and what `espalier check` counts.

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

// What can be planned: a mechanism or a plain graph, with a length and a weight on every edge.

// The largest weight or length: sums over 10^6 edges still tell 1e-3 apart.
inline constexpr double kMostWeight = 1e12;

struct Network {
  graph::Graph graph;
  std::vector<double> weight;             // w by edge; positive: what the joint adds to S2 if it stays in the tree
  std::vector<double> length;             // l by edge; positive: what one step of the recursion over the joint costs
  std::vector<int> freedom;               // f by edge, its coordinates; empty for a plain graph
  std::vector<JointAxis> axes;            // by edge; empty where they are not known: then no loop counts as planar
  std::vector<std::string> vertex_names;  // empty: "1", "2", ...
  std::vector<std::string> edge_names;    // empty: "e1", "e2", ...
  int ground = -1;                        // the vertex that stands still; -1 for a plain graph
};

// L and W of one spanning tree: the length of its critical branch, the longest way from the root to a leaf, and the sum
// of w over its edges.
struct Measure {
  double length = 0;
  double weight = 0;

  bool operator==(const Measure&) const = default;
};

// Two costs closer than this, relative to the larger, are the same: sums of the same numbers in another order.
inline constexpr double kSameCost = 1e-9;

// A body cut in two: `vertex` is the half that the joint `edge` keeps, a leaf; six equations weld it to `other`.
struct HalfBody {
  int vertex = -1;
  int other = -1;
  int edge = -1;
};

std::string vertex_name(const Network& network, int vertex);
std::string edge_name(const Network& network, int edge);
// An unknown name answers with the nearest known one, or with the first few where none is near.
Result<int> find_vertex(const Network& network, const std::string& name);
Result<int> find_edge(const Network& network, const std::string& name);

// Where weights and lengths of a mechanism's joints come from.
enum class Weights {
  kLiu,       // w = l = f: R 1, T 1, U 2, C 2, S 3 [Liu99] Table 1
  kWang,      // w = l: T 1.0, R 1.1, C 2.0, U 2.1, S 3.0 [Wang97] Table 1; 0.05 less with an actuator, 0.05 more where
              // the reaction is wanted. Joints of different f never change places, so the lightest tree has the fewest
              // equations as well.
  kMeasured,  // w = f; l the time of a recursion step against a hinge's, of one machine: step_length()
  kFile,      // what the model gives its joints; f where it gives nothing
};

// Groups of welded bodies are vertices, named after their first body; movable joints are edges.
Network make_network(const model::Model& model, const Mechanism& mechanism, Weights weights);

// Gives a network that was made with Weights::kMeasured the lengths of this machine instead of the built-in ones.
void measure_lengths(const MachineConstants& machine, Network& network);

// Everything a plan needs to be true of a network: sizes fit, ends exist, weights and lengths are positive and finite.
Result<void> check_network(const Network& network);

}  // namespace espalier::plan
