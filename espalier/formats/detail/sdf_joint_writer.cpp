#include "espalier/formats/detail/sdf_joint_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/sdf_axis.hpp"
#include "espalier/formats/detail/sdf_joint.hpp"

namespace espalier::formats::detail {
namespace {

using model::Coupling;
using model::Joint;
using model::JointSpec;
using model::JointType;

// A list of zeros says the same as an empty one.
bool any(const std::vector<double>& list) {
  return std::any_of(list.begin(), list.end(), [](double x) { return x != 0; });
}

// SDF has no planar, cylindrical or free joint.
bool own_type(JointType type) {
  return type == JointType::kPlanar || type == JointType::kCylindrical || type == JointType::kFree;
}

// Coordinates that an <axis> each stands for.
int axis_count(JointType type) { return own_type(type) ? 0 : model::joint_kind(type).axes; }

// SDF refuses the world as a child, so such a joint is written from its other side.
Joint seen_from_world(const Joint& joint) {
  Joint other = joint;
  const math::Pose turn{Eigen::Vector3d::Zero(), sdf_reversing_turn(joint.type)};
  std::swap(other.a, other.b);
  other.X_AF = joint.X_BM * turn;
  other.X_BM = joint.X_AF * turn;
  if (joint.type == JointType::kUniversal) {
    // A universal joint has its axes exchanged, so that its lists and its drawn angles change places with them.
    sdf_reverse_lists(other.spec);
    std::swap(other.position[0], other.position[1]);
  }
  return other;
}

// Where the coordinates read `drawn` SDF's are zero: what its own elements say of positions is written from there, or
// other readers would start outside the limits. See sdf_joint.hpp.
void measure_from(const std::vector<double>& drawn, JointSpec& spec) {
  const bool sprung = any(spec.rest) || any(spec.stiffness);
  spec.rest.resize(sprung ? drawn.size() : 0);
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    if (sprung) spec.rest[k] -= drawn[k];
    if (spec.limits.empty()) continue;
    for (double& limit : spec.limits[k]) {
      if (std::abs(limit) < kSdfNoLimit) limit -= drawn[k];
    }
  }
}

// Without springs, damping or armature, a free joint only tells where a body is drawn.
bool carries_nothing(const JointSpec& spec) {
  return !any(spec.stiffness) && !any(spec.damping) && !any(spec.friction) && !any(spec.armature);
}

std::string type_word(const Joint& joint) {
  if (joint.type == JointType::kSpherical) return "ball";
  // SDF tells a revolute joint from a continuous one by its name: the second has no limits.
  if (joint.type == JointType::kRevolute && joint.spec.limits.empty()) return "continuous";
  return std::string(model::joint_kind(joint.type).name);
}

bool even(const std::vector<double>& list) {
  return any(list) && std::all_of(list.begin(), list.end(), [&](double x) { return x == list[0]; });
}

// q0 = multiplier q1 + offset, where a coupling says so.
struct Mimic {
  double multiplier = 1, offset = 0;
};
std::optional<Mimic> as_mimic(const Coupling& coupling) {
  if (coupling.joints.size() != 2) return std::nullopt;
  // A polynomial of degree 1 is a line, as a mimic is.
  if (coupling.polynomial.size() == 2) return Mimic{coupling.polynomial[1], coupling.polynomial[0]};
  if (!coupling.polynomial.empty() || coupling.ratio[0] == 0) return std::nullopt;
  return Mimic{-coupling.ratio[1] / coupling.ratio[0], coupling.offset / coupling.ratio[0]};
}

}  // namespace

SdfJointWriter::SdfJointWriter(const model::Model& model, const std::vector<std::string>& links,
                               const std::vector<std::string>& joints, SdfPrint& print, SdfNotes& notes)
    : model_(model), links_(links), joints_(joints), print_(print), notes_(notes) {
  choose_mimics();
}

