#pragma once

// The mechanism as its author wrote it: names, defaults, file and line of everything. Readers make a ModelSpec;
// compile() (model.hpp) checks it and turns it into a Model. docs/file-formats.md says the same in YAML.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/pose.hpp"
#include "espalier/model/expression.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::model {

inline constexpr const char* kGround = "ground";

// Something a reader wants the user to know; never an error.
struct Note {
  std::string message;
  Where where;
};

struct MaterialSpec {
  std::string name;
  std::optional<double> density;      // [kg/m^3]
  std::optional<double> young;        // E [Pa]
  std::optional<double> shear;        // G [Pa]
  std::optional<double> friction;     // Coulomb [-]
  std::optional<double> restitution;  // [-], 0 to 1
  Where where;
};

enum class ShapeKind { kSphere, kBox, kCapsule, kCylinder, kEllipsoid, kPlane, kHull, kMesh };
enum class ShapeRole { kBoth, kCollision, kVisual };

struct ShapeSpec {
  ShapeKind kind = ShapeKind::kSphere;
  // sphere: (radius, 0, 0); box: full lengths; capsule and cylinder: (radius, length of the straight part, 0), axis z;
  // ellipsoid: half axes; plane (the half space z <= 0), hull and mesh: zero. [m]
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  std::vector<Eigen::Vector3d> points;              // hull: its vertices, in the shape's frame [m]
  std::string file;                                 // mesh: as written, never opened by a reader
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();  // mesh [-]
  math::Pose pose;                                  // X_BS: the shape in its body
  std::string material;                             // name, or empty
  ShapeRole role = ShapeRole::kBoth;
  std::string name;  // may be empty
  Where where;
};

enum class SectionKind { kRectangle, kCircle, kGeneral };

// Cross section of a beam, rod or shaft, at its start and at its end (equal where it does not taper).
// Local x runs along the axis, y as BeamSpec::y_axis says, z = x cross y.
struct SectionSpec {
  using Ends = std::array<double, 2>;
  SectionKind kind = SectionKind::kRectangle;
  Ends b = {0, 0};             // rectangle: extent along z [m]
  Ends h = {0, 0};             // rectangle: extent along y [m]
  Ends wall = {0, 0};          // rectangle: thickness of the wall of a tube, 0 = solid [m]
  Ends radius = {0, 0};        // circle: outer [m]
  Ends inner_radius = {0, 0};  // circle: inner, 0 = solid [m]
  Ends area = {0, 0};          // general: A [m^2]
  Ends Iy = {0, 0};            // general: bending in the x-z plane [m^4]
  Ends Iz = {0, 0};            // general: bending in the x-y plane [m^4]
  Ends J = {0, 0};             // general: torsion constant [m^4]
  std::optional<Ends> polar;   // general: polar moment for torsional inertia, Iy + Iz if not given [m^4]
  std::optional<std::array<double, 2>> shear_factors;  // Timoshenko kappa_y, kappa_z [-]
};

enum class BeamTheory { kEuler, kTimoshenko };

// The elastic part of a body of kind beam, rod or shaft. Joints hold it anywhere along its axis.
struct BeamSpec {
  Eigen::Vector3d from = Eigen::Vector3d::Zero();  // in the body frame [m]
  Eigen::Vector3d to = Eigen::Vector3d::Zero();
  SectionSpec section;
  BeamTheory theory = BeamTheory::kEuler;
  std::optional<Eigen::Vector3d> y_axis;  // local y is its part normal to the axis; see default_y_axis [-]
  double viscous = 0;                     // damping per length [N s/m^2]
  double kelvin_voigt = 0;                // eta in E(1 + eta s) [s]
  double foundation = 0;                  // Winkler stiffness per length [N/m^2]
  int segments = 0;                       // pieces of constant section; 0 = the solver's choice
};

// Where a beam does not say: y of the body, or z for a beam that stands within a degree of y.
Eigen::Vector3d default_y_axis(const Eigen::Vector3d& beam_axis);

enum class BodyKind { kRigid, kPoint, kBeam, kRod, kShaft, kPseudoRigid, kObstacle };

struct VelocitySpec {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   // of the body frame's origin, world axes [m/s]
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  // world axes [rad/s]
};

// The directions a body may move in, a restriction of a model to a plane or a line: x y z rx ry rz.
using ActiveDirections = std::array<bool, 6>;

