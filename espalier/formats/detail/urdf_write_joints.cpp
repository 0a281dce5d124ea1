#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/urdf_writer.hpp"
#include "espalier/formats/detail/urdf_zero.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::Joint;
using model::JointType;

std::string example_of(const Joint& joint) { return fmt::format("joint {}", in_quotes(joint.name)); }

const char* type_word(const Joint& joint) {
  switch (joint.type) {
    case JointType::kRevolute:
      // URDF's revolute joint asks for limits; without them it is called continuous.
      return joint.spec.limits.empty() ? "continuous" : "revolute";
    case JointType::kFree:
      return "floating";
    case JointType::kPrismatic:
    case JointType::kScrew:
    case JointType::kUniversal:
    case JointType::kCylindrical:
    case JointType::kSpherical:
    case JointType::kPlanar:
    case JointType::kFixed:
      break;
  }
  return model::joint_kind(joint.type).name.data();
}

void write_axes(UrdfOutput& out, JointType type, const Quaterniond& R) {
  // URDF gives axes in the joint frame, which coincides with the frame of the child link.
  const auto write = [&](const char* element, const Vector3d& unit) {
    out.xml.open(element).attribute("xyz", tidy_direction(Vector3d(R * unit))).close();
  };
  const int axes = model::joint_kind(type).axes;
  if (axes == 1) write("axis", Vector3d::UnitZ());
  if (axes == 2) {
    write("axis", Vector3d::UnitX());
    write("axis2", Vector3d::UnitY());
  }
}

// One number where all are the same.
void write_values(UrdfOutput& out, const char* name, const std::vector<double>& values) {
  if (values.empty()) return;
  // One number stands for all coordinates; the reader spreads it again.
  const bool same = std::all_of(values.begin(), values.end(), [&](double x) { return x == values[0]; });
  out.xml.attribute(name, std::span<const double>(values.data(), same ? 1 : values.size()));
}

// An empty list stands for zeros.
double at(const std::vector<double>& values, std::size_t k) { return values.empty() ? 0 : values[k]; }

bool has_range(const Joint& joint) { return joint.type == JointType::kPrismatic || !joint.spec.limits.empty(); }

// The attributes of <limit> that urdfdom asks for and the model does not give.
std::vector<const char*> not_given(const Joint& joint) {
  const model::JointSpec& spec = joint.spec;
  std::vector<const char*> names;
  if (!has_range(joint) && !spec.effort_limit && !spec.velocity_limit) return names;
  // urdfdom wants both ends of a prismatic joint; the model may have none.
  if (has_range(joint) && spec.limits.empty()) names = {"lower", "upper"};
  if (!spec.effort_limit) names.push_back("effort");
  if (!spec.velocity_limit) names.push_back("velocity");
  return names;
}

void write_limit(UrdfOutput& out, const Joint& joint, const std::vector<double>& zero,
                 const std::vector<const char*>& stand_ins) {
  const model::JointSpec& spec = joint.spec;
  if (spec.limits.empty() && !spec.effort_limit && !spec.velocity_limit && stand_ins.empty()) return;
  out.xml.open("limit");
  std::vector<double> lower, upper;
  // The file counts from the drawn pose.
  for (std::size_t k = 0; k < spec.limits.size(); ++k) {
    lower.push_back(spec.limits[k][0] - at(zero, k));
    upper.push_back(spec.limits[k][1] - at(zero, k));
  }
  write_values(out, "lower", lower);
  write_values(out, "upper", upper);
  // One effort and one velocity for the joint, in URDF as here.
  if (spec.effort_limit) out.xml.attribute("effort", *spec.effort_limit);
  if (spec.velocity_limit) out.xml.attribute("velocity", *spec.velocity_limit);
  for (const char* name : stand_ins) {
    out.xml.attribute(name, std::string_view(name) == "lower" ? -kUrdfStandIn : kUrdfStandIn);
  }
  out.xml.close();
  if (!stand_ins.empty()) {
    out.remark(fmt::format("limits that are not given are written as {}, since other readers of URDF ask for them; "
                           "not_given in <espalier> lists them",
                           number_text(kUrdfStandIn)),
               example_of(joint));
  }
}

bool any_nonzero(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double x) { return x != 0; });
}

// Stiffness pulls towards `rest`, counted from the file's zero.
void write_dynamics(UrdfOutput& out, const Joint& joint, const std::vector<double>& zero, bool elastic) {
  const model::JointSpec& spec = joint.spec;
  elastic = elastic && (any_nonzero(spec.stiffness) || any_nonzero(spec.rest));
  // Nothing to say: an empty element would read as zeros that somebody meant.
  if (!any_nonzero(spec.damping) && !any_nonzero(spec.friction) && !any_nonzero(spec.armature) && !elastic) return;
  out.xml.open("dynamics");
  if (any_nonzero(spec.damping)) write_values(out, "damping", spec.damping);
  if (any_nonzero(spec.friction)) write_values(out, "friction", spec.friction);
  if (any_nonzero(spec.armature)) write_values(out, "armature", spec.armature);
  if (elastic) {
    write_values(out, "stiffness", spec.stiffness);
    std::vector<double> rest(std::max(spec.stiffness.size(), spec.rest.size()));
    for (std::size_t k = 0; k < rest.size(); ++k) rest[k] = at(spec.rest, k) - at(zero, k);
    if (any_nonzero(rest)) write_values(out, "rest", rest);
  }
  out.xml.close();
  if (elastic || any_nonzero(spec.armature)) {
    out.remark("stiffness, rest and armature in <dynamics> are our own: other readers pass over them",
               example_of(joint));
  }
}

