#include "espalier/modes/detail/beam_law.hpp"

#include "espalier/modes/detail/beam_fields.hpp"

namespace espalier::modes::detail {

std::vector<int> beam_rows(const Beam& beam) {
  std::vector<int> rows;
  if (beam.axial) rows.push_back(0);
  if (beam.torsion) rows.push_back(3);
  // A displacement before its rotation, as set_fields() numbers them.
  if (beam.bend_y) rows.insert(rows.end(), {1, 5});
  if (beam.bend_z) rows.insert(rows.end(), {2, 4});
  return rows;
}

BeamLaw make_beam_law(const Beam& beam, double part, double length_unit, double largest_s) {
  BeamLaw law;
  // A rotation times u is a length, so that forces and couples have one unit, and maps have numbers near 1.
  const double u = length_unit, u3 = u * u * u;
  law.length = part * beam.length / u;
  law.EA = beam.EA / u;
  law.GJ = beam.GJ / u3;
  law.EIy = beam.EIy / u3;
  law.EIz = beam.EIz / u3;
  law.rho_A = beam.rho_A * u;
  law.rho_Ip = beam.rho_Ip / u;
  law.rho_Iy = beam.rho_Iy / u;
  law.rho_Iz = beam.rho_Iz / u;
  law.shear_y = beam.shear_y * u;
  law.shear_z = beam.shear_z * u;
  law.viscous = beam.viscous * u;
  law.kelvin_voigt = beam.kelvin_voigt;
  law.foundation = beam.foundation * u;
  // Directions without a field take no number: a rod has one direction, a beam in a plane three.
  int next = 0;
  if (beam.axial) law.axial = next++;
  if (beam.torsion) law.torsion = next++;
  if (beam.bend_y) law.bend_y = next, next += 2;
  if (beam.bend_z) law.bend_z = next;
  // Last, from what the beam carries.
  law.slices = slices_for(law, largest_s);
  return law;
}

}  // namespace espalier::modes::detail
