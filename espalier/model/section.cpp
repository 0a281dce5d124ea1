#include "espalier/model/spec.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "espalier/base/numbers.hpp"

namespace espalier::model {

SectionValues section_at(const SectionSpec& section, double x) {
  // Dimensions taper linearly, moments of area then follow with their powers.
  const auto mix = [x](const SectionSpec::Ends& ends) { return ends[0] + x * (ends[1] - ends[0]); };
  switch (section.kind) {
    case SectionKind::kRectangle: {
      const double b = mix(section.b);
      const double h = mix(section.h);
      // Bending about y and z: b lies along z, h along y.
      const double Iy = h * b * b * b / 12;
      const double Iz = b * h * h * h / 12;
      // Saint-Venant torsion of a rectangle, Roark's approximation (0.3 %).
      const double a = std::max(b, h);
      const double c = std::min(b, h);
      const double ratio = c / a;
      const double J = a * c * c * c * (1.0 / 3 - 0.21 * ratio * (1 - ratio * ratio * ratio * ratio / 12));
      return {b * h, Iy, Iz, J, Iy + Iz};
    }
    case SectionKind::kCircle: {
      const double outer = mix(section.radius);
      const double inner = mix(section.inner_radius);
      const double I = std::numbers::pi / 4 * (elementary::pow(outer, 4) - elementary::pow(inner, 4));
      // A circle twists without warping: J is the polar moment.
      return {std::numbers::pi * (outer * outer - inner * inner), I, I, 2 * I, 2 * I};
    }
    case SectionKind::kGeneral:
      return {mix(section.area), mix(section.Iy), mix(section.Iz), mix(section.J),
              section.polar ? mix(*section.polar) : mix(section.Iy) + mix(section.Iz)};
  }
  return {};
}

}  // namespace espalier::model
