#include <cmath>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/native_parts.hpp"
#include "espalier/math/inertia.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Vector3d;
using model::BodyKind;
using model::BodySpec;
using model::SectionKind;
using model::SectionSpec;
using model::ShapeKind;
using model::ShapeSpec;
using Kind = YamlNode::Kind;

void read_shape_measures(NativeContext& context, const YamlNode& node, ShapeSpec& shape) {
  // Named by its shape, so that a missing field reads "sphere needs `radius`".
  Fields fields(context, node, model::word(shape.kind));
  // A missing measure is a failure that require() has put on record; zero only lets the reading end.
  const auto measure = [&](const char* key) {
    const YamlNode* value = fields.require(key);
    return value == nullptr ? 0.0 : context.number(*value, fmt::format("{}: `{}`", fields.what(), key), kLength);
  };
  const auto measures = [&](const char* key) {
    const YamlNode* value = fields.require(key);
    return value == nullptr ? Vector3d(Vector3d::Zero())
                            : context.vector(*value, fmt::format("{}: `{}`", fields.what(), key), kLength);
  };
  switch (shape.kind) {
    case ShapeKind::kSphere:
      // A sphere has its radius alone; the other two entries stay zero.
      shape.size[0] = measure("radius");
      break;
    case ShapeKind::kBox:
      shape.size = measures("size");
      break;
    case ShapeKind::kCapsule:
    case ShapeKind::kCylinder:
      shape.size[0] = measure("radius");
      shape.size[1] = measure("length");
      break;
    case ShapeKind::kEllipsoid:
      shape.size = measures("radii");
      break;
    // A plane looks along z of its pose and has no measure.
    case ShapeKind::kPlane:
      break;
    case ShapeKind::kHull:
      if (const YamlNode* points = fields.require("points")) {
        for (const YamlNode& point : list_items(context, *points, "hull: `points`")) {
          shape.points.push_back(context.vector(point, "a point of a hull", kLength));
        }
      }
      break;
    case ShapeKind::kMesh:
      shape.file = fields.text("file", "");
      shape.scale = fields.optional_vector("scale", kNone).value_or(Vector3d::Ones());
      // A mesh file is drawn in the unit of the model.
      shape.scale *= context.length;
      break;
  }
  fields.done();
}

ShapeSpec read_shape(NativeContext& context, const YamlNode& node, const std::string& body) {
  Fields fields(context, node, fmt::format("a shape of body {}", in_quotes(body)));
  ShapeSpec shape;
  shape.where = context.where(node);
  // Tried in the order of the enum, so that a shape added there is read here without a change of this loop.
  int kinds = 0;
  for (int k = 0; k <= static_cast<int>(ShapeKind::kMesh); ++k) {
    const auto kind = static_cast<ShapeKind>(k);
    const YamlNode* measures = fields.find(model::word(kind));
    if (measures == nullptr) continue;
    ++kinds;
    shape.kind = kind;
    // `plane:` alone is a plane.
    if (measures->kind == Kind::kNull && kind == ShapeKind::kPlane) continue;
    read_shape_measures(context, *measures, shape);
  }
  if (const YamlNode* at = fields.find("at")) shape.pose = read_pose(context, *at, "`at` of a shape");
  shape.material = fields.text("material", "");
  shape.name = fields.text("name", "");
  if (const YamlNode* role = fields.find("role")) {
    const std::optional<model::ShapeRole> found = model::find_shape_role(context.text(*role, "`role`"));
    if (!found)
      context.fail(ErrorCode::kValue, *role,
                   fmt::format("unknown role {}; it is collision, visual or both", describe(*role)));
    shape.role = found.value_or(model::ShapeRole::kBoth);
  }
  // An unknown field is told before a wrong number of kinds: a misspelt kind is the likelier cause.
  fields.done();
  if (kinds != 1) {
    context.fail(ErrorCode::kName, node,
                 fmt::format("{} must be exactly one of sphere, box, capsule, cylinder, ellipsoid, plane, hull, mesh",
                             fields.what()));
  }
  return shape;
}

