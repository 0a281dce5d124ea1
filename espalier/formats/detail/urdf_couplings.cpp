#include <algorithm>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/urdf.hpp"
#include "espalier/formats/detail/urdf_zero.hpp"

namespace espalier::formats::detail {
namespace {

using model::CouplingSpec;

// Couplings over long chains repeat the chain: some kilobytes of text could ask for gigabytes.
constexpr std::size_t kMostCoupled = 1'000'000;

// Shifting a polynomial takes the square of its length.
constexpr std::size_t kLongestPolynomial = 64;

// The position of a joint at the file's zero.
double zero_of(const UrdfRobot& robot, const std::string& joint) {
  const auto entry = robot.joint_index.find(joint);
  if (entry == robot.joint_index.end()) return 0;
  const std::vector<double>& zero = robot.joints[entry->second].zero;
  return zero.size() == 1 ? zero[0] : 0;
}

// The file counts from its own zero; the model's coordinates may not.
void count_from_joint_zero(const UrdfRobot& robot, CouplingSpec& coupling) {
  for (std::size_t k = 0; k < coupling.ratio.size(); ++k) {
    // sum r (q - z) = c is sum r q = c + sum r z.
    coupling.offset += coupling.ratio[k] * zero_of(robot, coupling.joints[k]);
  }
  // The other joint's zero shifts the argument, this joint's the value.
  if (coupling.polynomial.empty() || coupling.joints.empty()) return;
  const double by = coupling.joints.size() > 1 ? -zero_of(robot, coupling.joints[1]) : 0;
  if (by != 0) coupling.polynomial = shifted_polynomial(std::move(coupling.polynomial), by);
  coupling.polynomial[0] += zero_of(robot, coupling.joints[0]);
}

// q = multiplier q_other + offset.
void read_mimic(UrdfRobot& robot, const UrdfJoint& joint) {
  const XMLElement* mimic = joint.element->FirstChildElement("mimic");
  if (mimic == nullptr) return;
  XmlReader& xml = robot.xml;
  const std::string other = xml.required_text(mimic, "joint");
  if (xml.failed()) return;
  // Asked for by its name now, so that the message points at the <mimic>.
  robot.find_joint(mimic, other, fmt::format("<mimic> of joint {}", in_quotes(joint.spec.name)));
  CouplingSpec coupling;
  coupling.name = xml.text(mimic, "name");
  coupling.joints = {joint.spec.name, other};
  // With the other joint on the left side: q - m q_other = offset.
  coupling.ratio = {1, -xml.number(mimic, "multiplier", 1)};
  coupling.offset = xml.number(mimic, "offset", 0);
  coupling.where = xml.where(mimic);
  count_from_joint_zero(robot, coupling);
  robot.couplings.push_back(std::move(coupling));
  robot.remark(mimic, fmt::format("joint {}", in_quotes(joint.spec.name)), "<mimic>: read as a coupling of two joints");
}

// The moving joints from `ancestor` down to `link`, each with this ratio.
void append_path(const UrdfRobot& robot, int ancestor, int link, double ratio, CouplingSpec& coupling) {
  const std::size_t begin = coupling.joints.size();
  // Fixed joints on the way have no coordinate and do not count.
  for (; link != ancestor; link = robot.joints[robot.links[link].placed_by].parent) {
    const model::JointSpec& joint = robot.joints[robot.links[link].placed_by].spec;
    if (joint.type != model::JointType::kFixed) coupling.joints.push_back(joint.name);
  }
  // The walk goes up; the joints are wanted from the ancestor down.
  std::reverse(coupling.joints.begin() + static_cast<std::ptrdiff_t>(begin), coupling.joints.end());
  coupling.ratio.resize(coupling.joints.size(), ratio);
}

// The lowest link above both, or -1 where they hang on different roots.
int common_ancestor(const UrdfRobot& robot, int a, int b) {
  const auto up = [&](int link) {
    const int j = robot.links[link].placed_by;
    return j < 0 ? -1 : robot.joints[j].parent;
  };
  while (a != b) {
    // The deeper of the two goes up first, so that both arrive at the meeting link at the same time.
    int& deeper = robot.links[a].depth >= robot.links[b].depth ? a : b;
    deeper = up(deeper);
    if (deeper < 0) return -1;
  }
  return a;
}

// URDF+: ratio times the angle of the predecessor, counted from the lowest common link, is that of the successor.
void read_path_coupling(UrdfRobot& robot, const XMLElement* element, CouplingSpec& coupling) {
  XmlReader& xml = robot.xml;
  int ends[2] = {-1, -1};
  const char* names[2] = {"predecessor", "successor"};
  for (int k = 0; k < 2; ++k) {
    const XMLElement* end = element->FirstChildElement(names[k]);
    if (end == nullptr) {
      xml.fail(ErrorCode::kName, element,
               fmt::format("<coupling> {} needs <{} link=\"...\"/>", in_quotes(coupling.name), names[k]));
      return;
    }
    const std::string link = xml.required_text(end, "link");
    if (xml.failed()) return;
    ends[k] = robot.find_link(end, link, fmt::format("<coupling> {}", in_quotes(coupling.name)));
    if (ends[k] < 0) return;
  }
  const XMLElement* ratio = element->FirstChildElement("ratio");
  // Left out, both turn alike.
  const double value = ratio == nullptr ? 1 : xml.required_number(ratio, "value");
  const int ancestor = common_ancestor(robot, ends[0], ends[1]);
  if (ancestor < 0) {
    xml.fail(ErrorCode::kTopology, element,
             fmt::format("<coupling> {} couples two links that no chain of joints connects", in_quotes(coupling.name)));
    return;
  }
  append_path(robot, ancestor, ends[0], value, coupling);
  // The successor's side with -1: ratio * (sum of one side) - (sum of the other) = 0.
  append_path(robot, ancestor, ends[1], -1, coupling);
  if (coupling.joints.empty()) {
    xml.fail(
        ErrorCode::kTopology, element,
        fmt::format("<coupling> {} couples two links with no moving joint between them", in_quotes(coupling.name)));
  }
}

// Our own form, for what <mimic> cannot say: <coupling name offset polynomial><joint name ratio/>...</coupling>.
void read_listed_coupling(UrdfRobot& robot, const XMLElement* element, CouplingSpec& coupling) {
  XmlReader& xml = robot.xml;
  coupling.offset = xml.number(element, "offset", 0);
  coupling.polynomial = xml.optional_numbers(element, "polynomial").value_or(std::vector<double>());
  if (coupling.polynomial.size() > kLongestPolynomial) {
    xml.fail(ErrorCode::kLimit, element,
             fmt::format("<coupling> {} has a polynomial of {}; I read up to {}", in_quotes(coupling.name),
                         counted(coupling.polynomial.size(), "coefficient"), kLongestPolynomial));
  }
  for (const XMLElement* joint : children(element, "joint")) {
    const std::string name = xml.required_text(joint, "name");
    if (xml.failed()) return;
    robot.find_joint(joint, name, fmt::format("<coupling> {}", in_quotes(coupling.name)));
    coupling.joints.push_back(name);
    if (coupling.polynomial.empty()) coupling.ratio.push_back(xml.number(joint, "ratio", 1));
  }
}

void read_coupling(UrdfRobot& robot, const XMLElement* element) {
  CouplingSpec coupling;
  coupling.name = robot.xml.text(element, "name");
  coupling.where = robot.xml.where(element);
  // Each form has children that the other does not know.
  if (element->FirstChildElement("joint") != nullptr) {
    robot.xml.only_children(element, {"joint"});
    read_listed_coupling(robot, element, coupling);
  } else {
    robot.xml.only_children(element, {"predecessor", "successor", "ratio"});
    read_path_coupling(robot, element, coupling);
  }
  if (!robot.xml.failed()) count_from_joint_zero(robot, coupling);
  robot.couplings.push_back(std::move(coupling));
}

// Drake writes the drive's inertia here; seen at the joint it counts by the square of the gear ratio.
void read_armature(UrdfRobot& robot, const XMLElement* transmission, model::JointSpec& joint) {
  const XMLElement* actuator = transmission->FirstChildElement("actuator");
  // A rotor turns about one axis: only a joint of one coordinate has a place for it.
  if (actuator == nullptr || model::joint_kind(joint.type).freedom != 1) return;
  const auto value = [&](const char* name, double otherwise) {
    const XMLElement* element = actuator->FirstChildElement(name);
    return element == nullptr ? otherwise : robot.xml.required_number(element, "value");
  };
  const double gear = value("drake:gear_ratio", 1);
  const double rotor = value("drake:rotor_inertia", 0);
  // A rotor turns as often faster as the gear says, and is felt by the square of that.
  if (rotor != 0) joint.armature = {gear * gear * rotor};
}

// Text within the first of these elements that has some, without the name of a package: "a/B" is B.
std::string word_in(const XMLElement* parent, const char* name) {
  const XMLElement* element = parent == nullptr ? nullptr : parent->FirstChildElement(name);
  const char* text = element == nullptr ? nullptr : element->GetText();
  const std::vector<std::string_view> words = split_words(text == nullptr ? "" : text);
  if (words.empty()) return "";
  return std::string(words[0].substr(words[0].rfind('/') + 1));
}

// The type stands in an element, in older files in an attribute.
std::string transmission_type(const UrdfRobot& robot, const XMLElement* transmission) {
  const std::string type = word_in(transmission, "type");
  const std::string old = type.empty() ? robot.xml.text(transmission, "type") : type;
  return old.substr(old.rfind('/') + 1);
}

model::MotorInterface read_interface(UrdfRobot& robot, const XMLElement* transmission, const XMLElement* joint) {
  std::string word = word_in(joint, "hardwareInterface");
  if (word.empty()) word = word_in(transmission->FirstChildElement("actuator"), "hardwareInterface");
  const std::string example = fmt::format("joint {}", in_quotes(robot.xml.text(joint, "name")));
  const bool position = word == "PositionJointInterface", velocity = word == "VelocityJointInterface";
  if (!position && !velocity) {
    if (!word.empty() && word != "EffortJointInterface")
      robot.remark(joint, example, fmt::format("hardware interface {}: read as that of efforts", in_quotes(word)));
    return model::MotorInterface::kEffort;
  }
  robot.remark(joint, example,
               "a <transmission> to a position or velocity: URDF has no gains, so that nothing drives its joint; add a "
               "load, as in `torque: {joint: elbow, value: \"100*(0 - q(elbow)) - 5*v(elbow)\"}`");
  return position ? model::MotorInterface::kPosition : model::MotorInterface::kVelocity;
}

// The motor of one joint. Without a control it does nothing, as a motor of MJCF.
void read_simple_transmission(UrdfRobot& robot, const XMLElement* transmission, const XMLElement* element,
                              model::JointSpec& joint) {
  const std::string example = fmt::format("joint {}", in_quotes(joint.name));
  if (joint.transmission) {
    return robot.remark(transmission, example, "a second <transmission> of a joint: not read");
  }
  model::TransmissionSpec read;
  read.name = robot.xml.text(transmission, "name");
  // In the actuator; in older files beside it.
  for (const XMLElement* place : {transmission->FirstChildElement("actuator"), transmission, element}) {
    const std::string word = word_in(place, "mechanicalReduction");
    if (word.empty()) continue;
    const std::optional<double> number = parse_number(word);
    if (!number) {
      return robot.xml.fail(ErrorCode::kType, place,
                            fmt::format("<mechanicalReduction> must be a number, not {}", in_quotes(word)));
    }
    read.reduction = *number;
    break;
  }
  if (const std::optional<double> offset = parse_number(word_in(element, "offset")); offset.value_or(0) != 0)
    robot.remark(element, example, "<offset> of a <transmission>: not read");
  read.interface = read_interface(robot, transmission, element);
  // What our writer writes for any actuated joint says no more than that.
  const model::TransmissionSpec plain{joint.name + "_transmission", 1, model::MotorInterface::kEffort};
  if (read != plain) joint.transmission = std::move(read);
}

}  // namespace

void read_urdf_transmissions(UrdfRobot& robot) {
  for (const XMLElement* transmission : children(robot.element, "transmission")) {
    const std::vector<const XMLElement*> joints = children(transmission, "joint");
    const std::string type = transmission_type(robot, transmission);
    // A differential drives two joints by two motors together, for which a joint has no field.
    const bool simple = type.ends_with("SimpleTransmission") && joints.size() == 1;
    if (!simple && type.ends_with("Transmission")) {
      robot.remark(transmission, fmt::format("transmission {}", in_quotes(robot.xml.text(transmission, "name"))),
                   fmt::format("<transmission> of type {}: its joints are read as actuated, how its motors share them "
                               "is not",
                               type));
    }
    for (const XMLElement* element : joints) {
      const std::string name = robot.xml.text(element, "name");
      const auto entry = robot.joint_index.find(name);
      if (entry == robot.joint_index.end()) {
        // Transmissions name joints of other files as well; such a line moves nothing here.
        robot.remark(element, fmt::format("joint {}", in_quotes(name)),
                     "a <transmission> names an unknown joint: not read");
        continue;
      }
      model::JointSpec& joint = robot.joints[entry->second].spec;
      joint.actuated = true;
      if (simple) read_simple_transmission(robot, transmission, element, joint);
      read_armature(robot, transmission, joint);
    }
  }
}

void read_urdf_couplings(UrdfRobot& robot) {
  for (const UrdfJoint& joint : robot.joints) {
    const std::string_view name = joint.element->Name();
    if (name == "joint" || name == "drake:joint") read_mimic(robot, joint);
    if (robot.xml.failed()) return;
  }
  std::size_t coupled = 0;
  for (const XMLElement* element : children(robot.element, "coupling")) {
    read_coupling(robot, element);
    if (robot.xml.failed()) return;
    // Counted over all couplings: each alone may be short enough.
    coupled += robot.couplings.back().joints.size();
    if (coupled <= kMostCoupled) continue;
    robot.xml.fail(ErrorCode::kLimit, element,
                   fmt::format("the couplings name more than {} joints in all; couple shorter chains", kMostCoupled));
    return;
  }
}

}  // namespace espalier::formats::detail