// What URDF has no word for, so that we read back what we wrote.
void write_extension(UrdfOutput& out, const Joint& joint, const std::vector<double>& zero, bool reversed,
                     bool same_frames, const std::vector<const char*>& stand_ins) {
  // Velocities are along the frames of the model; where those were turned the numbers would mean another motion.
  const bool moving = same_frames && any_nonzero(joint.spec.velocity);
  if (zero.empty() && !reversed && !moving && !joint.spec.reaction_wanted && stand_ins.empty()) return;
  out.xml.open("espalier");
  if (reversed) out.xml.attribute("reversed", std::string("true"));
  if (!zero.empty()) write_values(out, "zero", zero);
  if (moving) write_values(out, "velocity", joint.spec.velocity);
  if (joint.spec.reaction_wanted) out.xml.attribute("reaction", std::string("wanted"));
  if (!stand_ins.empty()) out.xml.attribute("not_given", fmt::format("{}", fmt::join(stand_ins, " ")));
  out.xml.close();
}

void open_joint(UrdfOutput& out, const Joint& joint, const char* element, const char* word) {
  out.xml.open(element).attribute("name", joint.name).attribute("type", std::string(word));
  // URDF has no screw; the pitch is our own attribute, in metres per turn.
  if (joint.type == JointType::kScrew) out.xml.attribute("pitch", joint.pitch);
}

void remark_tree_joint(UrdfOutput& out, const Joint& joint, const UrdfTreeJoint& written) {
  switch (joint.type) {
    // urdfdom knows six types, and none of these is among them.
    case JointType::kSpherical:
    case JointType::kUniversal:
    case JointType::kCylindrical:
    case JointType::kScrew:
      out.remark(fmt::format("other readers of URDF refuse the joint type {}", model::joint_kind(joint.type).name),
                 example_of(joint));
      break;
    default:
      break;
  }
  if (!written.zero.empty()) {
    out.remark(
        "a joint that is not at zero in the drawn pose: the file counts it from there, its limits are shifted to match",
        example_of(joint));
  }
  if (written.reversed && (joint.type == JointType::kUniversal || joint.type == JointType::kPlanar)) {
    out.remark("a joint had to be turned around, its coordinates are others to other readers", example_of(joint));
  }
}

void write_tree_joint(UrdfOutput& out, const Joint& joint, const UrdfTreeJoint& written) {
  remark_tree_joint(out, joint, written);
  open_joint(out, joint, "joint", type_word(joint));
  out.xml.origin(written.origin);
  out.xml.open("parent").attribute("link", out.link_names[written.parent.index()]).close();
  out.xml.open("child").attribute("link", out.link_names[written.child.index()]).close();
  write_axes(out, joint.type, written.in_child);
  const std::vector<const char*> stand_ins = not_given(joint);
  write_limit(out, joint, written.zero, stand_ins);
  write_dynamics(out, joint, written.zero, written.same_frames);
  // A <mimic> stands inside the joint that follows.
  if (const auto mimic = out.mimics.find(written.joint); mimic != out.mimics.end()) {
    write_urdf_mimic(out, mimic->second);
  }
  write_extension(out, joint, written.zero, written.reversed, written.same_frames, stand_ins);
  out.xml.close();
}

void write_loop_end(UrdfOutput& out, const char* element, model::BodyId body, const math::Pose& frame) {
  out.xml.open(element).attribute("link", out.link_names[body.index()]).origin(frame).close();
}

// URDF+ <loop>: both frames in full, with the axis as z; or, where both have the axes that <axis> alone gives, without
// rotations.
void write_loop(UrdfOutput& out, const Joint& joint) {
  out.remark("<loop> closes loops: urdfdom and most readers pass over it in silence", example_of(joint));
  // Seen in the links' frames, which need not be those of the bodies.
  math::Pose F = math::relative_pose(out.frames.X_BL[joint.a.index()], joint.X_AF);
  math::Pose M = math::relative_pose(out.frames.X_BL[joint.b.index()], joint.X_BM);
  const Vector3d zero = Vector3d::Zero();
  Quaterniond axes = F.rotation;
  // Both frames have the axes that <axis> says, so that their rotations can be left out.
  if (axes_survive(joint.type, axes) && math::gap_between({zero, axes}, {zero, M.rotation}).angle < 1e-12) {
    F.rotation = M.rotation = Quaterniond::Identity();
  } else {
    axes = Quaterniond::Identity();
  }
  // A loop joint has no rule that asks for limits, so that "revolute" serves without them.
  open_joint(out, joint, "loop", joint.type == JointType::kRevolute ? "revolute" : type_word(joint));
  write_loop_end(out, "predecessor", joint.a, F);
  write_loop_end(out, "successor", joint.b, M);
  write_axes(out, joint.type, axes);
  // Readers that ask for complete limits do not know <loop>.
  write_limit(out, joint, {}, {});
  write_dynamics(out, joint, {}, true);
  write_extension(out, joint, {}, false, true, {});
  out.xml.close();
}

}  // namespace

void write_urdf_joints(UrdfOutput& out) {
  for (std::size_t j = 0; j < out.model.joints.size(); ++j) {
    // In the order of the model, tree and loops mixed, so that joints come back in that order.
    const auto entry = out.in_tree.find(model::JointId(j));
    if (entry == out.in_tree.end()) {
      write_loop(out, out.model.joints[j]);
    } else {
      write_tree_joint(out, out.model.joints[j], *entry->second);
    }
  }
  for (const std::string& name : out.frames.opened) {
    out.remark("a joint that is open in the drawn pose: the file's zero pose closes it",
               fmt::format("joint {}", in_quotes(name)));
  }
}

}  // namespace espalier::formats::detail