// A measure of a section: one number, or [at the start, at the end].
std::optional<SectionSpec::Ends> read_ends(NativeContext& context, Fields& fields, const char* key,
                                           Dimension dimension) {
  const YamlNode* node = fields.find(key);
  if (node == nullptr) return std::nullopt;
  const std::string what = fmt::format("section: `{}`", key);
  if (node->kind != Kind::kList) {
    // One number: the beam is not tapered, and both ends have the same.
    const double value = context.number(*node, what, dimension);
    return SectionSpec::Ends{value, value};
  }
  // Both ends of a tapered beam, in the order from `from` to `to`.
  const std::vector<double> values = context.numbers(*node, what, dimension);
  if (values.size() == 2) return SectionSpec::Ends{values[0], values[1]};
  context.fail(ErrorCode::kType, *node,
               fmt::format("{} is one number, or [start, end]; not {}", what, counted(values.size(), "number")));
  return SectionSpec::Ends{0, 0};
}

// A round bar by its diameter; with a wall it is a tube.
void set_pipe(NativeContext& context, const YamlNode& node, const SectionSpec::Ends& diameter,
              const std::optional<SectionSpec::Ends>& wall, SectionSpec& section) {
  for (std::size_t k = 0; k < 2; ++k) {
    section.radius[k] = diameter[k] / 2;
    if (!wall) continue;
    // Catalogues name a tube by its outer diameter.
    section.inner_radius[k] = section.radius[k] - (*wall)[k];
    if (section.inner_radius[k] >= 0) continue;
    context.fail(ErrorCode::kValue, *node.find("t"), "section: `t` must be at most half of `d`");
  }
}

SectionSpec read_section(NativeContext& context, const YamlNode& node) {
  Fields fields(context, node, "section");
  SectionSpec section;
  // All measures are read first: which of them are there decides the kind, as the format has no word for it.
  const auto b = read_ends(context, fields, "b", kLength);
  const auto h = read_ends(context, fields, "h", kLength);
  const auto wall = read_ends(context, fields, "t", kLength);
  const auto diameter = read_ends(context, fields, "d", kLength);
  const auto radius = read_ends(context, fields, "radius", kLength);
  const auto inner = read_ends(context, fields, "inner_radius", kLength);
  const auto area = read_ends(context, fields, "area", {2, 0});
  const auto Iy = read_ends(context, fields, "Iy", {4, 0});
  const auto Iz = read_ends(context, fields, "Iz", {4, 0});
  const auto J = read_ends(context, fields, "J", {4, 0});
  // Optional apart from the others: where it is missing, Iy + Iz stands in for it.
  section.polar = read_ends(context, fields, "polar", {4, 0});
  if (const YamlNode* shear = fields.find("shear_factors")) {
    const std::vector<double> values = context.numbers(*shear, "section: `shear_factors`", kNone);
    // One for each direction across the beam.
    if (values.size() != 2)
      context.fail(ErrorCode::kType, *shear, "section: `shear_factors` are two numbers [kappa_y, kappa_z]");
    else
      section.shear_factors = std::array{values[0], values[1]};
  }
  fields.done();
  // Each kind refuses the measures of the others: mixed, they would say two different areas.
  const bool moments = area || Iy || Iz || J || section.polar;
  const bool rectangle = b && h && !radius && !inner && !diameter && !moments;
  const bool circle = radius && !b && !h && !diameter && !wall && !moments;
  const bool pipe = diameter && !b && !h && !radius && !inner && !moments;
  const bool general = area && !b && !h && !radius && !inner && !diameter && !wall;
  if (!rectangle && !circle && !pipe && !general) {
    context.fail(ErrorCode::kName, node,
                 "a section is {b, h}, {b, h, t}, {radius, inner_radius}, {d, t} or {area, Iy, Iz, J}");
  }
  // A wall of 0 would say a solid bar where a tube is meant.
  if (wall && !((*wall)[0] > 0 && (*wall)[1] > 0)) {
    context.fail(ErrorCode::kValue, *node.find("t"), "section: `t` must be above 0; leave it out for a solid bar");
  }
  // A failure is on record where none fits; kGeneral keeps the switch below total.
  section.kind = rectangle ? SectionKind::kRectangle : circle || pipe ? SectionKind::kCircle : SectionKind::kGeneral;
  const SectionSpec::Ends zero = {0, 0};
  section.b = b.value_or(zero);
  section.h = h.value_or(zero);
  section.wall = rectangle ? wall.value_or(zero) : zero;
  section.radius = radius.value_or(zero);
  section.inner_radius = inner.value_or(zero);
  section.area = area.value_or(zero);
  section.Iy = Iy.value_or(zero);
  section.Iz = Iz.value_or(zero);
  section.J = J.value_or(zero);
  if (pipe) set_pipe(context, node, *diameter, wall, section);
  return section;
}

