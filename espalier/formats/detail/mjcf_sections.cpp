// <actuator>, <contact> and <keyframe>: short sections that only point at bodies and joints read before.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/mjcf_state.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using model::Effect;
using model::JointSpec;

std::vector<std::string> known_names(const auto& map) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : map) names.push_back(name);
  return names;
}

// The larger side of a range that is in force.
std::optional<double> largest(MjcfDocument& doc, const MjcfSource& source, const char* range, const char* limited) {
  const std::optional<bool> in_force = doc.flag(source, limited, std::nullopt, true);
  const std::optional<std::vector<double>> both = doc.numbers(source, range, 2, 2);
  // Without `limited` the file's autolimits decide whether a range is in force.
  if (!both || !in_force.value_or(doc.compiler.autolimits)) return std::nullopt;
  if ((*both)[0] != -(*both)[1]) {
    doc.xml.note(source.element, fmt::format("{} of <{}> is not symmetric: its larger side is kept for both", range,
                                             source.element->Name()));
  }
  return std::max(std::abs((*both)[0]), std::abs((*both)[1]));
}

// The force of an actuator on `length`, the gear times qpos, and on the rate of it:
//   gain control + bias_0 + bias_1 length + bias_2 rate, held to `range`
struct ActuatorLaw {
  double gain = 1, gear = 1;
  std::array<double, 3> bias{};
  double control = 0;
  std::optional<std::array<double, 2>> range;
};

class ActuatorReader {
 public:
  explicit ActuatorReader(MjcfState& state) : state_(state), doc_(state.doc) {}

  void read(const XMLElement* element) {
    const MjcfSource source = doc_.source(element, nullptr);
    // A transmission is one attribute; which of them is there says what is driven.
    std::string name = doc_.text(source, "joint");
    // jointinparent differs from joint only in how it turns the gear of a ball, which is not read.
    if (name.empty()) name = doc_.text(source, "jointinparent");
    if (name.empty()) return note_transmission(element);
    // A joint that was merged into one of ours is found by each of its names.
    const auto found = state_.joint_of.find(name);
    if (found == state_.joint_of.end()) {
      doc_.xml.fail(ErrorCode::kName, element,
                    fmt::format("<{}> drives an unknown joint {}{}", element->Name(), in_quotes(name),
                                did_you_mean(name, known_names(state_.joint_of))));
      return;
    }
    JointSpec& joint = state_.spec.joints[found->second];
    joint.actuated = true;
    const bool motor = std::string_view(element->Name()) == "motor";
    // A motor without control does nothing: what it can do is an effort limit.
    if (!motor && !add_servo(source, name, joint)) note_law(element);
    read_effort(source, motor, joint);
  }

 private:
  // The law of a position or velocity servo, or of a general actuator of their shape; nothing for other shapes.
  std::optional<ActuatorLaw> read_law(const MjcfSource& source) {
    const std::string_view kind = source.element->Name();
    ActuatorLaw law;
    if (kind == "position") {
      // A lag of the control, and a damping by the mass that the joint moves.
      if (doc_.number(source, "timeconst", 0) != 0 || doc_.number(source, "dampratio", 0) != 0) return std::nullopt;
      law.gain = doc_.number(source, "kp", 1);
      law.bias = {0, -law.gain, -doc_.number(source, "kv", 0)};
    } else if (kind == "velocity") {
      law.gain = doc_.number(source, "kv", 1);
      law.bias = {0, 0, -law.gain};
    } else if (kind == "general") {
      if (doc_.text(source, "dyntype", "none") != "none" || doc_.text(source, "gaintype", "fixed") != "fixed" ||
          doc_.text(source, "biastype", "none") != "affine")
        return std::nullopt;
      law.gain = doc_.numbers(source, "gainprm", 1, 10).value_or(std::vector<double>{1})[0];
      const std::vector<double> bias = doc_.numbers(source, "biasprm", 1, 10).value_or(std::vector<double>());
      std::copy_n(bias.begin(), std::min<std::size_t>(bias.size(), 3), law.bias.begin());
    } else {
      return std::nullopt;
    }
    law.gear = doc_.numbers(source, "gear", 1, 6).value_or(std::vector<double>{1})[0];
    // Nobody controls it here: its control is 0, or the number of its range that is nearest.
    if (const auto range = range_of(source, "ctrlrange", "ctrllimited")) {
      law.control = std::clamp(0.0, (*range)[0], std::max((*range)[0], (*range)[1]));
    }
    law.range = range_of(source, "forcerange", "forcelimited");
    return law;
  }

