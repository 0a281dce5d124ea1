#include "espalier/modes/detail/beam_slice.hpp"

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/beam_fields.hpp"

namespace espalier::modes::detail {
namespace {

using Complex = std::complex<double>;
using Fields1 = Fields<Complex>;

// Of the directions of plain_law().
constexpr std::array<Eigen::Index, 6> kRow = {0, 3, 1, 5, 2, 4};

constexpr std::array<double, kPoints> kWeight = {0.085662246189585173, 0.18038078652406930, 0.23395696728634552,
                                                 0.23395696728634552,  0.18038078652406930, 0.085662246189585173};

using Pair = std::array<Complex, 2>;

Pair times(const std::array<Complex, 4>& m, const Pair& v, int size) {
  // Axial and torsion have one number of each kind, bending has two.
  if (size == 1) return {m[0] * v[0], 0.0};
  return {m[0] * v[0] + m[1] * v[1], m[2] * v[0] + m[3] * v[1]};
}
Pair sum(const Pair& a, const Pair& b) { return {a[0] + b[0], a[1] + b[1]}; }

// (M14) The force at the first end, B^-1 (e_1 - A e_0).
Pair first_force(const Field<Complex>& f, const Pair& from, const Pair& to) {
  const Pair carried = times(f.A, from, f.size);
  const Pair rest = {to[0] - carried[0], to[1] - carried[1]};
  if (f.size == 1) return {rest[0] / f.B[0], 0.0};
  const Complex det = f.B[0] * f.B[3] - f.B[1] * f.B[2];
  return {(f.B[3] * rest[0] - f.B[1] * rest[1]) / det, (f.B[0] * rest[1] - f.B[2] * rest[0]) / det};
}

// Twice the energy a length of forces in a field: of strains t / (stiffness (1 + eta s)).
double strain_of(const Beam& beam, int first, const Pair& t, double stiffer2) {
  const auto part = [&](const Complex& force, double compliance) { return std::norm(force) * compliance / stiffer2; };
  switch (first) {
    case 0:
      return part(t[0], 1 / beam.EA);
    case 1:
      return part(t[0], 1 / beam.GJ);
    case 2:
      return part(t[0], beam.shear_y) + part(t[1], 1 / beam.EIz);
    default:
      return part(t[0], beam.shear_z) + part(t[1], 1 / beam.EIy);
  }
}

}  // namespace

BeamLaw plain_law(const Beam& beam) {
  BeamLaw law;
  law.length = beam.length;
  law.EA = beam.EA;
  law.GJ = beam.GJ;
  law.EIy = beam.EIy;
  law.EIz = beam.EIz;
  law.rho_A = beam.rho_A;
  law.rho_Ip = beam.rho_Ip;
  law.rho_Iy = beam.rho_Iy;
  law.rho_Iz = beam.rho_Iz;
  law.shear_y = beam.shear_y;
  law.shear_z = beam.shear_z;
  law.viscous = beam.viscous;
  law.kelvin_voigt = beam.kelvin_voigt;
  law.foundation = beam.foundation;
  law.axial = beam.axial ? 0 : -1;
  law.torsion = beam.torsion ? 1 : -1;
  law.bend_y = beam.bend_y ? 2 : -1;
  law.bend_z = beam.bend_z ? 4 : -1;
  return law;
}

std::array<BeamPoint, kPoints> sample_beam(const Beam& beam, Complex s, const Displacement& from,
                                           const Displacement& to) {
  BeamLaw law = plain_law(beam);
  const Frequency<Complex> at{s, s * s};
  // Forces have the factor 1 + eta s of Kelvin-Voigt damping in them, strains have not.
  const double stiffer2 = std::norm(1.0 + beam.kelvin_voigt * s);
  Fields1 whole, part;
  set_fields(law, at, whole);
  std::array<Pair, 6> start{}, force{};
  for (int k = 0; k < whole.count; ++k) {
    const Field<Complex>& f = whole.of[to_index(k)];
    const auto row = to_index(f.first);
    const auto pair = [&](const Displacement& e) {
      return Pair{e[kRow[row]], f.size == 2 ? e[kRow[row + 1]] : Complex(0)};
    };
    // Fields do not mix, so each is found from its own two ends.
    start[to_index(k)] = pair(from);
    force[to_index(k)] = first_force(f, pair(from), pair(to));
  }
  std::array<BeamPoint, kPoints> points;
  for (std::size_t p = 0; p < kPoints; ++p) {
    // A shorter beam with the same start: the solution inside is that of its end, (M4).
    law.length = kPlace[p] * beam.length;
    set_fields(law, at, part);
    points[p].weight = kWeight[p] * beam.length;
    points[p].displacement.setZero();
    for (int k = 0; k < part.count; ++k) {
      const auto i = to_index(k);
      const Field<Complex>& f = part.of[i];
      const auto row = to_index(f.first);
      const Pair e = sum(times(f.A, start[i], f.size), times(f.B, force[i], f.size));
      const Pair t = sum(times(f.C, start[i], f.size), times(f.D, force[i], f.size));
      points[p].displacement[kRow[row]] = e[0];
      if (f.size == 2) points[p].displacement[kRow[row + 1]] = e[1];
      points[p].strain += strain_of(beam, f.first, t, stiffer2);
    }
  }
  return points;
}

}  // namespace espalier::modes::detail
