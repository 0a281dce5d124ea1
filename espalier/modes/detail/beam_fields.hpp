#pragma once

// What an element does to displacement e and force t from one end to the other, field by field: axial, torsion, and
// bending in two planes do not mix. With t the force that what lies ahead exerts on what lies behind,
//   e_1 = A e_0 + B t_0,   t_1 = C e_0 + D t_0.

#include <array>

#include "espalier/modes/detail/dual.hpp"
#include "espalier/modes/detail/pass_program.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes::detail {

// s and s^2. Where nothing is damped s^2 = -omega^2 is real and s does not occur.
template <class T>
struct Frequency {
  T s{};
  T s2{};
};

// Matrices of one field by rows; of size 1 only the first number counts.
template <class T>
struct Field {
  int first = 0;  // direction
  int size = 1;
  bool rigid = false;
  std::array<T, 4> A{}, B{}, C{}, D{};
  std::array<T, 4> stiffness{};              // of the first end, the second held: B^-1 A; not where rigid
  std::array<double, 2> impedance = {1, 1};  // force a displacement of a wave, by direction
  T spring{1.0};                             // of an elastic direction of a hinge: B is its inverse
};

template <class T>
struct Fields {
  int count = 0;
  std::array<Field<T>, 6> of;
};

template <class T>
void set_fields(const BeamLaw& law, const Frequency<T>& at, Fields<T>& fields);
template <class T>
void set_fields(const HingeLaw& law, const Frequency<T>& at, Fields<T>& fields);

// Into how many slices a beam is cut so that the series converge to rounding and no slice resonates, |s| <= largest.
int slices_for(const BeamLaw& whole, double largest_s);
// Up to this |s| a beam without damping and foundation is one slice [1/s]; infinite where nothing has mass.
double uncut_upto(const Beam& beam);

}  // namespace espalier::modes::detail
