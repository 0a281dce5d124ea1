#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/usd_joint.hpp"
#include "espalier/formats/detail/usd_writer.hpp"

namespace espalier::formats::detail {
namespace {

using model::Joint;
using model::JointSpec;
using model::JointType;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRadian = 180 / std::numbers::pi;  // [deg]

bool any(const std::vector<double>& list) {
  return std::any_of(list.begin(), list.end(), [](double x) { return x != 0; });
}

double entry(const std::vector<double>& list, std::size_t k) { return list.empty() ? 0 : list[k]; }

const char* type_word(JointType type) {
  switch (type) {
    case JointType::kRevolute:
      return "PhysicsRevoluteJoint";
    case JointType::kPrismatic:
      return "PhysicsPrismaticJoint";
    case JointType::kSpherical:
      return "PhysicsSphericalJoint";
    case JointType::kFixed:
      return "PhysicsFixedJoint";
    case JointType::kScrew:
    case JointType::kUniversal:
    case JointType::kCylindrical:
    case JointType::kPlanar:
    case JointType::kFree:
      break;
  }
  return "PhysicsJoint";
}

// The directions of a PhysicsJoint that this type does not have.
std::vector<std::string> locked_directions(const UsdJointForm& form) {
  std::vector<std::string> locked;
  // A type of its own says by itself what is locked.
  if (std::string_view(type_word(form.type)) != "PhysicsJoint") return locked;
  for (const std::string_view token : kUsdDirections) {
    const bool free = std::find(form.tokens.begin(), form.tokens.end(), token) != form.tokens.end();
    // The slide of a screw follows its turn, which only we know.
    if (!free && !(form.type == JointType::kScrew && token == "transZ")) locked.emplace_back(token);
  }
  return locked;
}

class JointWriter {
 public:
  JointWriter(UsdDraft& draft, const Joint& joint)
      : draft_(draft),
        print_(draft.print),
        joint_(joint),
        spec_(joint.spec),
        form_(usd_written_form(joint.type)),
        locked_(locked_directions(form_)) {}

  // `load`: the constant load on its coordinate; 0: none.
  void write(const std::string& name, bool cut, double load) {
    print_.open(type_word(joint_.type), name, apis());
    print_.own_name(joint_.name, name);
    write_ends();
    // All our joints turn and slide about z; what USD takes where nothing is said is x.
    if (form_.tokens.size() == 1 && locked_.empty()) print_.attribute("uniform token", "physics:axis", "\"Z\"");
    if (cut) print_.attribute("uniform bool", "physics:excludeFromArticulation", "true");
    // A lower limit above the upper one is USD's word for locked.
    for (const std::string& token : locked_) write_limit(token, 1, -1);
    for (std::size_t k = 0; k < form_.tokens.size(); ++k) {
      if (is_limited(k)) write_limits(k);
      if (is_driven(k)) write_drive(k, load);
    }
    write_own();
    print_.close();
  }

 private:
  bool is_angle(std::size_t k) const {
    return model::joint_kind(joint_.type).coordinates[k] == model::CoordinateKind::kAngle;
  }
  double degrees(std::size_t k) const { return is_angle(k) ? kRadian : 1; }
  bool has_gains() const { return any(spec_.stiffness) || any(spec_.damping); }
  // A drive says the springs and dampers of a joint too; one without gains says that there is a drive.
  bool is_driven(std::size_t k) const {
    // A rest without a spring moves nothing, but is part of the model.
    const bool gains = entry(spec_.stiffness, k) != 0 || entry(spec_.damping, k) != 0 || entry(spec_.rest, k) != 0;
    return gains || spec_.actuated;
  }
  bool has_drive() const {
    for (std::size_t k = 0; k < form_.tokens.size(); ++k) {
      if (is_driven(k)) return true;
    }
    return false;
  }
  bool is_limited(std::size_t k) const {
    return !spec_.limits.empty() &&
           (std::abs(spec_.limits[k][0]) < model::kNoLimit || std::abs(spec_.limits[k][1]) < model::kNoLimit);
  }