// `ground` always exists; a BodySpec of that name may be listed to give it shapes, and nothing else.
struct BodySpec {
  std::string name;
  BodyKind kind = BodyKind::kRigid;
  std::optional<double> mass;              // [kg]; from shapes and density if not given
  std::optional<Eigen::Vector3d> com;      // in the body frame [m]
  std::optional<Eigen::Matrix3d> inertia;  // about com, body axes [kg m^2]
  math::Pose pose;                         // X_WB as drawn
  std::optional<VelocitySpec> velocity;
  std::vector<ShapeSpec> shapes;
  std::string material;          // for shapes without one, and for beams
  std::optional<BeamSpec> beam;  // exactly where kind is beam, rod or shaft
  std::optional<ActiveDirections> active;
  Where where;
};

// What a motor of the joint takes from its controller.
enum class MotorInterface { kEffort, kPosition, kVelocity };
constexpr Words<MotorInterface, 3> words(MotorInterface) {
  return {{{"effort", MotorInterface::kEffort},
           {"position", MotorInterface::kPosition},
           {"velocity", MotorInterface::kVelocity}}};
}

// How a motor drives the joint: kept for other programs, nothing here computes with it.
struct TransmissionSpec {
  std::string name;      // may be empty
  double reduction = 1;  // of the motor's motion to that of the joint [-]
  MotorInterface interface = MotorInterface::kEffort;

  bool operator==(const TransmissionSpec&) const = default;
};

// Lists below have one entry a coordinate (joint_kind(type).freedom of them) or are empty. Units follow the
// coordinate: [rad] or [m], [N m/rad] or [N/m], ...
struct JointSpec {
  std::string name;
  JointType type = JointType::kRevolute;
  std::string a;                              // body that holds frame F
  std::string b;                              // body that holds frame M
  std::optional<math::Pose> at;               // F and M both, in the world, in the drawn pose; else:
  math::Pose in_a;                            // X_AF
  math::Pose in_b;                            // X_BM
  double pitch = 0;                           // screw only [m/rev]
  std::vector<double> velocity;               // initial rate of the coordinates
  std::vector<std::array<double, 2>> limits;  // not for spherical and free
  std::vector<double> stiffness;              // 0 = released
  std::vector<double> damping;
  std::vector<double> rest;              // position at which the stiffness pulls nowhere; 0 if empty
  std::vector<double> friction;          // Coulomb [N m] or [N]
  std::vector<double> armature;          // inertia of the drive, seen at the coordinate [kg m^2] or [kg]
  std::optional<double> effort_limit;    // of a drive [N m] or [N]
  std::optional<double> velocity_limit;  // of a drive [rad/s] or [m/s]
  bool actuated = false;
  bool reaction_wanted = false;  // the user wants its reaction force, which cutting it gives
  bool closure = false;          // its author wrote it as the joint that closes a loop (a hint only)
  std::optional<double> weight;  // of the joint as an edge of the plan's graph, where weights come from the model
  std::optional<double> length;  // the same for its length
  std::optional<TransmissionSpec> transmission = {};  // of an actuated joint
  std::string group = {};  // one weld of several bodies is several joints: the name they share in the file
  Where where;
};

// Either sum_k ratio[k] q[k] = offset, or q[0] = sum_k polynomial[k] q[1]^k. Joints of one coordinate only.
struct CouplingSpec {
  std::string name;
  std::vector<std::string> joints;
  std::vector<double> ratio;
  double offset = 0;
  std::vector<double> polynomial;
  Where where;
};

// Spring and damper between a point of a and a point of b: tension = stiffness (l - length) + damping dl/dt + tension.
struct SpringSpec {
  std::string a, b;
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  // in the world (drawn) or in the body, as in_world says [m]
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
  bool in_world = false;
  double stiffness = 0;          // [N/m]
  double damping = 0;            // [N s/m]
  std::optional<double> length;  // unloaded; the drawn length if not given [m]
  double tension = 0;            // constant [N]
  // Lengths it cannot pass [m]: a rope has (0, L), a rod (L, L).
  std::optional<std::array<double, 2>> limits = std::nullopt;
};

// Six springs and dampers between coincident frames, acting on b: x y z [N/m], rx ry rz [N m/rad], axes of the frame.
struct BushingSpec {
  std::string a, b;
  math::Pose frame;  // in the world (drawn) or in body a, as in_world says
  bool in_world = false;
  std::array<double, 6> stiffness{};
  std::array<double, 6> damping{};
};

