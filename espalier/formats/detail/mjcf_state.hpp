#pragma once

// The stages of the MJCF reader and what they hand on. In the order of a read: names, meshes, bodies (with geoms and
// joints), equality, actuators, contact, keyframes.

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "espalier/formats/detail/mjcf_document.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::formats::detail {

// Names given so far; makes new ones that differ from all of them.
class MjcfNames {
 public:
  void reserve(const std::string& name) { used_.insert(name); }
  bool used(const std::string& name) const { return used_.count(name) > 0; }
  // `wish`, else wish_2, wish_3, ...
  std::string make(const std::string& wish);

 private:
  std::set<std::string> used_;
  std::map<std::string, int> next_;
};

struct MjcfMesh {
  std::string file;
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();
  std::vector<Eigen::Vector3d> points;  // of a mesh written in the file itself, scaled [m]
  std::optional<math::Inertia> unit;    // of those points' hull or of the file, at density 1; made when asked for
  bool measured = false;
};

struct MjcfBody {
  std::string name;  // ours
  math::Pose X_WB;   // at qpos0
};

struct MjcfSite {
  MjcfBody body;
  math::Pose X_WS;  // at qpos0
};

// One <joint> as the file says it, in SI units and radians.
struct MjcfJoint {
  enum class Type { kHinge, kSlide, kBall, kFree };
  Type type = Type::kHinge;
  std::string name;                                 // may be empty
  Eigen::Vector3d pos = Eigen::Vector3d::Zero();    // in the body [m]
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  // in the body, unit [-]
  double ref = 0;
  std::optional<std::array<double, 2>> range;
  double stiffness = 0, springref = 0, damping = 0, friction = 0, armature = 0;
  std::optional<double> effort;
  int address = 0;  // of its first number in qpos
  const XMLElement* element = nullptr;
};

// Where a joint of the file went: a coordinate of one of ours.
struct MjcfPlace {
  std::size_t joint = 0;  // in spec.joints
  double ref = 0;         // its coordinate in the drawn pose
};

// Which numbers of qpos make the position of one of our joints.
struct MjcfGather {
  std::size_t joint = 0;
  std::vector<int> address;
  std::vector<double> shift;                                      // whole turns, to be taken off
  Eigen::Quaterniond ball_axes = Eigen::Quaterniond::Identity();  // our axes in those a quaternion of qpos refers to
  bool inverse = false;  // our position is that of the parent seen from the child
};

// The force of an actuator on `length`, the gear times qpos, and on the rate of it:
//   gain control + bias_0 + bias_1 length + bias_2 rate, held to `range`
struct MjcfActuatorLaw {
  double gain = 1, gear = 1;
  std::array<double, 3> bias{};
  double shift = 0;  // of qpos beside our coordinate
  std::optional<std::array<double, 2>> range, control_range;
};

// In the order of the file, which is that of the controls of a keyframe.
struct MjcfActuator {
  const XMLElement* element = nullptr;
  std::size_t joint = 0;               // in spec.joints, where it has a law
  std::optional<MjcfActuatorLaw> law;  // nothing: not read
  int force = -1;                      // its load in spec.forces; -1: none, since it does nothing by itself
};

// A slide that an equality ties to a hinge: the two are one screw.
struct MjcfScrew {
  std::string slide, hinge;
  double slope = 0;  // [m/rad]
};

struct MjcfState {
  explicit MjcfState(MjcfDocument& document) : doc(document) {}

  MjcfDocument& doc;
  model::ModelSpec spec;
  MjcfNames body_names, joint_names, force_names;
  std::map<std::string, MjcfMesh> meshes;
  std::map<std::string, MjcfBody> bodies;  // by name in the file
  std::map<std::string, MjcfSite> sites;
  std::map<std::string, MjcfPlace> joints;      // by name in the file; only those that equalities can name
  std::map<std::string, std::size_t> joint_of;  // by name in the file: in spec.joints, whatever their type
  std::vector<MjcfGather> gathers;
  std::set<std::string> coupled;                  // joints that an <equality><joint> names
  std::map<std::string, MjcfScrew> screws;        // by slide
  std::set<std::string> reversed;                 // joints our writer had to turn round: a is the child
  std::map<std::string, std::string> weld_names;  // body: name of the fixed joint to its parent
  std::vector<MjcfActuator> actuators;
  int qpos_size = 0;
  std::map<std::string, double> materials;  // friction of each in spec.materials [-]
  std::size_t hull_points = 0;
  bool masks_noted = false;
};

// Names of all bodies and joints; two of one kind are a mistake. Couplings and screws are found here too.
void read_names(MjcfState& state);
void read_meshes(MjcfState& state);
void read_worldbody(MjcfState& state);
// The joints of one body, nearest to the parent first, as one joint of ours where they match one of our types, else
// as a chain. `parent` and `body` are our names; `X_PB` is drawn. A body without joints is fixed to its parent.
struct MjcfLink {
  const XMLElement* element = nullptr;
  std::string parent, body;
  math::Pose X_PB;
  math::Pose X_WB;
};
void add_joints(MjcfState& state, const MjcfLink& link, std::vector<MjcfJoint> joints);
// Notes for attributes of <joint> in default classes that are not read.
void check_joint_defaults(MjcfState& state);
// X_BF: the frame the element stands in, in its body.
MjcfJoint read_joint(MjcfState& state, const XMLElement* element, const MjcfClass* defaults, const math::Pose& X_BF);
void read_equality(MjcfState& state);
void read_actuators(MjcfState& state);
void read_contact(MjcfState& state);
void read_keyframes(MjcfState& state);
// Of a <key>: what actuators do at its controls.
void read_controls(MjcfState& state, const XMLElement* element, model::KeyframeSpec& keyframe);

// A geom as a shape of its body, and what it weighs.
struct MjcfGeom {
  std::optional<model::ShapeSpec> shape;
  std::optional<math::Inertia> inertia;  // in the body frame
  std::string unknown_mesh;              // it weighs, but only its mesh file knows how much:
  std::optional<double> mass = {};       // [kg], or
  double density = 0;                    // [kg/m^3]
};
// What such a geom weighs, in the body frame: by volume integrals over its mesh. Opens the file, once for each mesh; no
// value where it is not there, cannot be read, or is not closed.
std::optional<math::Inertia> weigh_mesh(MjcfState& state, const MjcfGeom& geom);
MjcfGeom read_geom(MjcfState& state, const XMLElement* element, const MjcfClass* defaults, const math::Pose& X_BF);

}  // namespace espalier::formats::detail
