#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/native_parts.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Vector3d;
using model::CoordinateKind;
using Kind = YamlNode::Kind;

// `between: [a, b]`.
void read_between(NativeContext& context, Fields& fields, std::string& a, std::string& b) {
  const YamlNode* node = fields.require("between");
  // require() has told that it is missing.
  if (node == nullptr) return;
  const std::vector<std::string> bodies = context.texts(*node, fmt::format("{}: `between`", fields.what()));
  // A force on three bodies would be two forces.
  if (bodies.size() != 2) {
    return context.fail(ErrorCode::kType, *node,
                        fmt::format("{}: `between` names two bodies, not {}", fields.what(), bodies.size()));
  }
  a = bodies[0];
  b = bodies[1];
}

model::SpringSpec read_spring(NativeContext& context, const YamlNode& node) {
  Fields fields(context, node, "spring");
  model::SpringSpec spring;
  read_between(context, fields, spring.a, spring.b);
  const YamlNode* at = fields.find("at");
  const YamlNode* in = fields.find("in");
  // Exactly one of the two: `at` is one place seen from both bodies, `in` a place in each of them.
  if ((at == nullptr) == (in == nullptr)) {
    context.fail(
        ErrorCode::kName, node,
        "spring needs its ends: either `at: [[...], [...]]` (in the world, as drawn) or `in: {a: [...], b: [...]}`");
  } else if (at != nullptr) {
    spring.in_world = true;
    // In the order of `between`: points in the world have no body to name them.
    const std::vector<YamlNode>& points = list_items(context, *at, "spring: `at`");
    if (points.size() != 2) {
      context.fail(ErrorCode::kType, *at, "spring: `at` is two points [[x, y, z], [x, y, z]]");
    } else {
      spring.point_a = context.vector(points[0], "spring: a point of `at`", kLength);
      spring.point_b = context.vector(points[1], "spring: a point of `at`", kLength);
    }
  } else {
    Fields points(context, *in, "spring: `in`");
    for (const auto& [body, point] : {std::pair(&spring.a, &spring.point_a), std::pair(&spring.b, &spring.point_b)}) {
      // By the names of the bodies: their order in the file means nothing.
      if (const YamlNode* value = points.require(*body))
        *point = context.vector(*value, "spring: a point of `in`", kLength);
    }
    points.done();
  }
  // Newtons per metre: the file's length enters with power -1.
  spring.stiffness = fields.number("stiffness", 0, {-1, 0});
  spring.damping = fields.number("damping", 0, {-1, 0});
  // Left out, it is the drawn length: as drawn the spring then pulls with its tension alone.
  spring.length = fields.optional_number("length", kLength);
  spring.tension = fields.number("tension", 0, kNone);
  // Lengths it cannot pass: a rope has 0 and L, a rod L twice.
  if (const YamlNode* limits = fields.find("limits")) {
    const std::vector<double> pair = context.numbers(*limits, "spring: `limits`", kLength);
    if (pair.size() == 2) {
      spring.limits = {pair[0], pair[1]};
    } else {
      context.fail(ErrorCode::kType, *limits, "spring: `limits` are two lengths [low, high]");
    }
  }
  fields.done();
  return spring;
}

std::array<double, 6> read_six(NativeContext& context, Fields& fields, const char* key) {
  std::array<double, 6> six{};
  // Six numbers with their kinds are what a free joint has, so that its units serve a bushing too.
  const std::vector<double> values = fields.coordinate_list(key, model::JointType::kFree, stiffness_dimension);
  // Nothing given is no stiffness, or no damping.
  if (values.empty()) return six;
  if (values.size() != 6) {
    context.fail(ErrorCode::kType, *fields.find(key),
                 fmt::format("{}: `{}` is six numbers [x, y, z, rx, ry, rz]", fields.what(), key));
    return six;
  }
  std::copy(values.begin(), values.end(), six.begin());
  return six;
}

model::BushingSpec read_bushing(NativeContext& context, const YamlNode& node) {
  Fields fields(context, node, "bushing");
  model::BushingSpec bushing;
  read_between(context, fields, bushing.a, bushing.b);
  const YamlNode* at = fields.find("at");
  const YamlNode* in = fields.find("in");
  if ((at == nullptr) == (in == nullptr)) {
    context.fail(ErrorCode::kName, node,
                 "bushing needs its place: either `at` (in the world, as drawn) or `in: {a: ...}` (in its first body)");
  } else if (at != nullptr) {
    // compile() finds the frames in both bodies from the drawn poses.
    bushing.in_world = true;
    bushing.frame = read_pose(context, *at, "bushing: `at`");
  } else {
    Fields frames(context, *in, "bushing: `in`");
    if (const YamlNode* frame = frames.require(bushing.a)) bushing.frame = read_pose(context, *frame, "bushing: `in`");
    // done() is asked of the inner map as well: a second body in `in` would otherwise pass unread.
    frames.done();
  }
  bushing.stiffness = read_six(context, fields, "stiffness");
  bushing.damping = read_six(context, fields, "damping");
  fields.done();
  return bushing;
}

