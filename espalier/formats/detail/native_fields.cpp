#include "espalier/formats/detail/native_fields.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/unread.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::CoordinateKind;
using model::JointType;
using Kind = YamlNode::Kind;

// What a number may look like when it is none, with the reason.
std::string not_a_number(std::string_view what, const YamlNode& node) {
  const std::string& s = node.scalar;
  // YAML 1.2 writes .nan and .inf; the bare words are what people type.
  const bool nan = s == ".nan" || s == ".NaN" || s == ".NAN" || s == "nan" || s == "NaN";
  const bool infinite = s.ends_with(".inf") || s.ends_with(".Inf") || s.ends_with("inf");
  if (node.kind == Kind::kScalar && (nan || infinite)) {
    return fmt::format("{} is {}; it must be a finite number", what, in_quotes(s));
  }
  return fmt::format("{} must be a number, not {}", what, describe(node));
}

std::optional<Quaterniond> read_rotation(NativeContext& context, Fields& fields) {
  const YamlNode* rotation = fields.find("rotation");
  // Roll, pitch and yaw turn about fixed axes, x first, as in URDF and SDF.
  const YamlNode* rpy = fields.find("rpy");
  if (rotation != nullptr && rpy != nullptr) {
    context.fail(ErrorCode::kName, *rpy, fmt::format("{}: give either `rotation` or `rpy`", fields.what()));
  }
  if (rotation != nullptr) {
    // A quaternion has no unit.
    const std::vector<double> q = context.numbers(*rotation, "rotation", kNone);
    if (context.failed()) return std::nullopt;
    if (q.size() != 4) {
      context.fail(
          ErrorCode::kType, *rotation,
          fmt::format("{}: rotation is a quaternion [w, x, y, z], not {}", fields.what(), counted(q.size(), "number")));
      return std::nullopt;
    }
    const Quaterniond value(q[0], q[1], q[2], q[3]);
    // Three written digits of a unit quaternion stay within this; a larger error is a wrong number, not rounding.
    if (std::abs(value.norm() - 1) > 1e-3) {
      context.fail(ErrorCode::kValue, *rotation,
                   fmt::format("{}: rotation has length {:.4g}; a quaternion [w, x, y, z] has length 1", fields.what(),
                               value.norm()));
      return std::nullopt;
    }
    // Written digits leave the length off by some units; the model wants exactly 1.
    return math::normalised(value);
  }
  if (rpy == nullptr) return std::nullopt;
  const Vector3d angles = context.vector(*rpy, "rpy", kAngle);
  context.note_degrees(*rpy, fields.what(), angles);
  return math::rotation_from_rpy(angles);
}

std::optional<Vector3d> read_axis(NativeContext& context, Fields& fields, const char* key) {
  const YamlNode* node = fields.find(key);
  if (node == nullptr) return std::nullopt;
  const Vector3d axis = context.vector(*node, key, kNone);
  // An axis is a direction: it has no unit, and only a length near zero makes it useless.
  if (!context.failed() && !(axis.cwiseAbs().maxCoeff() > 1e-12)) {
    context.fail(ErrorCode::kValue, *node, fmt::format("{}: `{}` must not be zero", fields.what(), key));
  }
  return context.failed() ? Vector3d::UnitZ() : axis;
}

// The rotation that `axis` and `axis2` stand for, or nothing where neither is given.
std::optional<Quaterniond> rotation_of_axes(NativeContext& context, Fields& fields, JointType type) {
  const std::optional<Vector3d> axis = read_axis(context, fields, "axis");
  const std::optional<Vector3d> second = read_axis(context, fields, "axis2");
  if (context.failed() || (!axis && !second)) return std::nullopt;
  // All other types have one axis at most, and it becomes z.
  if (type != JointType::kUniversal) {
    if (second)
      context.fail(ErrorCode::kValue, *fields.find("axis2"),
                   fmt::format("{}: `axis2` belongs to universal joints", fields.what()));
    return axis ? std::optional(math::rotation_with_z(*axis)) : std::nullopt;
  }
  if (!axis || !second) {
    context.fail(ErrorCode::kName, fields.node(),
                 fmt::format("{}: a universal joint needs both `axis` and `axis2`", fields.what()));
    return std::nullopt;
  }
  // Looser than the bits of a double: a file of six digits must pass.
  if (std::abs(math::direction(*axis).dot(math::direction(*second))) > 1e-6) {
    context.fail(ErrorCode::kValue, fields.node(),
                 fmt::format("{}: `axis` and `axis2` must stand at right angles", fields.what()));
    return std::nullopt;
  }
  return math::rotation_with_xy(*axis, *second);
}

}  // namespace