void SdfJointWriter::write_joints() {
  for (std::size_t j = 0; j < model_.joints.size(); ++j) write_joint(j);
}

void SdfJointWriter::write_joint(std::size_t index) {
  const Joint& original = model_.joints[index];
  // Types of our own need no turning: only our reader will take them.
  const bool reversed = original.b == model::kGroundId && !own_type(original.type);
  Joint joint = reversed ? seen_from_world(original) : original;
  // To other readers a link that nothing holds flies, so they may skip a free joint; any other joint they must not.
  // An element of our own namespace, which SDF readers skip by the standard, instead of a joint that they refuse.
  const bool skippable = joint.type == JointType::kFree && carries_nothing(joint.spec);
  if (own_type(joint.type) && !skippable) {
    notes_.add(fmt::format("joints of type {}: SDF has none, other SDF readers refuse this file", type_word(joint)));
  }
  SdfPrint::Attributes attributes = {{"name", joints_[index]}, {"type", type_word(joint)}};
  if (reversed) attributes.emplace_back("espalier:reversed", "true");
  print_.open(skippable ? "espalier:joint" : "joint", attributes);
  print_.text("parent", links_[joint.a.index()]);
  print_.text("child", links_[joint.b.index()]);
  // A pose without relative_to stands in the child link: M in its body.
  print_.pose("pose", joint.X_BM);
  write_parent_pose(joint);
  if (const std::vector<double> drawn = drawn_position(joint); !drawn.empty()) {
    print_.text("espalier:position", sdf_list_text(drawn));
    measure_from(drawn, joint.spec);
  }
  // The word of 1.10: the older thread_pitch counts radians per metre, with the other sign.
  if (joint.type == JointType::kScrew) print_.text("screw_thread_pitch", number_text(joint.pitch));
  write_axes(joint, index);
  write_own_elements(joint);
  write_hints(joint.spec);
  print_.close();
}

bool SdfJointWriter::at_zero_as_drawn(const Joint& joint) const {
  // Rounding of a product of poses stays below this; anything larger was drawn so.
  constexpr double kRounding = 1e-14;
  const math::Pose F = model::drawn_frame_a(model_, joint);
  const math::Pose M = model::drawn_frame_b(model_, joint);
  const math::PoseGap gap = math::gap_between(F, M);
  const double size = std::max({1.0, F.position.norm(), joint.X_AF.position.norm(), joint.X_BM.position.norm()});
  return gap.distance <= kRounding * size && gap.angle <= kRounding;
}

// What the coordinates read where SDF's are zero; empty where the two are the same, or no <axis> measures them.
std::vector<double> SdfJointWriter::drawn_position(const Joint& joint) const {
  if (axis_count(joint.type) == 0 || at_zero_as_drawn(joint) || !any(joint.position)) return {};
  return joint.position;
}

void SdfJointWriter::write_parent_pose(const Joint& joint) {
  if (at_zero_as_drawn(joint)) return;
  print_.pose("espalier:parent_pose", joint.X_AF);
  // A free joint has no zero that limits or springs could count from.
  if (joint.type == JointType::kFree) return;
  const math::PoseGap open = model::drawn_gap(model_, joint);
  // Two different sentences: an open joint is drawn wrongly, one off zero is drawn right but counted from elsewhere.
  notes_.add(open.distance > 1e-9 || open.angle > 1e-9
                 ? "joints that are open as drawn: other SDF readers take them as closed where they are drawn"
                 : "joints that are not at zero as drawn: other SDF readers take the drawn pose as zero, and limits, "
                   "springs and mimics are written from there");
}

