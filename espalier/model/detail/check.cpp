#include "espalier/model/detail/check.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"

namespace espalier::model::detail {
namespace {

using Eigen::Vector3d;

bool finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

// Squares of distances, and products of those, must be numbers: what lies farther away has the wrong unit.
constexpr double kFarthest = 1e50;  // [m]
// The same for masses and inertias, of which many are added and multiplied.
constexpr double kHeaviest = 1e300;  // [kg, kg m^2]

// Hulls are found in a time that grows with the square of this.
constexpr std::size_t kMostHullPoints = 4096;

// Not by the largest of the three alone: maxCoeff() may pass over a NaN.
bool near(const Vector3d& point) { return (point.array().abs() <= kFarthest).all(); }

// Looser than rounding: files have six digits, and poses are normalised where they are read.
bool finite(const math::Pose& pose) {
  return near(pose.position) && pose.rotation.coeffs().allFinite() && std::abs(pose.rotation.norm() - 1) < 1e-6;
}

// The message is a function: it is put together only where it is needed.
Result<void> must(bool condition, ErrorCode code, const Where& where, const auto& message) {
  if (condition) return {};
  return make_error(code, where, message());
}

Result<void> check_optional(const std::optional<double>& value, const char* field, const std::string& owner,
                            // Not (value < low): a NaN must fail too.
                            const Where& where, double low, double high = INFINITY) {
  if (!value || (std::isfinite(*value) && *value >= low && *value <= high)) return {};
  return make_error(ErrorCode::kValue, where,
                    std::isfinite(high)
                        ? fmt::format("{}: {} = {} must lie between {} and {}", owner, field, *value, low, high)
                        : fmt::format("{}: {} = {} must be a finite number, {} or more", owner, field, *value, low));
}

Result<void> check_ends(const SectionSpec::Ends& ends, const char* field, const BodySpec& body,
                        bool may_be_zero = false) {
  for (const double value : ends) {
    if (std::isfinite(value) && (value > 0 || (may_be_zero && value == 0))) continue;
    return make_error(ErrorCode::kValue, body.where,
                      fmt::format("body {}: section {} = {} must be {}", in_quotes(body.name), field, value,
                                  may_be_zero ? "zero or more" : "positive"));
  }
  return {};
}

Result<void> check_wall(const SectionSpec& section, const BodySpec& body) {
  if (section.wall == SectionSpec::Ends{0, 0}) return {};
  // Solid at one end alone: the wall between could be anything.
  ESPALIER_TRY(check_ends(section.wall, "t", body));
  for (std::size_t k = 0; k < 2; ++k) {
    const double most = std::min(section.b[k], section.h[k]) / 2;
    if (section.wall[k] <= most) continue;
    return make_error(ErrorCode::kValue, body.where,
                      fmt::format("body {}: section t = {} must be at most {}, half of the smaller side",
                                  in_quotes(body.name), section.wall[k], most));
  }
  return {};
}

Result<void> check_section(const BodySpec& body) {
  const SectionSpec& section = body.beam->section;
  // Only the measures that the kind uses: the others keep their zeros.
  switch (section.kind) {
    case SectionKind::kRectangle:
      ESPALIER_TRY(check_ends(section.b, "b", body));
      ESPALIER_TRY(check_ends(section.h, "h", body));
      ESPALIER_TRY(check_wall(section, body));
      break;
    case SectionKind::kCircle:
      ESPALIER_TRY(check_ends(section.radius, "radius", body));
      ESPALIER_TRY(check_ends(section.inner_radius, "inner_radius", body, true));
      for (int k = 0; k < 2; ++k) {
        // A tube without a wall has no stiffness, and one inside out a negative area.
        if (section.inner_radius[k] < section.radius[k]) continue;
        return make_error(ErrorCode::kValue, body.where,
                          fmt::format("body {}: inner_radius must be smaller than radius", in_quotes(body.name)));
      }
      break;
    case SectionKind::kGeneral:
      ESPALIER_TRY(check_ends(section.area, "area", body));
      // A rod only stretches and a shaft only twists: what a kind uses must be positive.
      ESPALIER_TRY(check_ends(section.Iy, "Iy", body, body.kind != BodyKind::kBeam));
      ESPALIER_TRY(check_ends(section.Iz, "Iz", body, body.kind != BodyKind::kBeam));
      ESPALIER_TRY(check_ends(section.J, "J", body, body.kind == BodyKind::kRod));
      if (section.polar) ESPALIER_TRY(check_ends(*section.polar, "polar", body, true));
      break;
  }
  // Where they are missing and cannot be found, modes asks for them: only Timoshenko's theory needs any.
  return section.shear_factors ? check_ends(*section.shear_factors, "shear_factors", body) : Result<void>();
}

Result<void> check_beam(const BodySpec& body) {
  const BeamSpec& beam = *body.beam;
  const double length = (beam.to - beam.from).norm();
  // Its direction is the axis of everything below: a beam without a length has none.
  if (!near(beam.from) || !near(beam.to) || length <= 0) {
    return make_error(ErrorCode::kValue, body.where,
                      fmt::format("{} {} has no length; `from` and `to` must be two points, not beyond 1e50 m",
                                  word(body.kind), in_quotes(body.name)));
  }
  // y_axis turns the section about the beam; along it there would be no such turn.
  if (beam.y_axis && (!beam.y_axis->allFinite() ||
                      (beam.to - beam.from).cross(*beam.y_axis).norm() <= 1e-9 * length * beam.y_axis->norm())) {
    return make_error(
        ErrorCode::kValue, body.where,
        fmt::format("{} {}: y_axis must not be parallel to its axis", word(body.kind), in_quotes(body.name)));
  }
  const std::string owner = fmt::format("body {}", in_quotes(body.name));
  ESPALIER_TRY(check_optional(beam.viscous, "viscous", owner, body.where, 0));
  ESPALIER_TRY(check_optional(beam.kelvin_voigt, "kelvin_voigt", owner, body.where, 0));
  ESPALIER_TRY(check_optional(beam.foundation, "foundation", owner, body.where, 0));
  // 0 leaves the number to the solver; more than a million is a typing mistake.
  if (beam.segments < 0 || beam.segments > 1'000'000) {
    return make_error(ErrorCode::kValue, body.where, fmt::format("{}: segments must lie between 1 and 1000000", owner));
  }
  return check_section(body);
}

Result<void> check_list(const JointSpec& joint, std::span<const double> values, const char* field,
                        bool negative_allowed) {
  const JointKind& kind = joint_kind(joint.type);
  if (values.empty()) return {};
  // Lists are empty or complete: a partial one would leave open which coordinate was meant.
  if (static_cast<int>(values.size()) != kind.freedom) {
    return make_error(
        ErrorCode::kType, joint.where,
        kind.freedom == 0
            ? fmt::format("joint {} is fixed and has no coordinate for `{}`; for an elastic hinge use `type: free`",
                          in_quotes(joint.name), field)
            : fmt::format("joint {} is {} and takes {} for `{}`, not {}", in_quotes(joint.name), kind.name,
                          counted(kind.freedom, "number"), field, values.size()));
  }
  for (const double value : values) {
    // Negative damping or friction would feed energy in, a negative stiffness push away; rates and rests have a sign.
    if (std::isfinite(value) && (negative_allowed || value >= 0)) continue;
    return make_error(ErrorCode::kValue, joint.where,
                      fmt::format("joint {}: `{}` = {} must be {}", in_quotes(joint.name), field, value,
                                  negative_allowed ? "finite" : "zero or more"));
  }
  return {};
}

Result<void> check_limits(const JointSpec& joint) {
  if (joint.limits.empty()) return {};
  const JointKind& kind = joint_kind(joint.type);
  // Limits of a ball or a free joint would be limits of a quaternion's components.
  if (kind.position_size != kind.freedom || static_cast<int>(joint.limits.size()) != kind.freedom) {
    return make_error(
        ErrorCode::kType, joint.where,
        kind.position_size != kind.freedom
            ? fmt::format("joint {} is {}, which takes no `limits`; remove them", in_quotes(joint.name), kind.name)
            : fmt::format("joint {} is {} and takes {} of limits, not {}", in_quotes(joint.name), kind.name,
                          counted(kind.freedom, "pair"), joint.limits.size()));
  }
  for (const auto& [low, high] : joint.limits) {
    // Equal limits are allowed: they hold a coordinate where it is.
    if (std::isfinite(low) && std::isfinite(high) && low <= high) continue;
    return make_error(
        ErrorCode::kValue, joint.where,
        fmt::format("joint {}: limits [{}, {}] must be finite, the lower one first", in_quotes(joint.name), low, high));
  }
  return {};
}

}  // namespace

Result<void> Names::add(const std::string& name, const Where& where) {
  if (name.empty()) return make_error(ErrorCode::kName, where, fmt::format("a {} without a name; give it one", what_));
  // Names become keys, and YAML takes keys of at most 1024 characters on one line.
  constexpr std::size_t kLongest = 500;
  const bool control =
      std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (control || name.size() > kLongest) {
    return make_error(ErrorCode::kLimit, where,
                      fmt::format("the name {} of a {} {}; shorten it to one line", in_quotes(name), what_,
                                  control ? "holds control characters" : "is longer than 500 bytes"));
  }
  // Two elements of one name would make every later reference a guess.
  // The map finds a name; the two lists keep the order, and where each was first written.
  const auto [entry, is_new] = index_.emplace(name, static_cast<int>(names_.size()));
  if (!is_new) {
    const Where& first = places_[to_index(entry->second)];
    const std::string there = first.line > 0 ? fmt::format(" (first in line {})", first.line) : std::string();
    return make_error(ErrorCode::kName, where,
                      fmt::format("two {} named {}{}; rename one",
                                  std::string_view(what_) == "body" ? "bodies are" : fmt::format("{}s are", what_),
                                  in_quotes(name), there));
  }
  names_.push_back(name);
  places_.push_back(where);
  return {};
}

std::optional<int> Names::find(const std::string& name) const {
  const auto entry = index_.find(name);
  return entry == index_.end() ? std::nullopt : std::optional(entry->second);
}

Result<void> check_material(const MaterialSpec& material) {
  const std::string owner = fmt::format("material {}", in_quotes(material.name));
  ESPALIER_TRY(check_optional(material.density, "density", owner, material.where, 0));
  ESPALIER_TRY(check_optional(material.young, "E", owner, material.where, 0));
  ESPALIER_TRY(check_optional(material.shear, "G", owner, material.where, 0));
  ESPALIER_TRY(check_optional(material.friction, "friction", owner, material.where, 0));
  return check_optional(material.restitution, "restitution", owner, material.where, 0, 1);
}

Result<void> check_shape(const ShapeSpec& shape, const std::string& body) {
  const auto wrong = [&](const std::string& what) {
    return make_error(ErrorCode::kValue, shape.where,
                      fmt::format("{} of body {}: {}", word(shape.kind), in_quotes(body), what));
  };
  const auto numbers = [&](int count) {
    std::string text = number_text(shape.size[0]);
    for (int k = 1; k < count; ++k) text += ", " + number_text(shape.size[k]);
    return text;
  };
  if (!finite(shape.pose)) return wrong("`at` must hold finite numbers, none beyond 1e50 m, and a unit rotation");
  const Vector3d& s = shape.size;
  // Before they are compared: a NaN would pass each `<= 0` below.
  if (!near(s)) return wrong("its measures must be finite, none beyond 1e50 m");
  switch (shape.kind) {
    case ShapeKind::kSphere:
      if (s[0] <= 0) return wrong(fmt::format("the radius must be positive, it is {}", numbers(1)));
      break;
    case ShapeKind::kCapsule:
    case ShapeKind::kCylinder:
      if (s[0] <= 0 || s[1] <= 0)
        return wrong(fmt::format("radius and length must be positive, they are {}", numbers(2)));
      break;
    case ShapeKind::kBox:
    case ShapeKind::kEllipsoid:
      if (s.minCoeff() <= 0) return wrong(fmt::format("all three measures must be positive, they are {}", numbers(3)));
      break;
    case ShapeKind::kHull:
      // Fewer points span no volume.
      if (shape.points.size() < 4)
        return wrong(fmt::format("a hull needs at least four points, it has {}", shape.points.size()));
      if (shape.points.size() > kMostHullPoints)
        return wrong(fmt::format("a hull of {} points; {} are the most, fewer do as well", shape.points.size(),
                                 kMostHullPoints));
      for (const Vector3d& p : shape.points) {
        if (!near(p)) return wrong("its points must be finite, none beyond 1e50 m");
      }
      break;
    case ShapeKind::kMesh:
      // Whether the file can be read is seen by the room that opens it.
      if (shape.file.empty()) return wrong("a mesh needs a `file`");
      break;
    case ShapeKind::kPlane:
      break;
  }
  return {};
}

Result<void> check_body(const BodySpec& body) {
  const auto wrong = [&](const char* what) {
    return make_error(ErrorCode::kValue, body.where, fmt::format("body {}: {}", in_quotes(body.name), what));
  };
  if (!finite(body.pose)) return wrong("`pose` must hold finite numbers, none beyond 1e50 m, and a unit rotation");
  // Not (|mass| > most): a NaN must fail too.
  if (body.mass && !(std::abs(*body.mass) <= kHeaviest)) return wrong("`mass` must be a finite number, at most 1e300");
  if (body.com && !near(*body.com)) return wrong("`com` must be finite, not beyond 1e50 m");
  if (body.inertia && !(body.inertia->array().abs() <= kHeaviest).all()) {
    return wrong("`inertia` must be finite, at most 1e300");
  }
  if (body.velocity && !(body.velocity->linear.allFinite() && body.velocity->angular.allFinite())) {
    return wrong("`velocity` must be finite");
  }
  const bool elastic = body.kind == BodyKind::kBeam || body.kind == BodyKind::kRod || body.kind == BodyKind::kShaft;
  // Otherwise a beam would be computed as rigid, or a section be dropped, without a word.
  if (elastic != body.beam.has_value()) {
    return wrong(elastic ? "this kind needs `from`, `to` and `section`"
                         : "`from`, `to` and `section` belong to `kind: beam`, `rod` or `shaft`");
  }
  return elastic ? check_beam(body) : Result<void>();
}

// As an edge of the plan's graph: sums over a million of them still tell 1e-3 apart.
Result<void> check_edge(const JointSpec& joint, const std::optional<double>& value, const char* field) {
  return must(!value || (*value > 0 && *value <= 1e12), ErrorCode::kValue, joint.where, [&] {
    return fmt::format("joint {}: {} = {} must be positive and at most 1e12", in_quotes(joint.name), field, *value);
  });
}

Result<void> check_joint(const JointSpec& joint) {
  const auto wrong = [&](const char* what) {
    return make_error(ErrorCode::kValue, joint.where, fmt::format("joint {}: {}", in_quotes(joint.name), what));
  };
  // All three, whichever counts: the others hold their defaults, which pass.
  if ((joint.at && !finite(*joint.at)) || !finite(joint.in_a) || !finite(joint.in_b)) {
    return wrong("its frames must hold finite numbers, none beyond 1e50 m, and unit rotations");
  }
  const bool screw = joint.type == JointType::kScrew;
  // Zero would make the screw a hinge whose thread nobody sees.
  if (screw && !(std::isfinite(joint.pitch) && joint.pitch != 0))
    return wrong("a screw needs `pitch` in metres per turn, not zero");
  // Ignored it would hide that the type is not the one that was meant.
  if (!screw && joint.pitch != 0) return wrong("`pitch` belongs to `type: screw` alone");
  ESPALIER_TRY(check_list(joint, joint.velocity, "velocity", true));
  ESPALIER_TRY(check_list(joint, joint.stiffness, "stiffness", false));
  ESPALIER_TRY(check_list(joint, joint.damping, "damping", false));
  ESPALIER_TRY(check_list(joint, joint.rest, "rest", true));
  ESPALIER_TRY(check_list(joint, joint.friction, "friction", false));
  ESPALIER_TRY(check_list(joint, joint.armature, "armature", false));
  const std::string owner = fmt::format("joint {}", in_quotes(joint.name));
  ESPALIER_TRY(check_optional(joint.effort_limit, "effort_limit", owner, joint.where, 0));
  ESPALIER_TRY(check_optional(joint.velocity_limit, "velocity_limit", owner, joint.where, 0));
  ESPALIER_TRY(check_edge(joint, joint.weight, "weight"));
  ESPALIER_TRY(check_edge(joint, joint.length, "length"));
  if (joint.transmission) {
    const double reduction = joint.transmission->reduction;
    if (!joint.actuated) return wrong("`transmission` belongs to a joint with `actuated: true`");
    if (!std::isfinite(reduction) || reduction == 0)
      return wrong("the `reduction` of a transmission is a number, not zero");
  }
  return check_limits(joint);
}

Result<void> check_coupling(const CouplingSpec& coupling) {
  const auto wrong = [&](const char* what) {
    return make_error(ErrorCode::kValue, coupling.where, fmt::format("coupling: {}", what));
  };
  if (coupling.joints.empty()) return wrong("it names no joint; list them under `joints`");
  if (!std::isfinite(coupling.offset) || !finite(coupling.ratio) || !finite(coupling.polynomial))
    return wrong("its numbers must be finite");
  if (!coupling.polynomial.empty()) {
    // A polynomial has one argument.
    if (coupling.joints.size() > 2)
      return wrong("a polynomial couples two joints, q0 = c0 + c1 q1 + ...; use `ratio` for more");
    // Both would be two laws in one, and only one of them would count.
    if (!coupling.ratio.empty()) return wrong("give either `ratio` or `polynomial`");
    if (coupling.offset != 0) return wrong("`offset` goes with `ratio`; a polynomial has c0");
    return {};
  }
  if (coupling.ratio.size() != coupling.joints.size()) return wrong("`ratio` needs one number for each joint");
  // An equation of zeros would make the loop equations singular.
  if (std::all_of(coupling.ratio.begin(), coupling.ratio.end(), [](double r) { return r == 0; })) {
    return wrong("all ratios are zero, which couples nothing");
  }
  return {};
}

namespace {

// A corner in a position is a jump of the velocity, which takes an endless force.
Result<void> check_motion(const MotionSpec& motion, const Where& where) {
  const std::vector<NamedTable>& tables = motion.value.tables;
  const auto straight = std::find_if(tables.begin(), tables.end(), [](const NamedTable& table) {
    return table.table->between == Table::Between::kLinear;
  });
  return must(motion.is_velocity || straight == tables.end(), ErrorCode::kValue, where, [&] {
    return fmt::format(
        "a prescribed position must have no corners, and table {} has straight lines between its rows; "
        "write `between: cubic` there, or prescribe the `velocity`",
        in_quotes(straight->name));
  });
}

}  // namespace

Result<void> check_force(const ForceSpec& force) {
  const auto wrong = [&](const char* what) { return make_error(ErrorCode::kValue, force.where, what); };
  if (const SpringSpec* spring = std::get_if<SpringSpec>(&force.law)) {
    if (!near(spring->point_a) || !near(spring->point_b)) {
      return wrong("spring: its points must be finite, none beyond 1e50 m");
    }
    ESPALIER_TRY(check_optional(spring->stiffness, "stiffness", "spring", force.where, 0));
    ESPALIER_TRY(check_optional(spring->damping, "damping", "spring", force.where, 0));
    ESPALIER_TRY(check_optional(spring->length, "length", "spring", force.where, 0));
    if (!std::isfinite(spring->tension)) return wrong("spring: `tension` must be finite");
    // A rope may be slack down to length zero, but must end somewhere.
    if (spring->limits && !((*spring->limits)[0] >= 0 && (*spring->limits)[1] >= (*spring->limits)[0] &&
                            (*spring->limits)[1] > 0 && std::isfinite((*spring->limits)[1]))) {
      return wrong("spring: `limits` are lengths [low, high], with 0 <= low <= high and high above 0");
    }
  } else if (const BushingSpec* bushing = std::get_if<BushingSpec>(&force.law)) {
    if (!finite(bushing->frame))
      return wrong("bushing: its frame must hold finite numbers, none beyond 1e50 m, and a unit rotation");
    for (std::size_t k = 0; k < 6; ++k) {
      ESPALIER_TRY(check_optional(bushing->stiffness[k], "stiffness", "bushing", force.where, 0));
      ESPALIER_TRY(check_optional(bushing->damping[k], "damping", "bushing", force.where, 0));
    }
  } else if (const LoadSpec* load = std::get_if<LoadSpec>(&force.law)) {
    // Neither says nothing, both say two things.
    if (load->joint.empty() == load->body.empty())
      return wrong("a force or torque acts on either a `joint` or a `body`");
    const std::size_t count = load->joint.empty() ? 3 : 1;
    if (load->value.size() != count) {
      return wrong(count == 3 ? "on a body, `value` needs three components"
                              : "on a joint, `value` is one number or expression");
    }
    if (load->at && !near(*load->at)) return wrong("`at` must be finite, not beyond 1e50 m");
  } else if (const MotionSpec* motion = std::get_if<MotionSpec>(&force.law)) {
    return check_motion(*motion, force.where);
  }
  return {};
}

Result<void> check_input(const Expression::Input& input, const Joint& joint, const Where& where) {
  const JointKind& kind = joint_kind(joint.type);
  const std::string start =
      fmt::format("a formula names {}, and joint {} is {}", input_text(input), in_quotes(joint.name), kind.name);
  // A rotation in space is no list of numbers that grow with the turns about some axes.
  if (kind.position_size != kind.freedom)
    return make_error(ErrorCode::kUnsupported, where,
                      start + ", which has no coordinates of its own; name joints that turn or slide about fixed axes");
  if (input.coordinate < kind.freedom) return {};
  return make_error(
      ErrorCode::kValue, where,
      fmt::format("{}{}", start,
                  kind.freedom == 0 ? std::string(" and does not move; name another")
                                    : fmt::format(" and has {}; count from 1", counted(kind.freedom, "coordinate"))));
}

Result<void> check_position(const KeyframeSpec& keyframe, const std::string& joint, const JointKind& kind,
                            const std::vector<double>& position) {
  if (kind.position_size == kind.freedom) return {};
  // A quaternion stands last in the positions of a ball and of a free joint.
  const Eigen::Vector4d quaternion = Eigen::Map<const Eigen::Vector4d>(position.data() + position.size() - 4);
  return must(std::abs(quaternion.norm() - 1) <= 1e-3, ErrorCode::kValue, keyframe.where, [&] {
    return fmt::format("keyframe {}: the quaternion [w, x, y, z] of joint {} has length {:.4g}; it must have length 1",
                       in_quotes(keyframe.name), in_quotes(joint), quaternion.norm());
  });
}

Result<void> check_contact(const ContactSpec& contact) {
  ESPALIER_TRY(check_optional(contact.margin, "margin", "contact", contact.where, 0));
  ESPALIER_TRY(check_optional(contact.friction, "friction", "contact", contact.where, 0));
  return check_optional(contact.restitution, "restitution", "contact", contact.where, 0, 1);
}

Result<void> check_beam_material(const BodySpec& body, const MaterialSpec* material) {
  const bool bends = body.kind != BodyKind::kShaft;
  // Euler's theory bends by E alone; Timoshenko's shear and a shaft's twist need G.
  const bool twists = body.kind == BodyKind::kShaft || body.beam->theory == BeamTheory::kTimoshenko;
  const auto has = [](const std::optional<double>& modulus) { return modulus && *modulus > 0; };
  // The first thing that is missing, in the order in which a user would add them.
  const char* lacks = material == nullptr               ? "a `material`"
                      : bends && !has(material->young)  ? "a material with `E`"
                      : twists && !has(material->shear) ? "a material with `G`"
                                                        : nullptr;
  return must(lacks == nullptr, ErrorCode::kValue, body.where,
              [&] { return fmt::format("{} {} needs {}", word(body.kind), in_quotes(body.name), lacks); });
}

Result<void> check_on_beam(const Body& body, const Vector3d& point, const JointSpec& joint) {
  if (!body.beam) return {};
  const Vector3d axis = body.beam->to - body.beam->from;
  const double along = std::clamp(axis.dot(point - body.beam->from) / axis.squaredNorm(), 0.0, 1.0);
  const double gap = (point - body.beam->from - along * axis).norm();
  // Relative to the length: a beam of a micrometre and one of a kilometre are drawn with the same digits. A beam
  // transmits forces along its axis only: beside it there is no state.
  return must(gap <= 1e-6 * axis.norm(), ErrorCode::kTopology, joint.where, [&] {
    return fmt::format("joint {} holds {} {} {:.4g} m away from its axis; move it there, or weld a rigid body to it",
                       in_quotes(joint.name), word(body.kind), in_quotes(body.name), gap);
  });
}

}  // namespace espalier::model::detail
