// <actuator>: what acts on joints, with a control of 0 or of a keyframe.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/mjcf_state.hpp"

namespace espalier::formats::detail {
namespace {

using model::Effect;
using model::JointSpec;
using Range = std::array<double, 2>;

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

double clamped(double value, const std::optional<Range>& range) {
  return range ? std::clamp(value, (*range)[0], std::max((*range)[0], (*range)[1])) : value;
}

// The law at this control as a formula of the joint, whose qpos is its coordinate + shift.
std::string formula_of(const MjcfActuatorLaw& law, double control, const std::string& joint) {
  const double g = law.gear;
  std::string sum;
  const auto add = [&](double factor, const std::string& of) {
    if (factor == 0) return;
    if (!sum.empty()) sum += factor < 0 ? " - " : " + ";
    sum += number_text(sum.empty() ? factor : std::abs(factor)) + of;
  };
  add(g * (law.gain * control + law.bias[0] + law.bias[1] * g * law.shift), "");
  add(g * g * law.bias[1], "*" + model::input_text({joint, 0, false, 0}));
  add(g * g * law.bias[2], "*" + model::input_text({joint, 0, true, 0}));
  if (sum.empty()) sum = "0";
  if (!law.range) return sum;
  const auto [low, high] = std::minmax({g * (*law.range)[0], g * (*law.range)[1]});
  return fmt::format("max({}, min({}, {}))", number_text(low), number_text(high), sum);
}

// False where the formula cannot be read: a joint may have any name.
bool add_actuator_load(MjcfState& state, MjcfActuator& actuator, const std::string& formula) {
  Result<model::Expression> value = model::parse_expression(formula);
  if (!value) return false;
  const JointSpec& joint = state.spec.joints[actuator.joint];
  model::LoadSpec load;
  load.torque = joint.type == model::JointType::kRevolute;
  load.joint = joint.name;
  load.value = {*std::move(value)};
  actuator.force = static_cast<int>(state.spec.forces.size());
  const std::string name = state.doc.xml.text(actuator.element, "name");
  state.spec.forces.push_back(
      {name.empty() ? name : state.force_names.make(name), load, state.doc.xml.where(actuator.element)});
  return true;
}

class ActuatorReader {
 public:
  explicit ActuatorReader(MjcfState& state) : state_(state), doc_(state.doc) {}

  void read(const XMLElement* element) {
    // Read or not, it has its place in `ctrl`.
    state_.actuators.push_back({element, 0, std::nullopt, -1});
    const MjcfSource source = doc_.source(element, nullptr);
    // A transmission is one attribute; which of them is there says what is driven.
    std::string name = doc_.text(source, "joint");
    // jointinparent differs from joint only in how it turns the gear of a ball, which is not read.
    if (name.empty()) name = doc_.text(source, "jointinparent");
    if (name.empty()) return note_transmission(element);
    // A joint that was merged into one of ours is found by each of its names.
    const auto found = state_.joint_of.find(name);
    if (found == state_.joint_of.end()) {
      std::vector<std::string> names;
      for (const auto& [known, joint] : state_.joint_of) names.push_back(known);
      doc_.xml.fail(ErrorCode::kName, element,
                    fmt::format("<{}> drives an unknown joint {}{}", element->Name(), in_quotes(name),
                                did_you_mean(name, names)));
      return;
    }
    JointSpec& joint = state_.spec.joints[found->second];
    joint.actuated = true;
    MjcfActuator& actuator = state_.actuators.back();
    actuator.joint = found->second;
    const bool motor = std::string_view(element->Name()) == "motor";
    actuator.law = read_law(source, joint, found->second);
    // A motor without control does nothing: what it can do is an effort limit.
    if (!doc_.xml.failed() && !(actuator.law ? add_servo(actuator, joint.name) : motor)) note_law(element);
    read_effort(source, motor, joint);
  }

 private:
  // Nothing for laws of another shape, and for joints of several coordinates.
  std::optional<MjcfActuatorLaw> read_law(const MjcfSource& source, const JointSpec& joint, std::size_t place) {
    const bool single = joint.type == model::JointType::kRevolute || joint.type == model::JointType::kPrismatic;
    const auto gather = std::find_if(state_.gathers.begin(), state_.gathers.end(),
                                     [&](const MjcfGather& candidate) { return candidate.joint == place; });
    if (!single || gather == state_.gathers.end()) return std::nullopt;
    std::optional<MjcfActuatorLaw> law = read_gains(source);
    if (!law) return law;
    law->gear = doc_.numbers(source, "gear", 1, 6).value_or(std::vector<double>{1})[0];
    // qpos may count whole turns that our coordinate does not.
    law->shift = gather->shift[0];
    law->control_range = range_of(source, "ctrlrange", "ctrllimited");
    law->range = range_of(source, "forcerange", "forcelimited");
    return law;
  }

