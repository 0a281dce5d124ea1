#include "espalier/model/detail/mass.hpp"

#include <cmath>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::model::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

math::Inertia scaled(const math::Inertia& inertia, double factor) {
  return {inertia.mass * factor, inertia.com, inertia.about_com * factor};
}

// Sum over the shapes that have a volume, weighted by density, or, for a body whose mass is given, by volume where a
// density is missing or nothing weighs; visual shapes do not count.
Result<std::optional<math::Inertia>> inertia_of_shapes(const BodySpec& body, const DensityOf& density) {
  std::optional<math::Inertia> by_density, by_volume;
  bool all_known = true;
  for (const ShapeSpec& shape : body.shapes) {
    // What is only seen weighs nothing: robots have a second, finer set of shapes for the eye.
    if (shape.role == ShapeRole::kVisual) continue;
    const std::optional<math::Inertia> unit = solid_inertia(shape);
    // Planes, meshes in files and flat hulls have no volume to weigh.
    if (!unit) continue;
    const std::string& material = shape.material.empty() ? body.material : shape.material;
    const std::optional<double> rho = material.empty() ? std::nullopt : density(material);
    // With a mass given, a missing density is no gap: then volume distributes the mass.
    if (!rho && !body.mass) {
      return make_error(ErrorCode::kValue, shape.where,
                        fmt::format("body {} has no mass, and its {} no density to find it with; give `mass`, or a "
                                    "`material` with a `density`",
                                    in_quotes(body.name), word(shape.kind)));
    }
    all_known = all_known && rho;
    const math::Inertia part = math::transformed(shape.pose, *unit);
    const math::Inertia weighted = scaled(part, rho.value_or(0));
    by_volume = by_volume ? *by_volume + part : part;
    by_density = by_density ? *by_density + weighted : weighted;
  }
  const bool weighs = by_density && by_density->mass > 0;
  // One density missing makes the weights of the others meaningless beside it.
  return body.mass && !(all_known && weighs) ? by_volume : by_density;
}

// Columns: local x, y, z of a beam in its body.
Matrix3d beam_axes(const BeamSpec& beam) {
  const Vector3d x = beam.to - beam.from;
  return math::rotation_with_xy(x, beam.y_axis.value_or(default_y_axis(x))).toRotationMatrix();
}

math::Inertia beam_as_rigid(const BodySpec& body, double density) {
  const BeamSpec& beam = *body.beam;
  const Vector3d axis = beam.to - beam.from;
  const double length = axis.norm();
  // Three-point Gauss: exact for areas that change quadratically.
  constexpr std::array kPoint = {0.1127016653792583, 0.5, 0.8872983346207417};
  constexpr std::array kWeight = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  const Matrix3d R = beam_axes(beam);
  math::Inertia total;
  for (int k = 0; k < 3; ++k) {
    const SectionValues section = section_at(beam.section, kPoint[k]);
    const double slice = density * length * kWeight[k];
    // Moments of a slice of no thickness: those of its area, the polar one about the beam.
    const Matrix3d disc = R * Vector3d(section.polar, section.Iy, section.Iz).asDiagonal() * R.transpose();
    total = total + math::Inertia{slice * section.area, beam.from + kPoint[k] * axis, slice * disc};
  }
  return total;
}

Result<math::Inertia> elastic_inertia(const BodySpec& body, const DensityOf& density) {
  if (body.mass || body.inertia || body.com) {
    return make_error(ErrorCode::kValue, body.where,
                      fmt::format("the mass of {} {} comes from its section and material; remove `mass`, `com` and "
                                  "`inertia`",
                                  word(body.kind), in_quotes(body.name)));
  }
  const std::optional<double> rho = density(body.material);
  if (!rho) {
    return make_error(ErrorCode::kValue, body.where,
                      fmt::format("{} {} needs a `material` with a `density`", word(body.kind), in_quotes(body.name)));
  }
  if (!(*rho > 0)) {
    return make_error(ErrorCode::kValue, body.where,
                      fmt::format("{} {} is of {}, whose `density` is 0: what has stiffness and no mass has no "
                                  "vibrations of its own; give the density, or make it a joint with a stiffness",
                                  word(body.kind), in_quotes(body.name), in_quotes(body.material)));
  }
  return beam_as_rigid(body, *rho);
}

Result<math::Inertia> given_inertia(const BodySpec& body, bool impossible_allowed) {
  const math::Inertia inertia{*body.mass, body.com.value_or(Vector3d::Zero()), body.inertia.value_or(Matrix3d::Zero())};
  const Vector3d p = math::principal_moments(inertia.about_com);
  // Rounding of a file may leave a moment just below zero; kImpossible is the share that is let pass.
  const bool negative = p[0] < -kImpossible * p.cwiseAbs().maxCoeff();
  if (negative || (!impossible_allowed && math::impossibility(inertia.about_com) > kImpossible)) {
    return make_error(
        ErrorCode::kValue, body.where,
        fmt::format(
            "body {}: no mass distribution has the principal moments {:.6g}, {:.6g}, {:.6g} kg m^2: each must be "
            "positive and at most the sum of the other two; check the order (ixx iyy izz ixy ixz iyz), the units, "
            "and that they are about the centre of mass",
            in_quotes(body.name), p[0], p[1], p[2]));
  }
  // Moments of inertia are made of mass.
  if (inertia.mass == 0 && inertia.about_com.norm() > 0) {
    return make_error(
        ErrorCode::kValue, body.where,
        fmt::format("body {} has an inertia but no mass; give `mass`, or zero inertia", in_quotes(body.name)));
  }
  return inertia;
}

}  // namespace

Result<math::Inertia> body_inertia(const BodySpec& body, const DensityOf& density, bool impossible_allowed) {
  const auto missing = [&](const char* what) {
    return make_error(ErrorCode::kValue, body.where, fmt::format("body {} {}", in_quotes(body.name), what));
  };
  if (body.kind == BodyKind::kObstacle) return math::Inertia{};
  if (body.beam) return elastic_inertia(body, density);
  if (body.mass && (!std::isfinite(*body.mass) || *body.mass < 0)) {
    return missing("has a negative mass; a mass is zero or more");
  }
  if (body.kind == BodyKind::kPoint) {
    if (!body.mass) return missing("is a point without a mass; give `mass`");
    if (body.inertia) return missing("is a point, which has no rotational inertia; remove `inertia` or `kind: point`");
    return given_inertia(body, impossible_allowed);
  }
  // Zero mass is a frame: it needs no inertia.
  if (body.mass && (body.inertia || *body.mass == 0)) return given_inertia(body, impossible_allowed);
  if (!body.mass && body.inertia) return missing("has an inertia but no mass; give `mass`");

  // Mass without inertia, or neither: the shapes must tell.
  const Result<std::optional<math::Inertia>> shapes = inertia_of_shapes(body, density);
  ESPALIER_TRY(shapes);
  if (!*shapes) {
    return missing(body.mass ? "has a mass but no inertia; give `inertia`, shapes to find it from, or `kind: point`"
                             : "has no mass; give `mass` and `inertia`, or shapes with a material that has a density");
  }
  // Moments of the shapes about another point than their centre would belong to no body.
  if (body.com) return missing("has a `com` but no `inertia`; give both, or neither: the shapes have both");
  math::Inertia inertia = **shapes;
  // The shapes tell how the mass is spread, the number how much of it there is.
  if (body.mass) inertia = scaled(inertia, *body.mass / inertia.mass);
  return inertia;
}

}  // namespace espalier::model::detail