Dimension coordinate_dimension(CoordinateKind kind) { return kind == CoordinateKind::kAngle ? kAngle : kLength; }
// A moment for each angle, or a force for each length; force is always in newtons.
Dimension stiffness_dimension(CoordinateKind kind) {
  return kind == CoordinateKind::kAngle ? Dimension{1, -1} : Dimension{-1, 0};
}
Dimension effort_dimension(CoordinateKind kind) { return kind == CoordinateKind::kAngle ? kLength : kNone; }

void NativeContext::fail(ErrorCode code, const YamlNode& node, std::string message) {
  fail(Error{code, std::move(message), where(node)});
}

void NativeContext::fail(Error problem) {
  // Whatever fails later may be a consequence of this one.
  if (!error) error = std::move(problem);
}

void NativeContext::note_degrees(const YamlNode& node, const std::string& what, const Vector3d& angles) {
  const bool doubtful = angle == 1 && std::any_of(angles.begin(), angles.end(), looks_like_degrees);
  if (!doubtful || degrees_noted) return;
  degrees_noted = true;
  notes.push_back(model::make_note(fmt::format("{}: rpy is more than a turn: angles of this file are radians; 90 "
                                               "degrees are 1.5707963, or write `units: {{angle: deg}}`",
                                               what),
                                   where(node), {"degrees", model::Effect::kDoubt}));
}

double NativeContext::factor(Dimension dimension) const {
  // Only lengths and angles have a unit in the file: masses, forces and times are SI.
  return elementary::pow(length, dimension.length) * elementary::pow(angle, dimension.angle);
}

double NativeContext::number(const YamlNode& node, std::string_view what, Dimension dimension) {
  // A quoted number is text by YAML's rules; reading it as a number would hide the mistake.
  const std::optional<double> value =
      node.kind == Kind::kScalar && !node.quoted ? parse_number(node.scalar) : std::nullopt;
  if (!value) {
    // What is no number may be a formula; what is neither is told as no number, which it most often was meant to be.
    if (const std::optional<double> formula = read_formula(*this, node, what)) {
      const double scale = factor(dimension);
      keep_formula(*this, node, *formula, scale);
      return *formula * scale;
    }
    fail(ErrorCode::kType, node, not_a_number(what, node));
    return 0;
  }
  return *value * factor(dimension);
}

std::vector<double> NativeContext::numbers(const YamlNode& node, std::string_view what, Dimension dimension) {
  std::vector<double> values;
  for (const YamlNode& item : list_items(*this, node, what)) values.push_back(number(item, what, dimension));
  return values;
}

Vector3d NativeContext::vector(const YamlNode& node, std::string_view what, Dimension dimension) {
  const std::vector<double> values = numbers(node, what, dimension);
  // Two numbers are no vector in a plane: nobody could say which plane.
  if (values.size() == 3) return {values[0], values[1], values[2]};
  fail(ErrorCode::kType, node, fmt::format("{} must be three numbers, not {}", what, values.size()));
  return Vector3d::Zero();
}

std::string NativeContext::text(const YamlNode& node, std::string_view what) {
  // Quoted or not: a name may look like a number.
  if (node.kind == Kind::kScalar) return node.scalar;
  fail(ErrorCode::kType, node, fmt::format("{} must be a word, not {}", what, describe(node)));
  return "";
}

// YAML 1.1 took these words for booleans as well, and files still have them.
bool NativeContext::boolean(const YamlNode& node, std::string_view what) {
  for (const char* yes : {"true", "True", "yes", "on"}) {
    if (node.scalar == yes) return true;
  }
  for (const char* no : {"false", "False", "no", "off"}) {
    if (node.scalar == no) return false;
  }
  fail(ErrorCode::kType, node, fmt::format("{} must be true or false, not {}", what, describe(node)));
  return false;
}

std::vector<std::string> NativeContext::texts(const YamlNode& node, std::string_view what) {
  std::vector<std::string> values;
  for (const YamlNode& item : list_items(*this, node, what)) values.push_back(text(item, what));
  return values;
}

model::Expression NativeContext::expression(const YamlNode& node, std::string_view what, Dimension dimension) {
  const std::string written = text(node, what);
  if (failed()) return {};
  return read_law(*this, node, what, factor(dimension));
}

model::Expression NativeContext::expression(const YamlNode& node, std::string_view what, Dimension dimension,
                                            std::span<const model::JointSpec> joints) {
  model::Expression value = expression(node, what, dimension);
  // In metres and radians the coordinates are already those that the formula names.
  if (value.inputs.empty() || (length == 1 && angle == 1)) return value;
  // A joint that does not exist, or has no such coordinate, is compile()'s to report.
  const auto per_unit = [&](const model::Expression::Input& input) {
    for (const model::JointSpec& joint : joints) {
      const auto coordinates = model::joint_kind(joint.type).coordinates;
      if (joint.name == input.joint && to_index(input.coordinate) < coordinates.size())
        return 1 / factor(coordinate_dimension(coordinates[to_index(input.coordinate)]));
    }
    return 1.0;
  };
  Result<model::Expression> scaled =
      model::parse_expression(model::scaled_inputs(value, per_unit), where(node), {}, tables);
  if (scaled) return *std::move(scaled);
  fail(scaled.error());
  return {};
}

