#include "espalier/modes/detail/tapered.hpp"

#include "espalier/base/index.hpp"

namespace espalier::modes::detail {
namespace {

model::SectionValues segment_section(const model::SectionSpec& section, double from, double to) {
  const model::SectionValues start = model::section_at(section, from);
  const model::SectionValues middle = model::section_at(section, (from + to) / 2);
  const model::SectionValues end = model::section_at(section, to);
  // Simpson's rule: areas are quadratic at most, and it is exact for them.
  const double area = (start.area + 4 * middle.area + end.area) / 6;
  // I / A^2 is the same for all squares and for all circles, so that a segment of this area keeps the shape.
  const double ratio = (area / middle.area) * (area / middle.area);
  return {area, ratio * middle.Iy, ratio * middle.Iz, ratio * middle.J, ratio * middle.polar};
}

// [Cowper66], thin-walled box, with the measures of the middle of the wall; shear along a side of length `depth`.
double box_shear_factor(double depth, double width, double nu) {
  const double m = width / depth;
  const double n = m;
  const double plain = 12 + m * (72 + m * (150 + 90 * m));
  const double poisson = 11 + m * (66 + m * (135 + 90 * m));
  return 10 * (1 + nu) * (1 + 3 * m) * (1 + 3 * m) / (plain + nu * poisson + 10 * n * n * ((3 + nu) * m + 3 * m * m));
}

// The mean of both ends stands for a tapered tube, as for the other sections.
std::array<double, 2> tube_shear_factors(const model::SectionSpec& section, double nu) {
  const double wall = section.wall[0] + section.wall[1];
  const double b = section.b[0] + section.b[1] - wall;
  const double h = section.h[0] + section.h[1] - wall;
  return {box_shear_factor(h, b, nu), box_shear_factor(b, h, nu)};
}

}  // namespace

bool is_tapered(const model::SectionSpec& section) {
  const auto changes = [](const model::SectionSpec::Ends& ends) { return ends[0] != ends[1]; };
  switch (section.kind) {
    case model::SectionKind::kRectangle:
      return changes(section.b) || changes(section.h) || changes(section.wall);
    case model::SectionKind::kCircle:
      return changes(section.radius) || changes(section.inner_radius);
    case model::SectionKind::kGeneral:
      return changes(section.area) || changes(section.Iy) || changes(section.Iz) || changes(section.J) ||
             (section.polar && changes(*section.polar));
  }
  return false;
}

std::vector<model::SectionValues> segment_sections(const model::SectionSpec& section, int count, double from,
                                                   double to) {
  if (!is_tapered(section)) return std::vector(to_index(count), model::section_at(section, 0));
  std::vector<model::SectionValues> segments;
  for (int k = 0; k < count; ++k) {
    const auto place = [&](int j) { return from + (to - from) * (static_cast<double>(j) / count); };
    segments.push_back(segment_section(section, place(k), place(k + 1)));
  }
  return segments;
}

std::optional<std::array<double, 2>> shear_factors(const model::SectionSpec& section, double young, double shear) {
  if (section.shear_factors) return section.shear_factors;
  // G = E / 2 (1 + nu)
  const double nu = young / (2 * shear) - 1;
  switch (section.kind) {
    case model::SectionKind::kRectangle: {
      if (section.wall[0] + section.wall[1] > 0) return tube_shear_factors(section, nu);
      // [Cowper66], rectangle; below a tube of inner to outer radius m.
      const double kappa = 10 * (1 + nu) / (12 + 11 * nu);
      return std::array{kappa, kappa};
    }
    case model::SectionKind::kCircle: {
      const double m = (section.inner_radius[0] + section.inner_radius[1]) / (section.radius[0] + section.radius[1]);
      const double q = (1 + m * m) * (1 + m * m);
      const double kappa = 6 * (1 + nu) * q / ((7 + 6 * nu) * q + (20 + 12 * nu) * m * m);
      return std::array{kappa, kappa};
    }
    case model::SectionKind::kGeneral:
      break;
  }
  return std::nullopt;
}

Beam make_beam(const model::Body& body, const model::MaterialSpec& material, const model::SectionValues& section,
               double length, std::array<double, 2> kappa) {
  const double E = material.young.value_or(0);
  const double G = material.shear.value_or(0);
  const double rho = material.density.value_or(0);
  Beam beam;
  beam.length = length;
  beam.EA = E * section.area;
  beam.GJ = G * section.J;
  beam.EIy = E * section.Iy;
  beam.EIz = E * section.Iz;
  beam.rho_A = rho * section.area;
  beam.rho_Ip = rho * section.polar;
  if (body.kind == model::BodyKind::kBeam && body.beam->theory == model::BeamTheory::kTimoshenko) {
    // Euler's beam neither shears nor has rotary inertia: both stay 0.
    beam.rho_Iy = rho * section.Iy;
    beam.rho_Iz = rho * section.Iz;
    beam.shear_y = 1 / (kappa[0] * G * section.area);
    beam.shear_z = 1 / (kappa[1] * G * section.area);
  }
  beam.viscous = body.beam->viscous;
  beam.kelvin_voigt = body.beam->kelvin_voigt;
  beam.foundation = body.beam->foundation;
  beam.axial = body.kind != model::BodyKind::kShaft;
  // Section 2 of docs/theory/modes.md: a rod has the axial field alone, a shaft torsion alone.
  beam.torsion = body.kind != model::BodyKind::kRod;
  beam.bend_y = beam.bend_z = body.kind == model::BodyKind::kBeam;
  return beam;
}

}  // namespace espalier::modes::detail
