#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/mjcf_pattern.hpp"
#include "espalier/formats/detail/mjcf_state.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;
using Type = MjcfJoint::Type;

constexpr double kTurn = 2 * std::numbers::pi;

constexpr std::string_view kKnown[] = {"name",
                                       "class",
                                       "type",
                                       "group",
                                       "pos",
                                       "axis",
                                       "range",
                                       "limited",
                                       "ref",
                                       "springref",
                                       "stiffness",
                                       "damping",
                                       "armature",
                                       "frictionloss",
                                       "actuatorfrcrange",
                                       "actuatorfrclimited",
                                       "user"};

std::optional<Type> find_type(const std::string& word) {
  if (word == "hinge") return Type::kHinge;
  if (word == "slide") return Type::kSlide;
  if (word == "ball") return Type::kBall;
  if (word == "free") return Type::kFree;
  return std::nullopt;
}

int qpos_size(Type type) { return type == Type::kFree ? 7 : type == Type::kBall ? 4 : 1; }

// The two numbers of `attribute` where they limit something: `limited` says so, or is absent and autolimits holds.
std::optional<std::array<double, 2>> read_range(MjcfDocument& doc, const MjcfSource& source, const char* attribute,
                                                const char* limited_attribute) {
  const std::optional<std::vector<double>> range = doc.numbers(source, attribute, 2, 2);
  const std::optional<bool> limited = doc.flag(source, limited_attribute, std::nullopt, true);
  if (limited && *limited && !range) {
    doc.xml.fail(ErrorCode::kValue, source.element,
                 fmt::format("<{}> is limited but has no {}; give it two numbers", source.element->Name(), attribute));
  }
  // An `auto` that has no range limits nothing, whatever autolimits says.
  if (!range || (limited && !*limited)) return std::nullopt;
  const std::array<double, 2> both = {(*range)[0], (*range)[1]};
  // A range of 0 0 is MJCF's default and stands for none.
  if (!limited && (!doc.compiler.autolimits || (both[0] == 0 && both[1] == 0))) return std::nullopt;
  if (both[0] > both[1]) {
    doc.xml.fail(ErrorCode::kValue, source.element,
                 fmt::format("{}={} in <{}>: the lower limit comes first", attribute,
                             in_quotes(doc.text(source, attribute)), source.element->Name()));
  }
  return both;
}

// Stiffness and damping: one number; a polynomial's further numbers are said to be left out.
double first_number(MjcfDocument& doc, const MjcfSource& source, const char* attribute) {
  const std::optional<std::vector<double>> values = doc.numbers(source, attribute, 1, 10);
  if (!values) return 0;
  if (values->size() > 1) {
    doc.xml.note(source.element, fmt::format("{} of <joint>: only its first number is read", attribute), attribute,
                 model::Effect::kForces);
  }
  return (*values)[0];
}

void read_axis(MjcfDocument& doc, const MjcfSource& source, const math::Pose& X_BF, MjcfJoint& joint) {
  // X_BF holds the <frame> elements between the body and its joint.
  joint.pos = X_BF * doc.vector(source, "pos", Vector3d::Zero());
  const Vector3d axis = doc.vector(source, "axis", Vector3d::UnitZ());
  if (!(axis.cwiseAbs().maxCoeff() > 1e-100)) {
    doc.xml.fail(ErrorCode::kValue, source.element,
                 fmt::format("axis={} of <joint> has no direction; give a vector that is not zero",
                             in_quotes(doc.text(source, "axis"))));
    return;
  }
  joint.axis = X_BF.rotation * math::direction(axis);
}