model::LoadSpec read_load(NativeContext& context, const YamlNode& node, bool torque, const model::ModelSpec& spec) {
  Fields fields(context, node, torque ? "torque" : "force");
  model::LoadSpec load;
  load.torque = torque;
  load.joint = fields.text("joint", "");
  load.body = fields.text("body", "");
  // Without a point a force acts in the centre of mass.
  load.at = fields.optional_vector("point", kLength);
  const std::string frame = fields.text("frame", "world");
  if (frame != "world" && frame != "body") {
    context.fail(ErrorCode::kValue, *fields.find("frame"),
                 fmt::format("{}: `frame` is world or body, not {}", fields.what(), in_quotes(frame)));
  }
  // A follower force turns with its body.
  load.in_body = frame == "body";
  if (const YamlNode* value = fields.require("value"))
    load.value = read_load_value(context, *value, fmt::format("{}: `value`", fields.what()), torque, spec);
  if (!load.joint.empty() && (load.at || load.in_body)) {
    context.fail(ErrorCode::kName, node,
                 fmt::format("{}: `point` and `frame` belong to a force on a body, not on a joint", fields.what()));
  }
  fields.done();
  return load;
}

model::MotionSpec read_motion(NativeContext& context, const YamlNode& node, const model::ModelSpec& spec) {
  Fields fields(context, node, "motion");
  model::MotionSpec motion;
  if (const YamlNode* joint = fields.require("joint")) motion.joint = context.text(*joint, "motion: `joint`");
  // The prescribed value has the unit of the coordinate, so that the joint's kind is asked for.
  Dimension dimension = kNone;
  for (const model::JointSpec& joint : spec.joints) {
    const auto coordinates = model::joint_kind(joint.type).coordinates;
    // Joints are looked up for the unit only; a name that does not exist is compile()'s to report.
    if (joint.name == motion.joint && coordinates.size() == 1) dimension = coordinate_dimension(coordinates[0]);
  }
  const YamlNode* position = fields.find("position");
  const YamlNode* velocity = fields.find("velocity");
  if ((position == nullptr) == (velocity == nullptr)) {
    context.fail(ErrorCode::kName, node, "motion prescribes either `position` or `velocity`");
  } else {
    motion.is_velocity = velocity != nullptr;
    motion.value = context.expression(position != nullptr ? *position : *velocity, "motion", dimension);
  }
  fields.done();
  return motion;
}

model::ForceSpec read_force(NativeContext& context, const YamlNode& node, const model::ModelSpec& spec) {
  Fields fields(context, node, "a force");
  model::ForceSpec force;
  force.where = context.where(node);
  force.name = fields.text("name", "");
  // A force is a map with one law in it; two laws under one name would be two forces.
  int laws = 0;
  for (const char* law : {"spring", "bushing", "force", "torque", "motion"}) {
    const YamlNode* value = fields.find(law);
    if (value == nullptr) continue;
    ++laws;
    const std::string_view word = law;
    if (word == "spring") force.law = read_spring(context, *value);
    if (word == "bushing") force.law = read_bushing(context, *value);
    if (word == "force" || word == "torque") force.law = read_load(context, *value, word == "torque", spec);
    if (word == "motion") force.law = read_motion(context, *value, spec);
  }
  fields.done();
  if (laws != 1)
    context.fail(ErrorCode::kName, node, "a force is exactly one of spring, bushing, force, torque, motion");
  return force;
}

}  // namespace

std::vector<model::Expression> read_load_value(NativeContext& context, const YamlNode& node, const std::string& what,
                                               bool torque, const model::ModelSpec& spec) {
  // A torque carries a length in it, newtons times metres; a force carries none.
  const Dimension dimension = torque ? kLength : kNone;
  // The single effort of a joint, or three components of a vector.
  if (node.kind != Kind::kList) return {context.expression(node, what, dimension, spec.joints)};
  std::vector<model::Expression> value;
  for (const YamlNode& item : node.items) value.push_back(context.expression(item, what, dimension, spec.joints));
  return value;
}

void read_forces(NativeContext& context, const YamlNode& node, model::ModelSpec& spec) {
  for (const YamlNode& item : list_items(context, node, "`forces`")) {
    if (context.failed()) return;
    spec.forces.push_back(read_force(context, item, spec));
  }
}

void read_contact(NativeContext& context, const YamlNode& node, model::ModelSpec& spec) {
  Fields fields(context, node, "contact");
  model::ContactSpec contact;
  contact.where = context.where(node);
  // The section may list pairs and friction and still leave contact off.
  if (const YamlNode* engine = fields.find("engine")) contact.on = context.boolean(*engine, "contact: `engine`");
  contact.margin = fields.number("margin", 0, kLength);
  contact.friction = fields.optional_number("friction", kNone);
  contact.restitution = fields.optional_number("restitution", kNone);
  if (const YamlNode* pairs = fields.find("pairs")) {
    Fields parts(context, *pairs, "contact: `pairs`");
    if (const YamlNode* exclude = parts.find("exclude")) {
      for (const YamlNode& item : list_items(context, *exclude, "contact: `exclude`")) {
        const std::vector<std::string> bodies = context.texts(item, "contact: a pair of `exclude`");
        if (bodies.size() == 2)
          contact.exclude.emplace_back(bodies[0], bodies[1]);
        else
          context.fail(ErrorCode::kType, item, "contact: `exclude` is a list of pairs [[a, b], ...]");
      }
    }
    parts.done();
  }
  fields.done();
  spec.contact = std::move(contact);
}

}  // namespace espalier::formats::detail