  std::optional<std::array<double, 2>> range_of(const MjcfSource& source, const char* range, const char* limited) {
    const std::optional<bool> in_force = doc_.flag(source, limited, std::nullopt, true);
    const std::optional<std::vector<double>> both = doc_.numbers(source, range, 2, 2);
    if (!both || !in_force.value_or(doc_.compiler.autolimits)) return std::nullopt;
    return std::array<double, 2>{(*both)[0], (*both)[1]};
  }

  // The law as a load on the joint's coordinate; false where it has another shape, or the joint more coordinates.
  bool add_servo(const MjcfSource& source, const std::string& name, JointSpec& joint) {
    const bool single = joint.type == model::JointType::kRevolute || joint.type == model::JointType::kPrismatic;
    const auto gather = std::find_if(state_.gathers.begin(), state_.gathers.end(), [&](const MjcfGather& candidate) {
      return candidate.joint == state_.joint_of.at(name);
    });
    if (!single || gather == state_.gathers.end()) return false;
    const std::optional<ActuatorLaw> law = read_law(source);
    if (!law || doc_.xml.failed()) return false;
    // qpos may count whole turns that our coordinate does not.
    const double constant = law->gain * law->control + law->bias[0] + law->bias[1] * law->gear * gather->shift[0];
    // Without control and bias it does nothing.
    if (constant == 0 && law->bias[1] == 0 && law->bias[2] == 0) return false;
    Result<model::Expression> value = model::parse_expression(formula_of(*law, constant, joint.name));
    if (!value) return false;
    model::LoadSpec load;
    load.torque = joint.type == model::JointType::kRevolute;
    load.joint = joint.name;
    load.value = {*std::move(value)};
    state_.spec.forces.push_back({doc_.xml.text(source.element, "name"), load, doc_.xml.where(source.element)});
    if (servos_.insert(source.element->Name()).second) {
      doc_.xml.note(source.element,
                    fmt::format("<{}> actuators are read as drives whose control is 0, or the number of their "
                                "ctrlrange nearest to it",
                                source.element->Name()));
    }
    return true;
  }

  static std::string formula_of(const ActuatorLaw& law, double constant, const std::string& joint) {
    const double g = law.gear;
    std::string sum;
    const auto add = [&](double factor, const std::string& of) {
      if (factor == 0) return;
      if (!sum.empty()) sum += factor < 0 ? " - " : " + ";
      sum += number_text(sum.empty() ? factor : std::abs(factor)) + of;
    };
    add(g * constant, "");
    add(g * g * law.bias[1], "*" + model::input_text({joint, 0, false, 0}));
    add(g * g * law.bias[2], "*" + model::input_text({joint, 0, true, 0}));
    if (sum.empty()) sum = "0";
    if (!law.range) return sum;
    const auto [low, high] = std::minmax({g * (*law.range)[0], g * (*law.range)[1]});
    return fmt::format("max({}, min({}, {}))", number_text(low), number_text(high), sum);
  }

  void note_transmission(const XMLElement* element) {
    for (const char* other : {"tendon", "site", "cranksite", "body"}) {
      if (element->Attribute(other) == nullptr) continue;
      doc_.xml.note(
          element,
          fmt::format("<{}> {} drives the {} {}, not a joint: not read", element->Name(),
                      in_quotes(doc_.xml.text(element, "name")), other, in_quotes(doc_.xml.text(element, other))),
          "actuator", acts_alone(element) ? Effect::kForces : Effect::kNone);
      return;
    }
    doc_.xml.not_read(element);
  }