model::BeamSpec read_beam(NativeContext& context, Fields& fields) {
  model::BeamSpec beam;
  for (const auto& [key, point] : {std::pair("from", &beam.from), std::pair("to", &beam.to)}) {
    if (const YamlNode* node = fields.require(key))
      *point = context.vector(*node, fmt::format("{}: `{}`", fields.what(), key), kLength);
  }
  if (const YamlNode* node = fields.require("section")) beam.section = read_section(context, *node);
  if (const YamlNode* node = fields.find("theory")) {
    const std::optional<model::BeamTheory> theory = model::find_beam_theory(context.text(*node, "`theory`"));
    if (!theory)
      context.fail(ErrorCode::kValue, *node,
                   fmt::format("unknown theory {}; it is euler or timoshenko", describe(*node)));
    beam.theory = theory.value_or(model::BeamTheory::kEuler);
  }
  // A direction has no unit.
  beam.y_axis = fields.optional_vector("y_axis", kNone);
  if (const YamlNode* node = fields.find("damping")) {
    Fields damping(context, *node, fmt::format("{}: `damping`", fields.what()));
    // [N s/m^2] and [N/m^2] per metre of the beam: the file's length enters with power -2.
    beam.viscous = damping.number("viscous", 0, {-2, 0});
    beam.kelvin_voigt = damping.number("kelvin_voigt", 0, kNone);
    damping.done();
  }
  beam.foundation = fields.number("foundation", 0, {-2, 0});
  if (const YamlNode* node = fields.find("segments")) {
    const double count = context.number(*node, fmt::format("{}: `segments`", fields.what()), kNone);
    // A number beyond this is a typing error, and each segment costs memory.
    if (!(count >= 1 && count <= 1e6 && count == std::floor(count))) {
      context.fail(ErrorCode::kValue, *node,
                   fmt::format("{}: `segments` is a whole number from 1 to 1000000", fields.what()));
    } else {
      beam.segments = static_cast<int>(count);
    }
  }
  return beam;
}

Eigen::Matrix3d read_inertia(NativeContext& context, const YamlNode& node, const std::string& what) {
  std::vector<double> values = context.numbers(node, fmt::format("{}: `inertia`", what), {2, 0});
  // Three numbers are the diagonal; the products of inertia follow the moments, so that zeros can be appended.
  if (values.size() == 3) values.resize(6, 0.0);
  if (values.size() != 6) {
    context.fail(ErrorCode::kType, node,
                 fmt::format("{}: `inertia` is [ixx, iyy, izz] or [ixx, iyy, izz, ixy, ixz, iyz]", what));
    return Eigen::Matrix3d::Zero();
  }
  // Products of inertia as they stand in the matrix, not with the sign turned.
  return math::matrix_from_moments(Eigen::Map<const Eigen::Matrix<double, 6, 1>>(values.data()));
}