void read_coordinate(MjcfDocument& doc, const MjcfSource& source, MjcfJoint& joint) {
  const bool hinge = joint.type == Type::kHinge;
  // ref, springref and range of a hinge follow <compiler angle>; those of a slide are metres.
  const auto unit = [&](double value) { return hinge ? doc.angle(value) : value; };
  joint.ref = unit(doc.number(source, "ref", 0));
  joint.springref = unit(doc.number(source, "springref", 0));
  joint.range = read_range(doc, source, "range", "limited");
  // Limits in degrees of a file that counts in radians are a finding of every format (lint.cpp).
  if (joint.range && hinge && doc.compiler.degree) doc.note_angles(source.element, "range", *joint.range);
  if (joint.range) joint.range = {unit((*joint.range)[0]), unit((*joint.range)[1])};
  const std::optional<std::array<double, 2>> effort = read_range(doc, source, "actuatorfrcrange", "actuatorfrclimited");
  if (!effort) return;
  // Ours has one symmetric limit; the larger side keeps every motion that the file allows.
  joint.effort = std::max(std::abs((*effort)[0]), std::abs((*effort)[1]));
  if ((*effort)[0] != -(*effort)[1]) {
    doc.xml.note(source.element, "actuatorfrcrange of <joint> is not symmetric: the larger side is kept for both");
  }
}

bool limited_ball(MjcfDocument& doc, const MjcfSource& source) {
  return read_range(doc, source, "range", "limited").has_value();
}

// Appends `count` times the same value; the lists of a JointSpec have one entry a coordinate.
void append(std::vector<double>& list, int count, double value) { list.insert(list.end(), to_index(count), value); }

void drop_zeros(std::vector<double>& list) {
  // An empty list says "nothing here" to compile() and keeps the written model short.
  if (std::all_of(list.begin(), list.end(), [](double x) { return x == 0; })) list.clear();
}

// Joints of one body as one joint of ours, or as links of a chain.
class JointBuilder {
 public:
  JointBuilder(MjcfState& state, const MjcfLink& link) : state_(state), link_(link) {}

  void add(const std::vector<MjcfJoint>& joints) {
    // A body without a joint is welded to its parent in MJCF.
    if (joints.empty()) return add_fixed();
    // 1. A free joint stands alone. 2. Several joints that together move as one of ours become that one. 3. A chain.
    if (!check_free(joints)) return;
    if (const std::optional<MjcfPattern> pattern = match_joints(state_, joints)) return add_pattern(joints, *pattern);
    state_.doc.xml.note(link_.element, fmt::format("body {} has {}: chained through bodies without mass, {}__1, ...",
                                                   in_quotes(link_.body), counted(joints.size(), "joint"), link_.body));
    add_chain(joints);
  }

 private:
  void add_fixed() {
    const auto named = state_.weld_names.find(link_.body);
    // The names of fixed joints live in <custom>, as MJCF has no element for them.
    const std::string wish = named == state_.weld_names.end() ? link_.body + "_weld" : named->second;
    JointSpec joint = start(state_.joint_names.make(wish), link_.element);
    joint.type = JointType::kFixed;
    joint.in_a = link_.X_PB;
    if (state_.reversed.count(joint.name) > 0) turn_round(joint);
    state_.spec.joints.push_back(std::move(joint));
  }

  // The same joint with the child as a. An axis is turned round, so that its coordinate keeps its value; a quaternion
  // becomes its inverse.
  static void turn_round(JointSpec& joint) {
    std::swap(joint.a, joint.b);
    std::swap(joint.in_a, joint.in_b);
    if (model::joint_kind(joint.type).axes == 0) return;
    // Half a turn about x reverses z and y, so that the coordinate about z keeps its value from the other side.
    const math::Pose half_turn{Vector3d::Zero(), Eigen::Quaterniond(0, 1, 0, 0)};
    joint.in_a = joint.in_a * half_turn;
    joint.in_b = joint.in_b * half_turn;
  }

  JointSpec start(const std::string& name, const XMLElement* element) {
    JointSpec joint;
    joint.name = name;
    joint.a = link_.parent;
    joint.b = link_.body;
    joint.where = state_.doc.xml.where(element);
    return joint;
  }

  bool check_free(const std::vector<MjcfJoint>& joints) {
    for (const MjcfJoint& joint : joints) {
      if (joint.type != Type::kFree) continue;
      if (joints.size() == 1 && link_.parent == model::kGround) continue;
      state_.doc.xml.fail(ErrorCode::kTopology, joint.element,
                          fmt::format("the free joint of body {} must be its only joint, and the body a child of "
                                      "<worldbody>",
                                      in_quotes(link_.body)));
      return false;
    }
    return true;
  }