  void note_law(const XMLElement* element) {
    // Once for each kind and effect: robots have dozens of equal actuators.
    const bool acts = acts_alone(element);
    if (!noted_.insert(std::pair(std::string(element->Name()), acts)).second) return;
    doc_.xml.note(element,
                  fmt::format("<{}> actuators: which joints they drive is read, their control law is not{}",
                              element->Name(), acts ? ", and it acts without a control too" : ""),
                  "actuator", acts ? Effect::kForces : Effect::kNone);
  }

  // A servo pulls back to zero, a damper of velocity brakes and a muscle pulls where nobody controls them; a motor, or
  // a general actuator without a bias, does nothing then.
  bool acts_alone(const XMLElement* element) {
    const std::string_view kind = element->Name();
    if (kind == "position" || kind == "velocity" || kind == "intvelocity" || kind == "muscle") return true;
    if (kind != "general" && kind != "cylinder") return false;
    const MjcfSource source = doc_.source(element, nullptr);
    if (kind == "general" && doc_.text(source, "biastype", "none") == "none") return false;
    const char* bias = kind == "general" ? "biasprm" : "bias";
    const std::vector<double> values = doc_.numbers(source, bias, 1, 10).value_or(std::vector<double>());
    const bool zero = std::all_of(values.begin(), values.end(), [](double value) { return value == 0; });
    return !zero || doc_.text(source, "biastype", "none") == "muscle";
  }

  // A motor passes its control on as force; other laws have a largest force only where forcerange says so.
  void read_effort(const MjcfSource& source, bool motor, JointSpec& joint) {
    std::optional<double> force = largest(doc_, source, "forcerange", "forcelimited");
    if (!force && motor) force = largest(doc_, source, "ctrlrange", "ctrllimited");
    // The first number of `gear` scales a hinge or slide; the other five belong to other transmissions.
    const double gear = doc_.numbers(source, "gear", 1, 6).value_or(std::vector<double>{1})[0];
    if (!force || gear == 0 || doc_.xml.failed()) return;
    // Several actuators may share a joint; each could reach its own largest force.
    joint.effort_limit = std::max(joint.effort_limit.value_or(0), *force * std::abs(gear));
  }

  MjcfState& state_;
  MjcfDocument& doc_;
  std::set<std::pair<std::string, bool>> noted_;
  std::set<std::string> servos_;  // kinds that were told
};

// Puts `qpos` into the positions of our joints; quaternions get unit length.
class KeyframeReader {
 public:
  KeyframeReader(MjcfState& state, const XMLElement* element) : state_(state), doc_(state.doc), element_(element) {}

  std::vector<std::pair<std::string, std::vector<double>>> positions(const std::vector<double>& qpos) {
    std::vector<std::pair<std::string, std::vector<double>>> all;
    for (const MjcfGather& gather : state_.gathers) {
      const JointSpec& joint = state_.spec.joints[gather.joint];
      std::vector<double> position;
      for (std::size_t k = 0; k < gather.address.size(); ++k) {
        // qpos reads whole turns that our coordinate does not count; see add_coordinates() in mjcf_joint.cpp.
        position.push_back(qpos[to_index(gather.address[k])] - gather.shift[k]);
      }
      const model::JointKind& kind = model::joint_kind(joint.type);
      if (kind.position_size != kind.freedom) set_quaternion(position, gather, joint.name);
      all.emplace_back(joint.name, std::move(position));
    }
    return all;
  }

