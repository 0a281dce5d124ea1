#pragma once

// Front door of the room: the compiled mechanism.
//   In:     ModelSpec (spec.hpp), as a reader or a program made it
//   Out:    Model, checked and frozen: every name is an index, every placement a frame in each body
// Later functions take `const Model&` and may trust it.

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "espalier/base/id.hpp"
#include "espalier/base/result.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/pose.hpp"
#include "espalier/model/joint.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::model {

using BodyId = Id<struct BodyTag>;
using JointId = Id<struct JointTag>;
using MaterialId = Id<struct MaterialTag>;

inline constexpr BodyId kGroundId{0};

struct Shape {
  ShapeSpec spec;       // geometry and pose; its material name is resolved in:
  MaterialId material;  // invalid if none
};

struct Body {
  std::string name;
  BodyKind kind = BodyKind::kRigid;
  math::Inertia inertia;  // in the body frame; of a beam as if it were rigid
  math::Pose X_WB;        // as drawn
  std::optional<VelocitySpec> velocity;
  std::vector<Shape> shapes;
  MaterialId material;
  std::optional<BeamSpec> beam;
  ActiveDirections active = {true, true, true, true, true, true};
  Where where;
};

struct Joint {
  std::string name;
  JointType type = JointType::kRevolute;
  BodyId a, b;
  math::Pose X_AF, X_BM;
  double pitch = 0;              // [m/rev]
  std::vector<double> position;  // nearest to the drawn pose, position_size numbers
  JointSpec spec;                // the remaining fields: limits, stiffness, drive, hints
  Where where;
};

struct Coupling {
  std::string name;
  std::vector<JointId> joints;
  std::vector<double> ratio;
  double offset = 0;
  std::vector<double> polynomial;  // empty for a linear coupling
  Where where;
};

struct Spring {
  BodyId a, b;
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero(), point_b = Eigen::Vector3d::Zero();  // in the bodies [m]
  double stiffness = 0, damping = 0, length = 0, tension = 0;
  std::optional<std::array<double, 2>> limits = std::nullopt;  // of its length [m]
};

struct Bushing {
  BodyId a, b;
  math::Pose X_AF, X_BM;  // coincide in the drawn pose
  std::array<double, 6> stiffness{}, damping{};
};

struct Load {
  bool torque = false;
  JointId joint;                                    // valid: acts on the coordinate
  BodyId body;                                      // valid: acts on the body
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  // in the body [m]
  bool in_body = false;
  std::vector<Expression> value;
};

struct Motion {
  JointId joint;
  bool is_velocity = false;
  Expression value;
};

struct Force {
  std::string name;
  std::variant<Spring, Bushing, Load, Motion> law;
  Where where;
};

struct Contact {
  bool on = true;
  double margin = 0;
  std::optional<double> friction, restitution;
  std::vector<std::pair<BodyId, BodyId>> exclude;
};

struct Keyframe {
  std::string name;
  std::vector<std::pair<JointId, std::vector<double>>> positions;
};

struct Model {
  std::string name;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<MaterialSpec> materials;
  std::vector<Body> bodies;  // bodies[0] is the ground
  std::vector<Joint> joints;
  std::vector<Coupling> couplings;
  std::vector<Force> forces;
  std::optional<Contact> contact;
  std::vector<Keyframe> keyframes;

  const Body& body(BodyId id) const { return bodies[id.index()]; }
  const Joint& joint(JointId id) const { return joints[id.index()]; }
};

// Checks and resolves. The first mistake found is returned, with its place and the way out. O(size of the spec).
Result<Model> compile(const ModelSpec& spec);

// Bodies that move as one: for each body the lowest body of its group. Fixed joints weld; obstacles stand with the
// ground, whose group is 0.
std::vector<int> weld_groups(const Model& model);

// The model with all fixed joints closed: where some are open in the drawing, the bodies of their group stand to its
// lowest body as the joints say. Joints that move keep their positions. A weld that contradicts earlier ones stays
// open.
Model close_welds(Model model);

// F and M of a joint in the world, drawn pose.
math::Pose drawn_frame_a(const Model& model, const Joint& joint);
math::Pose drawn_frame_b(const Model& model, const Joint& joint);
// What the joint lacks in the drawn pose to be closed.
math::PoseGap drawn_gap(const Model& model, const Joint& joint);

}  // namespace espalier::model