  void add_chain(const std::vector<MjcfJoint>& joints) {
    MjcfLink next = link_;
    for (std::size_t k = 0; k < joints.size(); ++k) {
      // Only the first joint of the chain is displaced from the parent; the rest act in one place.
      if (k > 0) next.X_PB = {};
      const bool last = k + 1 == joints.size();
      next.body = last ? link_.body : state_.body_names.make(fmt::format("{}__{}", link_.body, k + 1));
      // MuJoCo lets joints of one body act in sequence; ours need a body between each two.
      if (!last) add_massless(next.body, joints[k].element);
      const std::vector<MjcfJoint> one = {joints[k]};
      JointBuilder(state_, next).add_pattern(one, *match_joints(state_, one));
      next.parent = next.body;
    }
  }

  void add_massless(const std::string& name, const XMLElement* element) {
    model::BodySpec body;
    body.name = name;
    body.mass = 0;
    body.com = Vector3d::Zero();
    body.inertia = Eigen::Matrix3d::Zero();
    body.pose = link_.X_WB;
    body.where = state_.doc.xml.where(element);
    state_.spec.bodies.push_back(std::move(body));
  }

  void add_pattern(const std::vector<MjcfJoint>& joints, const MjcfPattern& pattern) {
    JointSpec spec = start(joint_name(joints, pattern), joints[0].element);
    spec.type = pattern.type;
    spec.pitch = pattern.pitch;
    // T_J = A * joint_pose(q) * B^-1 is the motion from the drawn pose, seen in the joint's frame J.
    spec.in_a = link_.X_PB * pattern.J * pattern.A;
    spec.in_b = pattern.J * pattern.B;
    // qpos of a free joint is the pose of the body itself: both frames are its origin and that of the world.
    if (pattern.type == JointType::kFree && joints[0].type == Type::kFree) spec.in_a = spec.in_b = {};
    const bool told = state_.reversed.count(spec.name) > 0;
    if (pattern.reversed) {
      std::swap(spec.a, spec.b);
      std::swap(spec.in_a, spec.in_b);
    } else if (told && pattern.type != JointType::kUniversal && pattern.type != JointType::kPlanar) {
      // Universal and planar joints tell by their order of axes that they were turned; match_joints() saw it.
      turn_round(spec);
    }
    MjcfGather gather{state_.spec.joints.size(), {}, {}, pattern.ball_axes, told};
    for (const int k : pattern.coordinates) add_coordinates(joints[to_index(k)], spec, gather);
    finish(joints, pattern, spec);
    state_.gathers.push_back(std::move(gather));
    state_.spec.joints.push_back(std::move(spec));
  }

  // A name of the file as it is; one made up must not be taken.
  std::string joint_name(const std::vector<MjcfJoint>& joints, const MjcfPattern& pattern) {
    if (pattern.name.empty()) return state_.joint_names.make(link_.body + "_joint");
    const auto is_it = [&](const MjcfJoint& joint) { return joint.name == pattern.name; };
    const bool given = std::any_of(joints.begin(), joints.end(), is_it);
    return given ? pattern.name : state_.joint_names.make(pattern.name);
  }