  // Of a motor, a position or velocity servo, or a general actuator of their shape.
  std::optional<MjcfActuatorLaw> read_gains(const MjcfSource& source) {
    const std::string_view kind = source.element->Name();
    MjcfActuatorLaw law;
    if (kind == "motor") return law;
    if (kind == "position") {
      // A lag of the control, and a damping by the mass that the joint moves.
      if (doc_.number(source, "timeconst", 0) != 0 || doc_.number(source, "dampratio", 0) != 0) return std::nullopt;
      law.gain = doc_.number(source, "kp", 1);
      law.bias = {0, -law.gain, -doc_.number(source, "kv", 0)};
      return law;
    }
    if (kind == "velocity") {
      law.gain = doc_.number(source, "kv", 1);
      law.bias = {0, 0, -law.gain};
      return law;
    }
    const std::string bias = doc_.text(source, "biastype", "none");
    if (kind != "general" || doc_.text(source, "dyntype", "none") != "none" ||
        doc_.text(source, "gaintype", "fixed") != "fixed" || (bias != "affine" && bias != "none"))
      return std::nullopt;
    law.gain = doc_.numbers(source, "gainprm", 1, 10).value_or(std::vector<double>{1})[0];
    const std::vector<double> numbers = doc_.numbers(source, "biasprm", 1, 10).value_or(std::vector<double>());
    if (bias == "affine") std::copy_n(numbers.begin(), std::min<std::size_t>(numbers.size(), 3), law.bias.begin());
    return law;
  }

  std::optional<Range> range_of(const MjcfSource& source, const char* range, const char* limited) {
    const std::optional<bool> in_force = doc_.flag(source, limited, std::nullopt, true);
    const std::optional<std::vector<double>> both = doc_.numbers(source, range, 2, 2);
    if (!both || !in_force.value_or(doc_.compiler.autolimits)) return std::nullopt;
    return Range{(*both)[0], (*both)[1]};
  }

  // The law as a load on the joint's coordinate. Nobody controls it here: its control is 0, or the number of its range
  // that is nearest.
  bool add_servo(MjcfActuator& actuator, const std::string& joint) {
    const std::string formula = formula_of(*actuator.law, clamped(0, actuator.law->control_range), joint);
    // Without control and bias it does nothing.
    if (formula == "0" || formula.ends_with(", 0))")) return true;
    if (!add_actuator_load(state_, actuator, formula)) return false;
    if (!servos_.insert(actuator.element->Name()).second) return true;
    doc_.xml.note(actuator.element,
                  fmt::format("<{}> actuators are read as drives whose control is 0, or the number of their ctrlrange "
                              "nearest to it",
                              actuator.element->Name()));
    return true;
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

}  // namespace

void read_actuators(MjcfState& state) {
  for (const model::ForceSpec& force : state.spec.forces) state.force_names.reserve(force.name);
  ActuatorReader reader(state);
  for (const XMLElement* section : state.doc.sections("actuator")) {
    for (const XMLElement* element : state.doc.children(section)) {
      if (!state.doc.xml.failed()) reader.read(element);
    }
  }
}

namespace {

// The name by which a keyframe finds the load of an actuator.
const std::string& name_of_load(MjcfState& state, const MjcfActuator& actuator) {
  std::string& name = state.spec.forces[to_index(actuator.force)].name;
  if (name.empty()) name = state.force_names.make(state.spec.joints[actuator.joint].name + "_actuator");
  return name;
}

// What one actuator does at the control of a keyframe.
void read_control(MjcfState& state, const XMLElement* element, MjcfActuator& actuator, double control,
                  model::KeyframeSpec& keyframe) {
  MjcfDocument& doc = state.doc;
  if (!actuator.law) {
    if (control == 0) return;
    return doc.xml.note(
        element,
        fmt::format("keyframe {} controls <{}> {}, whose control law is not read", in_quotes(keyframe.name),
                    actuator.element->Name(), in_quotes(doc.xml.text(actuator.element, "name"))),
        "ctrl", Effect::kNone);
  }
  const MjcfActuatorLaw& law = *actuator.law;
  const std::string& joint = state.spec.joints[actuator.joint].name;
  const double given = clamped(control, law.control_range), without = clamped(0, law.control_range);
  if (given == without) return;
  // A motor that nobody controls has no load yet.
  if (actuator.force < 0 && !add_actuator_load(state, actuator, formula_of(law, without, joint))) return;
  const Result<model::Expression> value = model::parse_expression(formula_of(law, given, joint));
  if (value) keyframe.loads.push_back({name_of_load(state, actuator), {*value}});
}

}  // namespace

void read_controls(MjcfState& state, const XMLElement* element, model::KeyframeSpec& keyframe) {
  const std::optional<std::vector<double>> ctrl = state.doc.xml.optional_numbers(element, "ctrl");
  if (!ctrl || state.doc.xml.failed()) return;
  if (ctrl->size() != state.actuators.size()) {
    // Newer actuators than those that are read may take several controls.
    return state.doc.xml.note(
        element,
        fmt::format("ctrl of keyframe {} has {}, and there are {}: not read", in_quotes(keyframe.name),
                    counted(ctrl->size(), "number"), counted(state.actuators.size(), "actuator")),
        "ctrl", Effect::kNone);
  }
  for (std::size_t k = 0; k < ctrl->size(); ++k) read_control(state, element, state.actuators[k], (*ctrl)[k], keyframe);
}

}  // namespace espalier::formats::detail