void SdfJointWriter::write_axes(const Joint& joint, std::size_t index) {
  const int count = axis_count(joint.type);
  for (int k = 0; k < count; ++k) {
    print_.open(k == 0 ? "axis" : "axis2");
    // z for one axis; x and y for the two of a universal joint, as read_sdf_axis() turns them.
    print_.text("xyz", count == 1 ? "0 0 1" : k == 0 ? "1 0 0" : "0 1 0");
    write_limits(joint.spec, to_index(k));
    write_dynamics(joint.spec, to_index(k));
    if (mimics_[index] >= 0) write_mimic(index);
    print_.close();
  }
  // SDF wants an <axis> where the type has one; this one says no more than the direction.
  if (joint.type == JointType::kPlanar || joint.type == JointType::kCylindrical) write_plain_axis(0);
  if (joint.type == JointType::kSpherical && even(joint.spec.damping)) write_plain_axis(joint.spec.damping[0]);
}

void SdfJointWriter::write_plain_axis(double damping) {
  print_.open("axis");
  print_.text("xyz", "0 0 1");
  if (damping != 0) {
    print_.open("dynamics");
    print_.text("damping", number_text(damping));
    print_.close();
  }
  print_.close();
}

void SdfJointWriter::write_limits(const JointSpec& spec, std::size_t k) {
  const std::array<double, 2> all = {-kSdfNoLimit, kSdfNoLimit};
  const auto [lower, upper] = spec.limits.empty() ? all : spec.limits[k];
  // Beyond this number SDF means "no limit".
  const bool has_lower = std::abs(lower) < kSdfNoLimit;
  const bool has_upper = std::abs(upper) < kSdfNoLimit;
  // An empty <limit> would read as no limits as well, and says nothing.
  if (!has_lower && !has_upper && !spec.effort_limit && !spec.velocity_limit) return;
  print_.open("limit");
  if (has_lower) print_.text("lower", number_text(lower));
  if (has_upper) print_.text("upper", number_text(upper));
  if (spec.effort_limit) print_.text("effort", number_text(*spec.effort_limit));
  if (spec.velocity_limit) print_.text("velocity", number_text(*spec.velocity_limit));
  print_.close();
}

void SdfJointWriter::write_dynamics(const JointSpec& spec, std::size_t k) {
  const std::array<std::pair<const char*, const std::vector<double>*>, 4> all = {{
      {"damping", &spec.damping},
      {"friction", &spec.friction},
      {"spring_reference", &spec.rest},
      {"spring_stiffness", &spec.stiffness},
  }};
  // A rest of zero is the drawn pose, and must be said where that is not our zero.
  const auto said = [&](const auto& entry) {
    return entry.second == &spec.rest ? !spec.rest.empty() : any(*entry.second);
  };
  if (std::none_of(all.begin(), all.end(), said)) return;
  print_.open("dynamics");
  for (const auto& [name, list] : all) {
    if (said(std::pair(name, list))) print_.text(name, number_text((*list)[k]));
  }
  print_.close();
}

// What the <axis> elements could not say.
void SdfJointWriter::write_own_elements(const Joint& joint) {
  const JointSpec& spec = joint.spec;
  const bool axes = axis_count(joint.type) > 0;
  const auto own = [&](const char* name, const std::vector<double>& list) {
    if (!any(list)) return;
    print_.text(name, sdf_list_text(list));
    notes_.add("elements of the namespace espalier: other SDF readers skip them");
  };
  own("espalier:velocity", spec.velocity);
  own("espalier:armature", spec.armature);
  if (!axes) {
    own("espalier:stiffness", spec.stiffness);
    if (!(joint.type == JointType::kSpherical && even(spec.damping))) own("espalier:damping", spec.damping);
    own("espalier:rest", spec.rest);
    own("espalier:friction", spec.friction);
    std::vector<double> limits;
    for (const auto& [low, high] : spec.limits) limits.insert(limits.end(), {low, high});
    if (!limits.empty()) print_.text("espalier:limits", sdf_list_text(limits));
    if (spec.effort_limit) print_.text("espalier:effort_limit", number_text(*spec.effort_limit));
    if (spec.velocity_limit) print_.text("espalier:velocity_limit", number_text(*spec.velocity_limit));
  }
  // SDF leaves drives to plugins.
  if (spec.actuated) print_.text("espalier:actuated", "true");
}

