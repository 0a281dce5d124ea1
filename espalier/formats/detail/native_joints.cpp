#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/native_parts.hpp"

namespace espalier::formats::detail {
namespace {

using model::CoordinateKind;
using model::JointSpec;
using model::JointType;
using Kind = YamlNode::Kind;

JointType read_type(NativeContext& context, Fields& fields) {
  const YamlNode* node = fields.require("type");
  // A failure is on record; the fixed joint only lets the reading end without a second message.
  if (node == nullptr) return JointType::kFixed;
  // Looked up among the words of the model, so that a new type is read without a change here.
  const std::string word = context.text(*node, fmt::format("{}: `type`", fields.what()));
  const std::optional<JointType> type = model::find_joint_type(word);
  if (type) return *type;
  std::vector<std::string> names;
  for (const model::JointKind& kind : model::joint_kinds()) names.emplace_back(kind.name);
  context.fail(ErrorCode::kValue, *node,
               fmt::format("{}: unknown joint type {} (there are revolute, prismatic, screw, universal, cylindrical, "
                           "spherical, planar, free and fixed){}",
                           fields.what(), in_quotes(word), did_you_mean(word, names)));
  return JointType::kFixed;
}

// All joints of a weld are at one place, and their first body is the same.
void read_placement(NativeContext& context, Fields& fields, std::vector<JointSpec>& joints) {
  const YamlNode* at = fields.find("at");
  const YamlNode* in = fields.find("in");
  // Exactly one of the two: `at` is one frame seen from both bodies, `in` a frame in each of them.
  if ((at == nullptr) == (in == nullptr)) {
    return context.fail(
        ErrorCode::kName, fields.node(),
        fmt::format("{} needs its place: either `at` (in the world, as drawn) or `in` (a frame in each body)",
                    fields.what()));
  }
  const model::JointType type = joints.front().type;
  if (at != nullptr) {
    // Both frames of a joint follow from it when the bodies have their drawn poses.
    const math::Pose place = read_joint_frame(context, *at, fmt::format("{}: `at`", fields.what()), type);
    for (JointSpec& joint : joints) joint.at = place;
    return;
  }
  Fields frames(context, *in, fmt::format("{}: `in`", fields.what()));
  // By the names of the bodies: their order in the file means nothing.
  const auto read = [&](const std::string& body) {
    const YamlNode* node = frames.require(body);
    return node == nullptr ? math::Pose()
                           : read_joint_frame(context, *node, fmt::format("{}: `in: {}`", fields.what(), body), type);
  };
  const math::Pose first = read(joints.front().a);
  for (JointSpec& joint : joints) {
    joint.in_a = first;
    joint.in_b = read(joint.b);
  }
  frames.done();
}

std::vector<std::array<double, 2>> read_limits(NativeContext& context, Fields& fields, JointType type) {
  const YamlNode* node = fields.find("limits");
  if (node == nullptr) return {};
  const std::string what = fmt::format("{}: `limits`", fields.what());
  const std::vector<YamlNode>& items = list_items(context, *node, what);
  const auto coordinates = model::joint_kind(type).coordinates;
  // A wrong number of pairs is compile()'s to report, so that pairs beyond the coordinates stay as written.
  const auto dimension_of = [&](std::size_t k) {
    return k < coordinates.size() ? coordinate_dimension(coordinates[k]) : kNone;
  };
  std::vector<std::array<double, 2>> limits;
  const auto add = [&](const YamlNode& item) {
    const std::vector<double> pair = context.numbers(item, what, dimension_of(limits.size()));
    if (pair.size() != 2) {
      context.fail(ErrorCode::kType, *node, fmt::format("{} is [low, high], or a list of such pairs", what));
    } else {
      limits.push_back({pair[0], pair[1]});
    }
  };
  // [low, high] for one coordinate, [[low, high], ...] for more.
  if (!items.empty() && items[0].kind != Kind::kList) {
    add(*node);
  } else {
    for (const YamlNode& item : items) add(item);
  }
  return limits;
}

// Mechanical drive of an actuated joint.
model::TransmissionSpec read_transmission(NativeContext& context, const YamlNode& node, const std::string& joint) {
  Fields fields(context, node, fmt::format("{}: `transmission`", joint));
  model::TransmissionSpec transmission;
  transmission.name = fields.text("name", "");
  transmission.reduction = fields.number("reduction", 1, kNone);
  if (const YamlNode* word = fields.find("interface")) {
    const std::string text = context.text(*word, fmt::format("{}: `interface`", fields.what()));
    const std::optional<model::MotorInterface> known = find_word<model::MotorInterface>(text);
    if (known) transmission.interface = *known;
    if (!known) {
      context.fail(ErrorCode::kValue, *word,
                   fmt::format("{}: `interface` is {}; there are {}", fields.what(), in_quotes(text),
                               all_words<model::MotorInterface>()));
    }
  }
  fields.done();
  return transmission;
}

void read_drive(NativeContext& context, Fields& fields, JointSpec& joint) {
  const auto coordinates = model::joint_kind(joint.type).coordinates;
  // effort_limit and velocity_limit hold for the first coordinate, whose kind gives them their unit.
  const CoordinateKind kind = coordinates.empty() ? CoordinateKind::kAngle : coordinates[0];
  joint.effort_limit = fields.optional_number("effort_limit", effort_dimension(kind));
  joint.velocity_limit = fields.optional_number("velocity_limit", coordinate_dimension(kind));
  if (const YamlNode* node = fields.find("actuated"))
    joint.actuated = context.boolean(*node, fmt::format("{}: `actuated`", fields.what()));
  if (const YamlNode* node = fields.find("transmission"))
    joint.transmission = read_transmission(context, *node, fields.what());
  // A hint to the plan, which may cut another joint all the same.
  if (const YamlNode* node = fields.find("closure"))
    joint.closure = context.boolean(*node, fmt::format("{}: `closure`", fields.what()));
  if (const YamlNode* node = fields.find("reaction")) {
    joint.reaction_wanted = true;
    // A word and no yes or no, so that more can be asked for one day.
    if (context.text(*node, "`reaction`") != "wanted") {
      context.fail(
          ErrorCode::kValue, *node,
          fmt::format("{}: `reaction` is either left out or `wanted`, not {}", fields.what(), describe(*node)));
    }
  }
}

// The joint once for each body that it holds to its first one: several only where it welds them.
std::vector<JointSpec> read_between(NativeContext& context, Fields& fields, const JointSpec& joint) {
  const YamlNode* between = fields.require("between");
  if (between == nullptr) return {};
  const std::vector<std::string> bodies = context.texts(*between, fmt::format("{}: `between`", fields.what()));
  const bool weld = joint.type == JointType::kFixed;
  // A hinge of three bodies would be two hinges, and which two nobody has said.
  if (bodies.size() < 2 || (bodies.size() > 2 && !weld)) {
    context.fail(ErrorCode::kType, *between,
                 fmt::format("{}: `between` names two bodies, not {}{}", fields.what(), bodies.size(),
                             weld || bodies.size() < 2 ? "" : "; only a fixed joint welds more"));
    return {};
  }
  std::vector<JointSpec> joints;
  for (std::size_t k = 1; k < bodies.size(); ++k) {
    if (std::find(bodies.begin(), bodies.begin() + static_cast<std::ptrdiff_t>(k), bodies[k]) !=
        bodies.begin() + static_cast<std::ptrdiff_t>(k)) {
      context.fail(
          ErrorCode::kTopology, *between,
          fmt::format("{} joins {} to itself; name two different bodies", fields.what(), in_quotes(bodies[k])));
      return {};
    }
    joints.push_back(joint);
    joints.back().a = bodies[0];
    joints.back().b = bodies[k];
    if (bodies.size() > 2) joints.back().group = joint.name;
    // The first keeps the name of the file.
    if (k > 1) joints.back().name = fmt::format("{}.{}", joint.name, bodies[k]);
  }
  return joints;
}

void read_weights(Fields& fields, JointSpec& joint) {
  joint.weight = fields.optional_number("weight", kNone);
  joint.length = fields.optional_number("length", kNone);
}

std::vector<JointSpec> read_joint(NativeContext& context, const YamlNode& node) {
  Fields fields(context, node, "a joint");
  JointSpec joint;
  joint.where = context.where(node);
  if (const YamlNode* name = fields.require("name")) joint.name = context.text(*name, "the name of a joint");
  fields.rename(fmt::format("joint {}", in_quotes(joint.name)));
  // The type comes before everything measured: it says how many coordinates there are and in what units.
  joint.type = read_type(context, fields);
  // Length per turn, whatever unit angles have in the file.
  joint.pitch = fields.number("pitch", 0, kLength);
  joint.limits = read_limits(context, fields, joint.type);
  joint.velocity = fields.coordinate_list("velocity", joint.type, coordinate_dimension);
  joint.stiffness = fields.coordinate_list("stiffness", joint.type, stiffness_dimension);
  joint.damping = fields.coordinate_list("damping", joint.type, stiffness_dimension);
  joint.rest = fields.coordinate_list("rest", joint.type, coordinate_dimension);
  joint.friction = fields.coordinate_list("friction", joint.type, effort_dimension);
  // Armature is an inertia: kilograms along a length, kilogram square metres about an angle.
  joint.armature = fields.coordinate_list("armature", joint.type, [](CoordinateKind kind) {
    return kind == CoordinateKind::kAngle ? Dimension{2, 0} : kNone;
  });
  read_drive(context, fields, joint);
  read_weights(fields, joint);
  std::vector<JointSpec> joints = read_between(context, fields, joint);
  if (joints.empty()) return joints;
  read_placement(context, fields, joints);
  fields.done();
  return joints;
}

// The dimension of a one-coordinate joint's coordinate, by name; an unknown name is compile()'s to report.
Dimension dimension_of(const model::ModelSpec& spec, const std::string& name) {
  for (const JointSpec& joint : spec.joints) {
    if (joint.name != name) continue;
    const auto coordinates = model::joint_kind(joint.type).coordinates;
    // A coupling of a joint with several coordinates is an error that compile() tells.
    return coordinates.size() == 1 ? coordinate_dimension(coordinates[0]) : kNone;
  }
  return kNone;
}

// sum ratio q = offset and q0 = sum c q1^k are written in the file's units: see Dimension.
void convert_coupling(const NativeContext& context, const model::ModelSpec& spec, model::CouplingSpec& coupling) {
  // In metres and radians every factor is 1, and a division would only cost bits.
  if (context.length == 1 && context.angle == 1) return;
  std::vector<double> unit;
  // One unit per joint: that of its coordinate.
  for (const std::string& joint : coupling.joints) unit.push_back(context.factor(dimension_of(spec, joint)));
  for (std::size_t k = 0; k < std::min(unit.size(), coupling.ratio.size()); ++k) coupling.ratio[k] /= unit[k];
  // Without joints there is nothing to convert; compile() refuses such a coupling.
  if (unit.empty()) return;
  for (std::size_t k = 0; k < coupling.polynomial.size(); ++k) {
    // q0 = sum c_k q1^k: c_k carries the unit of q0 and takes away k powers of that of q1.
    coupling.polynomial[k] *= unit[0] / elementary::pow(unit.back(), static_cast<double>(k));
  }
}

std::vector<double> read_position(NativeContext& context, const YamlNode& node, const std::string& what,
                                  const JointSpec* joint) {
  std::vector<double> position =
      node.kind == Kind::kList ? context.numbers(node, what, kNone) : std::vector{context.number(node, what, kNone)};
  // Without a joint there is no unit to give the numbers.
  if (joint == nullptr) return position;
  const model::JointKind& kind = model::joint_kind(joint->type);
  // Quaternions, the only entries beyond the lengths and single angles, have no unit.
  const bool quaternion = kind.position_size != kind.freedom;
  for (std::size_t k = 0; k < std::min(position.size(), kind.coordinates.size()); ++k) {
    if (quaternion && kind.coordinates[k] == CoordinateKind::kAngle) break;
    position[k] *= context.factor(coordinate_dimension(kind.coordinates[k]));
  }
  return position;
}

}  // namespace

void read_joints(NativeContext& context, const YamlNode& node, model::ModelSpec& spec) {
  for (const YamlNode& joint : list_items(context, node, "`joints`")) {
    if (context.failed()) return;
    std::vector<JointSpec> joints = read_joint(context, joint);
    std::move(joints.begin(), joints.end(), std::back_inserter(spec.joints));
  }
}

void read_couplings(NativeContext& context, const YamlNode& node, model::ModelSpec& spec) {
  for (const YamlNode& item : list_items(context, node, "`couplings`")) {
    if (context.failed()) return;
    Fields fields(context, item, "a coupling");
    model::CouplingSpec coupling;
    coupling.where = context.where(item);
    coupling.name = fields.text("name", "");
    if (const YamlNode* joints = fields.require("joints"))
      coupling.joints = context.texts(*joints, "a coupling: `joints`");
    if (const YamlNode* ratio = fields.find("ratio"))
      coupling.ratio = context.numbers(*ratio, "a coupling: `ratio`", kNone);
    if (const YamlNode* polynomial = fields.find("polynomial"))
      coupling.polynomial = context.numbers(*polynomial, "a coupling: `polynomial`", kNone);
    coupling.offset = fields.number("offset", 0, kNone);
    fields.done();
    // Joints have been read by now, so that the kinds of their coordinates are known.
    convert_coupling(context, spec, coupling);
    spec.couplings.push_back(std::move(coupling));
  }
}

namespace {

// Values by the names of loads, each in the unit of its load; an unknown load is compile()'s to report.
void read_keyframe_loads(NativeContext& context, const YamlNode& node, const model::ModelSpec& spec,
                         model::KeyframeSpec& keyframe) {
  if (node.kind != Kind::kMap) {
    return context.fail(ErrorCode::kType, node,
                        fmt::format("`loads` must be a map {{force: value}}, not {}", describe(node)));
  }
  for (const YamlEntry& entry : node.entries) {
    const auto force = std::find_if(spec.forces.begin(), spec.forces.end(),
                                    [&](const model::ForceSpec& candidate) { return candidate.name == entry.key; });
    const auto* load = force == spec.forces.end() ? nullptr : std::get_if<model::LoadSpec>(&force->law);
    keyframe.loads.emplace_back(entry.key,
                                read_load_value(context, entry.value, fmt::format("load {}", in_quotes(entry.key)),
                                                load != nullptr && load->torque, spec));
  }
}

}  // namespace

void read_keyframes(NativeContext& context, const YamlNode& node, model::ModelSpec& spec) {
  for (const YamlNode& item : list_items(context, node, "`keyframes`")) {
    if (context.failed()) return;
    Fields fields(context, item, "a keyframe");
    model::KeyframeSpec keyframe;
    keyframe.where = context.where(item);
    if (const YamlNode* name = fields.require("name")) keyframe.name = context.text(*name, "the name of a keyframe");
    const YamlNode* loads = fields.find("loads");
    // A keyframe that says nothing of the pose may still say what acts.
    const YamlNode* positions = loads == nullptr ? fields.require("positions") : fields.find("positions");
    if (loads != nullptr) read_keyframe_loads(context, *loads, spec, keyframe);
    if (positions != nullptr && positions->kind != Kind::kMap) {
      context.fail(ErrorCode::kType, *positions,
                   fmt::format("`positions` must be a map {{joint: number}}, not {}", describe(*positions)));
    } else if (positions != nullptr) {
      // The joint's kind gives the numbers their units; an unknown joint is compile()'s to report.
      for (const YamlEntry& entry : positions->entries) {
        const auto joint = std::find_if(spec.joints.begin(), spec.joints.end(),
                                        [&](const JointSpec& j) { return j.name == entry.key; });
        keyframe.positions.emplace_back(
            entry.key,
            read_position(context, entry.value, fmt::format("the position of joint {}", in_quotes(entry.key)),
                          joint == spec.joints.end() ? nullptr : &*joint));
      }
    }
    fields.done();
    spec.keyframes.push_back(std::move(keyframe));
  }
}

}  // namespace espalier::formats::detail