 private:
  void set_quaternion(std::vector<double>& position, const MjcfGather& gather, const std::string& joint) {
    // The quaternion stands last in the positions of a ball and of a free joint.
    double* n = position.data() + position.size() - 4;
    Eigen::Quaterniond q(n[0], n[1], n[2], n[3]);
    // As MuJoCo has it: shorter than this is no rotation.
    if (q.norm() < 1e-15) q = Eigen::Quaterniond::Identity();
    if (!std::isfinite(q.squaredNorm())) {
      doc_.xml.fail(
          ErrorCode::kValue, element_,
          fmt::format("the quaternion of joint {} in qpos has no finite length; 1 0 0 0 is no turn", in_quotes(joint)));
      return;
    }
    Eigen::Quaterniond unit = math::normalised(q);
    // A ball matched from three slides and a ball has axes of its own; qpos counts in those of the body.
    if (!gather.ball_axes.vec().isZero(0)) unit = gather.ball_axes.conjugate() * unit * gather.ball_axes;
    n[0] = unit.w();
    n[1] = unit.x();
    n[2] = unit.y();
    n[3] = unit.z();
    // A joint read from the other side holds the inverse motion, which mixes all its numbers.
    const model::JointType type = position.size() == 4 ? model::JointType::kSpherical : model::JointType::kFree;
    if (gather.inverse) position = model::joint_position(type, 0, model::joint_pose(type, 0, position).inverse());
  }

  MjcfState& state_;
  MjcfDocument& doc_;
  const XMLElement* element_;
};

std::string excluded_body(MjcfState& state, const XMLElement* element, const char* attribute) {
  const std::string name = state.doc.xml.required_text(element, attribute);
  const auto found = state.bodies.find(name);
  if (found != state.bodies.end()) return found->second.name;
  state.doc.xml.fail(ErrorCode::kName, element,
                     fmt::format("<exclude> names an unknown body {}{}", in_quotes(name),
                                 did_you_mean(name, known_names(state.bodies))));
  return "";
}

}  // namespace

void read_actuators(MjcfState& state) {
  ActuatorReader reader(state);
  for (const XMLElement* section : state.doc.sections("actuator")) {
    for (const XMLElement* element : state.doc.children(section)) {
      if (!state.doc.xml.failed()) reader.read(element);
    }
  }
}

void read_contact(MjcfState& state) {
  MjcfDocument& doc = state.doc;
  for (const XMLElement* section : doc.sections("contact")) {
    for (const XMLElement* element : doc.children(section)) {
      if (doc.xml.failed()) return;
      if (std::string_view(element->Name()) != "exclude") {
        doc.xml.not_read(element);
        continue;
      }
      if (!state.spec.contact) {
        // A robot file lists what must not touch, but does not ask for contact.
        state.spec.contact.emplace();
        state.spec.contact->on = false;
        state.spec.contact->where = doc.xml.where(element);
      }
      const std::string first = excluded_body(state, element, "body1");
      const std::string second = excluded_body(state, element, "body2");
      state.spec.contact->exclude.emplace_back(first, second);
    }
  }
}

void read_keyframes(MjcfState& state) {
  MjcfDocument& doc = state.doc;
  int count = 0;
  for (const XMLElement* section : doc.sections("keyframe")) {
    for (const XMLElement* element : doc.children(section, "key")) {
      if (doc.xml.failed()) return;
      model::KeyframeSpec keyframe;
      // Keyframes need no name in MJCF; ours are asked for by name.
      keyframe.name = doc.xml.text(element, "name", fmt::format("key_{}", ++count));
      keyframe.where = doc.xml.where(element);
      // Velocities, activations and controls of a key are not read, and are counted.
      doc.only_attributes(element, {"name", "time", "qpos"});
      if (const auto qpos = doc.xml.optional_numbers(element, "qpos")) {
        // Only now is the size of qpos known: all joints of the file have been read.
        if (!doc.xml.failed() && qpos->size() != to_index(state.qpos_size)) {
          doc.xml.fail(ErrorCode::kType, element,
                       fmt::format("qpos of keyframe {} has {}; the joints of this file take {}",
                                   in_quotes(keyframe.name), counted(qpos->size(), "number"), state.qpos_size));
        }
        if (doc.xml.failed()) return;
        keyframe.positions = KeyframeReader(state, element).positions(*qpos);
      }
      state.spec.keyframes.push_back(std::move(keyframe));
    }
  }
}

}  // namespace espalier::formats::detail