  std::vector<std::string> apis() const {
    std::vector<std::string> all;
    // A limit counts only where its schema is applied to the prim.
    for (const std::string& token : locked_) all.push_back("PhysicsLimitAPI:" + token);
    const bool typed = locked_.empty() && form_.tokens.size() == 1;
    for (std::size_t k = 0; k < form_.tokens.size(); ++k) {
      if (is_limited(k) && !typed) all.push_back("PhysicsLimitAPI:" + form_.tokens[k]);
    }
    for (std::size_t k = 0; k < form_.tokens.size(); ++k) {
      if (is_driven(k)) all.push_back("PhysicsDriveAPI:" + form_.tokens[k]);
    }
    if (has_armature()) all.emplace_back("PhysxJointAPI");
    return all;
  }

  // PhysX has an armature for joints with one coordinate.
  bool has_armature() const { return form_.tokens.size() == 1 && any(spec_.armature); }

  // A body that is missing is the world.
  void write_ends() {
    const std::array<std::pair<model::BodyId, const math::Pose*>, 2> ends = {
        {{joint_.a, &joint_.X_AF}, {joint_.b, &joint_.X_BM}}};
    for (std::size_t k = 0; k < 2; ++k) {
      const auto& [body, frame] = ends[k];
      if (body != model::kGroundId) print_.target(fmt::format("physics:body{}", k), draft_.bodies[body.index()]);
      print_.attribute("point3f", fmt::format("physics:localPos{}", k), usd_tuple(frame->position));
      // The joint's own z axis in our frame becomes the direction that USD names.
      print_.attribute("quatf", fmt::format("physics:localRot{}", k),
                       usd_tuple(frame->rotation * form_.turn.conjugate()));
    }
  }

  void write_limit(const std::string& token, double low, double high) {
    print_.number(fmt::format("limit:{}:physics:low", token), low);
    print_.number(fmt::format("limit:{}:physics:high", token), high);
  }

  void write_limits(std::size_t k) {
    // A side without a limit is infinite in USD, and a large number with us.
    const auto bound = [&](double value) {
      return std::abs(value) < model::kNoLimit ? value * degrees(k) : std::copysign(kInfinity, value);
    };
    const double low = bound(spec_.limits[k][0]);
    const double high = bound(spec_.limits[k][1]);
    if (!locked_.empty() || form_.tokens.size() > 1) return write_limit(form_.tokens[k], low, high);
    print_.number("physics:lowerLimit", low);
    print_.number("physics:upperLimit", high);
  }

  void write_drive(std::size_t k, double load) {
    const auto number = [&](const char* name, double value) {
      if (value != 0) print_.number(fmt::format("drive:{}:physics:{}", form_.tokens[k], name), value);
    };
    const double damping = entry(spec_.damping, k);
    // USD counts gains per degree.
    number("stiffness", entry(spec_.stiffness, k) / degrees(k));
    number("damping", damping / degrees(k));
    number("targetPosition", entry(spec_.rest, k) * degrees(k));
    // Its force is damping (target rate - rate): at this rate the first part is the load.
    if (load != 0) number("targetVelocity", load / damping * degrees(k));
    // Ours bounds loads alone: a spring that is bounded would be another one.
    if (spec_.effort_limit && !has_gains()) {
      print_.number(fmt::format("drive:{}:physics:maxForce", form_.tokens[k]), *spec_.effort_limit);
    }
  }

  void write_own() {
    const auto list = [&](const char* name, const std::vector<double>& values) {
      if (!any(values)) return;
      std::vector<std::string> texts;
      for (const double value : values) texts.push_back(usd_number(value));
      print_.own("double[]", name, fmt::format("[{}]", fmt::join(texts, ", ")));
    };
    if (has_armature()) print_.number("physxJoint:armature", spec_.armature[0]);
    if (!has_armature()) list("espalier:armature", spec_.armature);
    // What USD has no word for comes back to us by attributes of our own; others skip these.
    list("espalier:friction", spec_.friction);
    list("espalier:velocity", spec_.velocity);
    if (joint_.type == JointType::kScrew) {
      print_.own("double", "espalier:pitch", usd_number(joint_.pitch));
      draft_.remarks.add("screws: other USD readers take a joint that slides and turns freely",
                         fmt::format("joint {}", in_quotes(joint_.name)));
    }
    if (spec_.effort_limit && (has_gains() || !has_drive())) {
      print_.own("double", "espalier:effort_limit", usd_number(*spec_.effort_limit));
    }
    if (spec_.velocity_limit) print_.own("double", "espalier:velocity_limit", usd_number(*spec_.velocity_limit));
    if (spec_.actuated != has_drive()) print_.own("bool", "espalier:actuated", spec_.actuated ? "true" : "false");
    if (spec_.reaction_wanted) print_.own("bool", "espalier:reaction_wanted", "true");
  }