// The node is kept as it is where it is no map: find() then finds nothing, and no second message comes.
Fields::Fields(NativeContext& context, const YamlNode& node, std::string what)
    : context_(context), node_(node), what_(std::move(what)) {
  if (node.kind != Kind::kMap)
    context.fail(ErrorCode::kType, node,
                 fmt::format("{} must be a map {{key: value, ...}}, not {}", what_, describe(node)));
}

const YamlNode* Fields::find(std::string_view key) {
  // Every key that is asked for counts as known, so that done() needs no list that could fall behind the code.
  known_.emplace_back(key);
  return node_.find(key);
}

const YamlNode* Fields::require(std::string_view key) {
  const YamlNode* value = find(key);
  if (value == nullptr) context_.fail(ErrorCode::kName, node_, fmt::format("{} needs `{}`", what_, key));
  return value;
}

double Fields::number(std::string_view key, double otherwise, Dimension dimension) {
  // The default is in SI units and is not converted.
  return optional_number(key, dimension).value_or(otherwise);
}

std::optional<double> Fields::optional_number(std::string_view key, Dimension dimension) {
  const YamlNode* value = find(key);
  if (value == nullptr) return std::nullopt;
  return context_.number(*value, fmt::format("{}: `{}`", what_, key), dimension);
}

std::string Fields::text(std::string_view key, std::string_view otherwise) {
  const YamlNode* value = find(key);
  return value == nullptr ? std::string(otherwise) : context_.text(*value, fmt::format("{}: `{}`", what_, key));
}

std::optional<Vector3d> Fields::optional_vector(std::string_view key, Dimension dimension) {
  const YamlNode* value = find(key);
  if (value == nullptr) return std::nullopt;
  return context_.vector(*value, fmt::format("{}: `{}`", what_, key), dimension);
}

std::vector<double> Fields::coordinate_list(std::string_view key, JointType type,
                                            Dimension (*dimension)(CoordinateKind)) {
  const YamlNode* value = find(key);
  if (value == nullptr) return {};
  const std::string what = fmt::format("{}: `{}`", what_, key);
  const auto coordinates = model::joint_kind(type).coordinates;
  // A wrong count is compile()'s to report: it also sees specs that no file made.
  const auto dimension_of = [&](std::size_t k) { return k < coordinates.size() ? dimension(coordinates[k]) : kNone; };
  // A single number stands for the list of one entry that a joint of one coordinate has.
  if (value->kind != Kind::kList) return {context_.number(*value, what, dimension_of(0))};
  std::vector<double> list;
  for (const YamlNode& item : value->items) list.push_back(context_.number(item, what, dimension_of(list.size())));
  return list;
}

void Fields::done() {
  // Called last: only then have all fields been asked for.
  for (const YamlEntry& entry : node_.entries) {
    if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
    context_.fail({ErrorCode::kName,
                   fmt::format("{} has no field {}{}", what_, in_quotes(entry.key), did_you_mean(entry.key, known_)),
                   {context_.file, entry.line, 0}});
    // One unknown field is enough: a second message would hide which to mend first.
    return;
  }
}

math::Pose read_pose(NativeContext& context, const YamlNode& node, const std::string& what) {
  Fields fields(context, node, what);
  math::Pose pose;
  pose.position = fields.optional_vector("position", kLength).value_or(Vector3d::Zero());
  pose.rotation = read_rotation(context, fields).value_or(Quaterniond::Identity());
  fields.done();
  return pose;
}

math::Pose read_joint_frame(NativeContext& context, const YamlNode& node, const std::string& what, JointType type) {
  Fields fields(context, node, what);
  math::Pose pose;
  pose.position = fields.optional_vector("position", kLength).value_or(Vector3d::Zero());
  const std::optional<Quaterniond> rotation = read_rotation(context, fields);
  const std::optional<Quaterniond> axes = rotation_of_axes(context, fields, type);
  // An axis is a rotation with its turn about z left open; both together would contradict each other.
  if (rotation && axes)
    context.fail(ErrorCode::kName, node, fmt::format("{}: give either an axis or a rotation", what));
  pose.rotation = rotation ? *rotation : axes.value_or(Quaterniond::Identity());
  fields.done();
  return pose;
}

const std::vector<YamlNode>& list_items(NativeContext& context, const YamlNode& node, std::string_view what) {
  // Handed out by reference where a failure is on record, so that callers need no branch.
  static const std::vector<YamlNode> none;
  if (node.kind == Kind::kList) return node.items;
  context.fail(ErrorCode::kType, node, fmt::format("{} must be a list, not {}", what, describe(node)));
  return none;
}

}  // namespace espalier::formats::detail