// A force or torque on a joint's coordinate, or on a body at a point.
struct LoadSpec {
  bool torque = false;
  std::string joint;                  // either this: one value, + on b and - on a,
  std::string body;                   // or this: three values
  std::optional<Eigen::Vector3d> at;  // body frame; the centre of mass if not given [m]
  bool in_body = false;               // components along body axes instead of world axes
  std::vector<Expression> value;      // [N] or [N m]
};

// A joint's only coordinate, or its rate, as a function of time.
struct MotionSpec {
  std::string joint;
  bool is_velocity = false;
  Expression value;  // [rad], [m], [rad/s] or [m/s]
};

struct ForceSpec {
  std::string name;  // may be empty
  std::variant<SpringSpec, BushingSpec, LoadSpec, MotionSpec> law;
  Where where;
};

struct ContactSpec {
  bool on = true;
  double margin = 0;               // [m]
  std::optional<double> friction;  // where no material says
  std::optional<double> restitution;
  std::vector<std::pair<std::string, std::string>> exclude;  // pairs of bodies that never touch
  Where where;
};

// A named configuration: positions of some joints, and what some loads are from there on. The others keep their drawn
// position and their value.
struct KeyframeSpec {
  std::string name;
  std::vector<std::pair<std::string, std::vector<double>>> positions;  // joint, position_size numbers
  Where where;
  std::vector<std::pair<std::string, std::vector<Expression>>> loads = {};  // force, as LoadSpec::value
};

// A table of the file, which formulas call by its name: two columns of a CSV file.
struct TableSpec {
  std::string name;
  std::string file;             // as written
  std::string path;             // where it was read
  std::string argument, value;  // names of the columns
  // A number of the column is this many units of the formulas; the word it was given by, if it was.
  double argument_unit = 1, value_unit = 1;
  std::string argument_unit_word, value_unit_word;
  std::shared_ptr<const Table> rows;  // in units of the formulas
  Where where;
};

// A named number of the file, which formulas of other numbers use.
struct ConstantSpec {
  std::string name;
  std::string formula;  // as written; empty for a plain number
  double value = 0;     // in no unit: a formula is in the units of the file
  Where where;
};

// A number that the file gives as a formula of constants; the spec holds its value. Only a native file has such.
struct FormulaSpec {
  std::vector<std::string> path;  // the way to it in the file: keys, names, places in lists from 0
  std::string text;               // in metres and radians: "2*k", "(2*k)*0.001"
  std::string without;            // what stands there where constants are not written: a number or a law of time
  Where where;
};

struct ModelSpec {
  std::string name;
  Eigen::Vector3d gravity = {0, 0, -9.81};  // [m/s^2]
  std::optional<ActiveDirections> active;   // for all bodies
  std::vector<MaterialSpec> materials;
  std::vector<BodySpec> bodies;
  std::vector<JointSpec> joints;
  std::vector<CouplingSpec> couplings;
  std::vector<ForceSpec> forces;
  std::optional<ContactSpec> contact;
  std::vector<KeyframeSpec> keyframes;
  // Moments of inertia that break the triangle inequality are an error, unless this is set: published robot files hold
  // such bodies, and their equations can be solved all the same. Readers of robot formats set it; lint still tells.
  bool impossible_inertia_allowed = false;
  std::vector<ConstantSpec> constants;
  std::vector<FormulaSpec> formulas;
  std::vector<TableSpec> tables;
  std::vector<Note> notes;  // what the reader has to say
  Where where;              // the file
};

// The word for each enumerator in model files, and back.
const char* word(ShapeKind kind);
const char* word(ShapeRole role);
const char* word(BodyKind kind);
const char* word(BeamTheory theory);
std::optional<ShapeKind> find_shape_kind(std::string_view word);
std::optional<ShapeRole> find_shape_role(std::string_view word);
std::optional<BodyKind> find_body_kind(std::string_view word);
std::optional<BeamTheory> find_beam_theory(std::string_view word);
inline constexpr std::array<const char*, 6> kDirectionWords = {"x", "y", "z", "rx", "ry", "rz"};

// Area, second moments, torsion constant of a section.
struct SectionValues {
  double area = 0;                          // [m^2]
  double Iy = 0, Iz = 0, J = 0, polar = 0;  // as SectionSpec has them [m^4]
};

// At the fraction x in [0, 1] of the beam's length; the measures of rectangle and circle are interpolated, not their
// products.
SectionValues section_at(const SectionSpec& section, double x);

// Mass properties of a shape at density 1 kg/m^3, in its own frame: the mass is the volume. Nothing for a plane, a mesh
// (never opened) and a flat hull.
std::optional<math::Inertia> solid_inertia(const ShapeSpec& shape);

}  // namespace espalier::model