  UsdDraft& draft_;
  UsdPrint& print_;
  const Joint& joint_;
  const JointSpec& spec_;
  UsdJointForm form_;
  std::vector<std::string> locked_;
};

// The number of a load that changes neither with time nor with the motion.
std::optional<double> constant(const model::Load& load) {
  if (!load.joint.valid() || load.value.size() != 1 || !model::is_constant(load.value[0])) return std::nullopt;
  const double value = model::evaluate(load.value[0], 0);
  return value != 0 && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// A constant load on a coordinate with a damper is a drive with a target velocity. By joint; 0: there is none.
std::vector<double> drive_loads(const model::Model& model, std::vector<bool>& said) {
  std::vector<int> loads(model.joints.size());
  for (const model::Force& force : model.forces) {
    const auto* load = std::get_if<model::Load>(&force.law);
    if (load != nullptr && load->joint.valid()) ++loads[load->joint.index()];
  }
  std::vector<double> values(model.joints.size());
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    const auto* load = std::get_if<model::Load>(&model.forces[f].law);
    const std::optional<double> value = load == nullptr ? std::nullopt : constant(*load);
    // Of two loads on one joint neither would be the drive's.
    if (!value || loads[load->joint.index()] != 1) continue;
    const Joint& joint = model.joint(load->joint);
    const bool damped = model::joint_kind(joint.type).freedom == 1 && any(joint.spec.damping);
    // A load beyond its limit would not be this one.
    if (!damped || joint.spec.effort_limit) continue;
    values[load->joint.index()] = *value;
    said[f] = true;
  }
  return values;
}

bool is_rope(const model::Spring& spring) {
  return spring.limits && spring.stiffness == 0 && spring.damping == 0 && spring.tension == 0;
}

void write_rope(UsdDraft& draft, const model::Force& force, const model::Spring& rope, const std::string& name) {
  UsdPrint& print = draft.print;
  print.open("PhysicsDistanceJoint", name);
  print.own_name(force.name, name);
  if (rope.a != model::kGroundId) print.target("physics:body0", draft.bodies[rope.a.index()]);
  print.attribute("point3f", "physics:localPos0", usd_tuple(rope.point_a));
  if (rope.b != model::kGroundId) print.target("physics:body1", draft.bodies[rope.b.index()]);
  print.attribute("point3f", "physics:localPos1", usd_tuple(rope.point_b));
  const auto [low, high] = *rope.limits;
  // Negative is USD's word for no limit.
  print.number("physics:minDistance", low > 0 ? low : -1);
  print.number("physics:maxDistance", high < model::kNoLimit ? high : -1);
  print.close();
}

}  // namespace

void write_usd_joints(UsdDraft& draft, const std::vector<bool>& cut) {
  const model::Model& model = draft.model;
  std::vector<bool> said(model.forces.size());
  const std::vector<double> loads = drive_loads(model, said);
  UniqueNames names;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    JointWriter(draft, joint).write(usd_prim_name(joint.name, names), cut[j], loads[j]);
  }
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    const model::Force& force = model.forces[f];
    const auto* spring = std::get_if<model::Spring>(&force.law);
    if (spring != nullptr && is_rope(*spring)) {
      write_rope(draft, force, *spring, usd_prim_name(force.name.empty() ? "rope" : force.name, names));
    } else if (!said[f]) {
      draft.remarks.add("USD has no springs between points, loads over time and motions: they are lost",
                        force.name.empty() ? fmt::format("force {}", f + 1) : in_quotes(force.name));
    }
  }
}

}  // namespace espalier::formats::detail
