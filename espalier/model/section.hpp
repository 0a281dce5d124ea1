#pragma once

#include "espalier/model/spec.hpp"

namespace espalier::model {

// Area, second moments, torsion constant of a section.
struct SectionValues {
  double area = 0;                          // [m^2]
  double Iy = 0, Iz = 0, J = 0, polar = 0;  // as SectionSpec has them [m^4]
};

// At the fraction x in [0, 1] of the beam's length; the measures of rectangle and circle are interpolated, not their
// products.
SectionValues section_at(const SectionSpec& section, double x);

}  // namespace espalier::model