BodySpec read_body(NativeContext& context, const YamlNode& node) {
  Fields fields(context, node, "a body");
  BodySpec body;
  body.where = context.where(node);
  if (const YamlNode* name = fields.require("name")) body.name = context.text(*name, "the name of a body");
  // From here on messages call the body by its name.
  fields.rename(fmt::format("body {}", in_quotes(body.name)));
  if (const YamlNode* kind = fields.find("kind")) {
    const std::optional<BodyKind> found = model::find_body_kind(context.text(*kind, "`kind`"));
    if (!found) {
      context.fail(ErrorCode::kValue, *kind,
                   fmt::format("{}: unknown kind {}; it is rigid, point, beam, rod, shaft, pseudo_rigid or obstacle",
                               fields.what(), describe(*kind)));
    }
    // A failure is on record; any kind lets the reading end.
    body.kind = found.value_or(BodyKind::kRigid);
  }
  // Mass and inertia stay optional here: compile() weighs the shapes where they are absent.
  body.mass = fields.optional_number("mass", kNone);
  body.com = fields.optional_vector("com", kLength);
  if (const YamlNode* inertia = fields.find("inertia")) body.inertia = read_inertia(context, *inertia, fields.what());
  if (const YamlNode* pose = fields.find("pose"))
    body.pose = read_pose(context, *pose, fmt::format("{}: `pose`", fields.what()));
  if (const YamlNode* velocity = fields.find("velocity")) {
    Fields parts(context, *velocity, fmt::format("{}: `velocity`", fields.what()));
    // Either of the two may be left out: a body may turn in place.
    body.velocity = model::VelocitySpec{parts.optional_vector("linear", kLength).value_or(Vector3d::Zero()),
                                        parts.optional_vector("angular", kAngle).value_or(Vector3d::Zero())};
    parts.done();
  }
  if (const YamlNode* shapes = fields.find("shapes")) {
    for (const YamlNode& shape : list_items(context, *shapes, fmt::format("{}: `shapes`", fields.what()))) {
      body.shapes.push_back(read_shape(context, shape, body.name));
    }
  }
  body.material = fields.text("material", "");
  // Directions in which the body may vibrate; `active` of the model holds for those that have none.
  if (const YamlNode* active = fields.find("active")) body.active = read_active(context, *active);
  // `from`, `to` and `section` belong to elastic kinds only; for others done() reports them as unknown.
  const bool elastic = body.kind == BodyKind::kBeam || body.kind == BodyKind::kRod || body.kind == BodyKind::kShaft;
  if (elastic) body.beam = read_beam(context, fields);
  fields.done();
  return body;
}

}  // namespace

void read_materials(NativeContext& context, const YamlNode& node, model::ModelSpec& spec) {
  if (node.kind != Kind::kMap) {
    context.fail(ErrorCode::kType, node,
                 fmt::format("`materials` must be a map {{name: {{density: ...}}}}, not {}", describe(node)));
  }
  for (const YamlEntry& entry : node.entries) {
    Fields fields(context, entry.value, fmt::format("material {}", in_quotes(entry.key)));
    model::MaterialSpec material;
    material.name = entry.key;
    material.where = {context.file, entry.line, 0};
    // Kilograms per cubic length of the file; E and G are newtons per square length.
    material.density = fields.optional_number("density", {-3, 0});
    material.young = fields.optional_number("E", {-2, 0});
    material.shear = fields.optional_number("G", {-2, 0});
    material.friction = fields.optional_number("friction", kNone);
    material.restitution = fields.optional_number("restitution", kNone);
    fields.done();
    spec.materials.push_back(std::move(material));
  }
}

void read_bodies(NativeContext& context, const YamlNode& node, model::ModelSpec& spec) {
  for (const YamlNode& body : list_items(context, node, "`bodies`")) {
    if (context.failed()) return;
    spec.bodies.push_back(read_body(context, body));
  }
}

}  // namespace espalier::formats::detail