void SdfJointWriter::write_hints(const JointSpec& spec) {
  // Both hints have a word in the part of SDF that is meant for engines.
  if (!spec.reaction_wanted && !spec.closure) return;
  print_.open("physics");
  if (spec.closure) {
    print_.open("simbody");
    print_.text("must_be_loop_joint", "true");
    print_.close();
  }
  if (spec.reaction_wanted) print_.text("provide_feedback", "true");
  print_.close();
}

// A joint mimics one other; further couplings of it get an element of our own.
void SdfJointWriter::choose_mimics() {
  mimics_.assign(model_.joints.size(), -1);
  for (std::size_t c = 0; c < model_.couplings.size(); ++c) {
    const Coupling& coupling = model_.couplings[c];
    // Three joints or a curve are more than a mimic can say.
    if (!as_mimic(coupling)) continue;
    int& mimic = mimics_[coupling.joints[0].index()];
    // The first coupling of a joint becomes its mimic.
    if (mimic < 0) mimic = static_cast<int>(c);
  }
}

void SdfJointWriter::write_mimic(std::size_t joint) {
  const auto c = to_index(mimics_[joint]);
  const Coupling& coupling = model_.couplings[c];
  Mimic mimic = *as_mimic(coupling);
  const std::vector<double> drawn = drawn_position(model_.joint(coupling.joints[0]));
  const std::vector<double> drawn_other = drawn_position(model_.joint(coupling.joints[1]));
  // A mimic counts from SDF's zeros, ours from our coordinates: both drawn positions enter the offset.
  if (!drawn.empty()) mimic.offset -= drawn[0];
  if (!drawn_other.empty()) mimic.offset += mimic.multiplier * drawn_other[0];
  SdfPrint::Attributes attributes = {{"joint", joints_[coupling.joints[1].index()]}};
  add_order(c, attributes);
  print_.open("mimic", attributes);
  print_.text("multiplier", number_text(mimic.multiplier));
  print_.text("offset", number_text(mimic.offset));
  // All of the shift is in the offset, so that one number carries it.
  print_.text("reference", "0");
  print_.close();
}

void SdfJointWriter::add_order(std::size_t coupling, SdfPrint::Attributes& attributes) const {
  // Several couplings keep their order by a number: a reader may take them in any order.
  if (model_.couplings.size() > 1) attributes.emplace_back("espalier:order", fmt::format("{}", coupling));
}

void SdfJointWriter::write_couplings() {
  for (std::size_t c = 0; c < model_.couplings.size(); ++c) {
    const Coupling& coupling = model_.couplings[c];
    // A coupling that went into a <mimic> must not be written again.
    if (mimics_[coupling.joints[0].index()] == static_cast<int>(c)) continue;
    notes_.add("couplings that <mimic> cannot say: other SDF readers skip them");
    SdfPrint::Attributes attributes;
    if (!coupling.name.empty()) attributes.emplace_back("name", coupling.name);
    if (coupling.offset != 0) attributes.emplace_back("offset", number_text(coupling.offset));
    if (!coupling.polynomial.empty()) attributes.emplace_back("polynomial", sdf_list_text(coupling.polynomial));
    add_order(c, attributes);
    print_.open("espalier:coupling", attributes);
    for (std::size_t k = 0; k < coupling.joints.size(); ++k) {
      SdfPrint::Attributes of = {{"name", joints_[coupling.joints[k].index()]}};
      // A coupling has either ratios or a polynomial.
      if (coupling.polynomial.empty()) of.emplace_back("ratio", number_text(coupling.ratio[k]));
      print_.open("joint", of);
      print_.close();
    }
    print_.close();
  }
}

}  // namespace espalier::formats::detail