  void add_coordinates(const MjcfJoint& joint, JointSpec& spec, MjcfGather& gather) {
    // The pitch ties the turns of a screw to its travel, so that whole turns cannot be taken out of its reference.
    const bool turns = joint.type == Type::kHinge && spec.type != JointType::kScrew;
    // Our angle in the drawn pose lies within half a turn, so a larger ref moves all of the joint's numbers.
    const double shift = turns ? kTurn * std::round(joint.ref / kTurn) : 0;
    const int freedom = joint.type == Type::kFree ? 6 : joint.type == Type::kBall ? 3 : 1;
    append(spec.stiffness, freedom, joint.stiffness);
    append(spec.damping, freedom, joint.damping);
    append(spec.friction, freedom, joint.friction);
    append(spec.armature, freedom, joint.armature);
    // A rest position without a spring means nothing and would keep the list from being dropped.
    append(spec.rest, freedom, joint.stiffness == 0 ? 0 : joint.springref - shift);
    if (joint.range) spec.limits.push_back({(*joint.range)[0] - shift, (*joint.range)[1] - shift});
    // MJCF has one effort range for each coordinate, ours one limit for the joint: the largest.
    if (joint.effort) spec.effort_limit = std::max(spec.effort_limit.value_or(0), *joint.effort);
    // Where these coordinates stand in qpos; keyframes are read by this list once all joints are known.
    for (int k = 0; k < qpos_size(joint.type); ++k) {
      gather.address.push_back(joint.address + k);
      gather.shift.push_back(shift);
    }
    if (!joint.name.empty()) state_.joints[joint.name] = {state_.spec.joints.size(), joint.ref - shift};
  }

  void finish(const std::vector<MjcfJoint>& joints, const MjcfPattern& pattern, JointSpec& spec) {
    for (std::vector<double>* list : {&spec.stiffness, &spec.damping, &spec.friction, &spec.armature, &spec.rest}) {
      drop_zeros(*list);
    }
    for (const MjcfJoint& joint : joints) {
      // Both names of a merged pair lead to it, so that actuators and equalities find the joint.
      if (!joint.name.empty()) state_.joint_of[joint.name] = state_.spec.joints.size();
    }
    // A range of one coordinate in a pattern comes with one on all: same_limits() refused the others.
    if (pattern.type == JointType::kFree && joints[0].type == Type::kFree && !spec.stiffness.empty()) {
      state_.doc.xml.note(joints[0].element, "stiffness of a free joint: not read", "stiffness",
                          model::Effect::kForces);
      spec.stiffness.clear();
    }
  }

  MjcfState& state_;
  MjcfLink link_;
};

}  // namespace

MjcfJoint read_joint(MjcfState& state, const XMLElement* element, const MjcfClass* defaults, const math::Pose& X_BF) {
  MjcfDocument& doc = state.doc;
  MjcfJoint joint;
  joint.element = element;
  joint.name = doc.xml.text(element, "name");
  if (std::string_view(element->Name()) == "freejoint") {
    joint.type = Type::kFree;
    doc.only_attributes(element, {"name", "group", "align"});
  } else {
    const MjcfSource source = doc.source(element, defaults, "joint");
    const std::string word = doc.text(source, "type", "hinge");
    const std::optional<Type> type = find_type(word);
    if (!type) {
      doc.xml.fail(ErrorCode::kValue, element,
                   fmt::format("type={} in <joint> is none of hinge, slide, ball, free", in_quotes(word)));
      return joint;
    }
    joint.type = *type;
    // A free joint has neither place nor axis of its own: it moves the frame of the body.
    if (joint.type != Type::kFree) read_axis(doc, source, X_BF, joint);
    joint.stiffness = first_number(doc, source, "stiffness");
    joint.damping = first_number(doc, source, "damping");
    joint.friction = doc.number(source, "frictionloss", 0);
    joint.armature = doc.number(source, "armature", 0);
    if (joint.type == Type::kHinge || joint.type == Type::kSlide) {
      read_coordinate(doc, source, joint);
    } else if (joint.type == Type::kBall && limited_ball(doc, source)) {
      doc.xml.note(element, "the range of a ball joint is a cone: not kept", "range", model::Effect::kForces);
    }
    doc.only_attributes(element, kKnown);
  }
  // qpos is laid out in the order in which the walk meets the joints.
  joint.address = state.qpos_size;
  state.qpos_size += qpos_size(joint.type);
  return joint;
}

void check_joint_defaults(MjcfState& state) { state.doc.only_default_attributes("joint", kKnown); }

void add_joints(MjcfState& state, const MjcfLink& link, std::vector<MjcfJoint> joints) {
  if (!state.doc.xml.failed()) JointBuilder(state, link).add(joints);
}

}  // namespace espalier::formats::detail
