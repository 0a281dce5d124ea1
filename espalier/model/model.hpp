#pragma once

// Front door of the room: the compiled mechanism.
//   In:     ModelSpec (spec.hpp), as a reader or a program made it
//   Out:    Model, checked and frozen: every name is an index, every placement a frame in each body
// Later functions take `const Model&` and may trust it.

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "espalier/base/index.hpp"
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

// How many numbers say what a force does at an instant.
//   spring    1  its tension: pulls its ends together where positive [N]
//   bushing   6  force [N] and couple [N m] on body b at the origin of frame M, along the axes of frame F
//   load      1 or 3  its own value on the coordinate of a joint, or on a body in world axes [N] or [N m]
//   motion    1  the effort that it takes on its coordinate [N m] or [N]
int force_size(const Force& force);

// A coordinate of a joint, or its rate, that a formula of a load names.
struct Watched {
  JointId joint;
  int coordinate = 0;  // in velocity order
  bool is_rate = false;
  Where where;  // of the first load that names it
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
  std::vector<std::pair<std::size_t, std::vector<Expression>>> loads = {};  // place in Model::forces, value of the load
};

struct Model {
  std::string name;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<MaterialSpec> materials;
  std::vector<Body> bodies;  // bodies[0] is the ground
  std::vector<Joint> joints;
  std::vector<Coupling> couplings;
  std::vector<Force> forces;
  std::vector<Watched> watched;  // the inputs of all formulas in `forces` and `keyframes`, each once
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

// The model with its loads as they are from this keyframe on.
Model with_loads(Model model, const Keyframe& keyframe);

// A model drawn in another pose.

// The model with its bodies drawn at these poses X_WB, one a body; the positions of joints follow.
Model placed(Model model, std::span<const math::Pose> body);

// The same for a spec: bodies, and joints with the frames that `model`, compiled from it, has in its bodies now. What
// the spec gives in the world stays where it was in its bodies; springs without a length keep the one they were drawn
// with. `notes` gets a sentence for what cannot stay as it was.
ModelSpec placed(ModelSpec spec, const Model& model, std::span<const math::Pose> body, std::vector<std::string>& notes);

// What acts on the joints of a Model, resolved once for all engines: names are indices, empty lists are zeros, forces
// are with the joint they act on. An engine reads this, places it in its own frames, and refuses what it cannot do.
// Springs, bushings and loads on bodies need nothing resolved and stay in Model::forces.

// A limit as large as this on both sides is none [rad] or [m].
inline constexpr double kNoLimit = 1e6;

// What a joint's own fields put on one of its coordinates. Units follow the coordinate.
struct CoordinateLaw {
  double stiffness = 0;                                        // [N m/rad] or [N/m]
  double rest = 0;                                             // where the stiffness pulls nowhere [rad] or [m]
  double damping = 0;                                          // [N m s/rad] or [N s/m]
  double friction = 0;                                         // Coulomb [N m] or [N]
  double armature = 0;                                         // inertia of the drive [kg m^2] or [kg]
  std::optional<std::array<double, 2>> limits = std::nullopt;  // [rad] or [m]
};

struct JointLaw {
  std::vector<CoordinateLaw> coordinates;  // velocity order; empty where none of them has a law
  std::array<bool, 3> named{};             // positions that formulas of loads name
  int effort = -1;                         // Laws::efforts: loads on its coordinate; -1: none
  std::vector<int> motions;                // Laws::equations
  std::vector<int> couplings;              // Laws::equations

  // Forces or equations act on its coordinate.
  bool is_driven() const { return effort >= 0 || !motions.empty() || !couplings.empty(); }
};

// The loads on one coordinate together, held to the joint's effort_limit.
struct Effort {
  JointId joint;
  std::vector<Expression> values;  // their sum [N m] or [N]
  std::optional<double> limit;     // [N m] or [N]
  Where where;                     // of the last load
};
// `inputs` are the values of Model::watched.
double evaluate(const Effort& effort, double time, std::span<const double> inputs);
// The same as one formula.
Result<Expression> as_expression(const Effort& effort);

// A load that is straight in the coordinate q and the rate v of its own joint: constant + position q + rate v, held to
// `range`. Servos are of this form, and so are springs, dampers and constant loads.
struct StraightLoad {
  double constant = 0;                                        // [N m] or [N]
  double position = 0;                                        // [N m/rad] or [N/m]
  double rate = 0;                                            // [N m s/rad] or [N s/m]
  std::optional<std::array<double, 2>> range = std::nullopt;  // [N m] or [N]
};
// Nothing for a formula of another form, of time, of tables, or of other joints.
std::optional<StraightLoad> straight_load(const Expression& formula, const std::string& joint);

// One equation on coordinates of joints that have one:
//   sum_k ratio_k q_k = offset + value(t)      a linear coupling (several terms), a prescribed position (one term)
//   sum_k ratio_k qd_k = value(t)              a prescribed velocity: `of_velocity`
//   q_0 = sum_k polynomial_k q_1^k             where `polynomial` is not empty
struct Equation {
  struct Term {
    JointId joint;
    double ratio = 1;
  };
  std::vector<Term> terms;
  std::vector<double> polynomial;
  double offset = 0;
  Expression value;
  bool of_velocity = false;
  Where where;
};

struct Laws {
  std::vector<JointLaw> joints;     // by joint
  std::vector<Effort> efforts;      // in the order of their first loads
  std::vector<Equation> equations;  // motions, then couplings
};

// Formulas of coordinates are for loads alone. What takes none says so by this error, with the way out: prescribed
// motions, which are functions of time, and modes, which are those of forces at rest.
enum class FormulaUse { kMotion, kModes };
tl::unexpected<Error> refuse_coordinates(const Expression& formula, FormulaUse use, const Where& where);

// O(size of the model).
Laws resolve_laws(const Model& model);

// The lengths a spring cannot pass. A length is never below zero: there a rope has no limit [m].
std::optional<std::array<double, 2>> length_range(const Spring& spring);

}  // namespace espalier::model
