#pragma once

// A linear structure as its modes are computed: vertices that move as one, and elements between two of them. Rigid
// bodies that fixed joints hold together are one vertex, and so is each end of an elastic body; elastic bodies and
// movable joints are elements. The ground is split: each support is a vertex of its own that does not move, a boundary
// of the paper [Rui14].
//   In:   Model, drawn in equilibrium
//   Out:  Structure; its network, which plan/ can hang on a tree
// Displacements are small: six numbers x y z rx ry rz about a vertex' point, world axes [m], [rad].

#include <array>
#include <string>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::modes {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Directions = std::array<bool, 6>;

struct Vertex {
  std::string name;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  // in the world, drawn pose [m]
  Directions moves{};                               // none: a support
  Matrix6 mass = Matrix6::Zero();                   // force = -s^2 mass * displacement
  Matrix6 stiffness = Matrix6::Zero();              // between the vertex and the ground
  Matrix6 damping = Matrix6::Zero();
  std::vector<model::BodyId> bodies;  // rigid ones and points; none where only elastic bodies meet
};

// A segment of an elastic body whose section does not change. Local x along the axis from end 0 to end 1.
struct Beam {
  double length = 0;                  // [m]
  double EA = 0, GJ = 0;              // [N], [N m^2]
  double EIy = 0, EIz = 0;            // bending in the local x-z and x-y plane [N m^2]
  double rho_A = 0;                   // mass a length [kg/m]
  double rho_Ip = 0;                  // of torsion [kg m]
  double rho_Iy = 0, rho_Iz = 0;      // rotary inertia of bending; 0: Euler-Bernoulli [kg m]
  double shear_y = 0, shear_z = 0;    // 1 / (kappa G A) of bending in x-y and x-z; 0: Euler-Bernoulli [1/N]
  double viscous = 0;                 // [N s/m^2]
  double kelvin_voigt = 0;            // E (1 + eta s) [s]
  double foundation = 0;              // [N/m^2]
  bool axial = true, torsion = true;  // what it carries at all: a rod only axial forces,
  bool bend_y = true, bend_z = true;  // a shaft only torsion
  model::BodyId body;
};

// A joint: what each direction of its frame does. Of end 1 against end 0.
struct Hinge {
  enum class Kind { kRigid, kElastic, kReleased };
  std::array<Kind, 6> kind{};  // x y z rx ry rz of the joint's frame
  std::array<double, 6> stiffness{}, damping{};
  model::JointId joint;  // invalid: a spring or bushing of the model's forces
};

struct Element {
  std::string name;
  std::variant<Beam, Hinge> law;
  std::array<int, 2> vertex = {-1, -1};
  std::array<Matrix6, 2> to_local;  // displacement of the element's end in its own axes, from that of the vertex
};

struct Structure {
  std::vector<Vertex> vertices;
  std::vector<Element> elements;
  double length_unit = 1;          // a typical length, by which rotations are made comparable with displacements [m]
  int segmented_bodies = 0;        // tapered ones that were cut into segments of constant section
  std::vector<model::Note> notes;  // what of the model leaves the answer as it is
};

struct StructureOptions {
  int segments = 0;   // of tapered bodies that do not say; 0: kSegments
  double refine = 1;  // this many times the segments, for an estimate of what segments cost
};
inline constexpr int kSegments = 32;

// Errors, with the line: what has no linear meaning here (contact bodies, couplings, prescribed motions, loads that
// depend on time), and gravity where it would change the answer.
Result<Structure> make_structure(const model::Model& model, const StructureOptions& options = {});

// Vertices that move and the elements between them, for plan::make_plan: weight and length of an element are its
// freedom from 1 to 6.
struct StructureNetwork {
  plan::Network network;
  std::vector<int> vertex;   // by network vertex: that of the structure
  std::vector<int> element;  // by network edge
};
StructureNetwork make_network(const Structure& structure);

// True where any element dissipates.
bool is_damped(const Structure& structure);
// The same structure where nothing dissipates. Directions that a damper alone held are released.
Structure without_damping(Structure structure);

// The tree over which a pass goes from the leaves to the roots.

// Over which elements the vertices are reached. Elements between two moving vertices that are in no tree are cut.
struct Tree {
  std::vector<int> parent;   // by vertex of the structure; -1: a root, or a support
  std::vector<int> element;  // to the parent; -1
};

// By a plan for make_network(structure).network.
Tree make_tree(const Structure& structure, const StructureNetwork& network, const plan::Plan& plan);

}  // namespace espalier::modes
